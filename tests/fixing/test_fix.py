"""``grapharc check --fix``: what is mended, what is kept, and what is never made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from grapharc.cli.main import main
from grapharc.project.check import check_documents
from grapharc.project.fix import Fixed, fix_documents
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted
from grapharc.project.report import Report
from grapharc.project.rewriting import write_all
from grapharc.project.settings import Flags
from grapharc.spec.comments import comments
from grapharc.spec.reading.text import read_text

REPOSITORY = Path(__file__).resolve().parent.parent.parent
TODAY = date(2026, 11, 30)

HEAD = """\
# a graph that is kept by hand
[state]
x = { type = "integer", input = true }   # the only input
y = { type = "integer", default = 0, output = true }

"""


def write(folder: Path, body: str, newline: str = "\n") -> Path:
    path = folder / "graph.toml"
    path.write_bytes((HEAD + body).replace("\n", newline).encode())
    return path


def fixed(path: Path, *, unsafe: bool = False, flags: Flags | None = None) -> Fixed:
    project = open_project(flags or Flags(), [str(path)], {"GRAPHARC_CACHE_DIR": ""})
    found = fix_documents(project, Wanted((project.loader.path_of(str(path)),)), TODAY, unsafe=unsafe)
    write_all(project, found.rewrites)
    return found


DUPLICATE = """\
[[nodes]]
name = "a"
kind = "control.set"
reads = { value = "x" }
writes = { result = "y" }

[[edges]]
chain = ["__start__", "a"]

[[edges]]
source = "__start__"
target = "a"

# where it ends
[[edges]]
chain = ["a", "__end__"]
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_row_goes_and_everything_else_stays(tmp_path: Path, newline: str) -> None:
    path = write(tmp_path, DUPLICATE, newline)
    assert fixed(path).mended == (("duplicate_edge", 1),)
    without = DUPLICATE.replace('[[edges]]\nsource = "__start__"\ntarget = "a"\n\n', "")
    assert path.read_bytes() == (HEAD + without).replace("\n", newline).encode()
    assert fixed(path).rewrites == ()


def test_a_comment_is_never_taken_along(tmp_path: Path) -> None:
    path = write(tmp_path, DUPLICATE.replace('target = "a"\n\n#', 'target = "a"  # on purpose\n\n#'))
    before = path.read_bytes()
    assert fixed(path).rewrites == ()
    assert path.read_bytes() == before


def test_a_row_is_appended_behind_its_like(tmp_path: Path) -> None:
    body = DUPLICATE.replace('[[edges]]\nsource = "__start__"\ntarget = "a"\n\n', "")
    path = write(tmp_path, body.replace('# where it ends\n[[edges]]\nchain = ["a", "__end__"]\n', "# the last word"))
    assert fixed(path).mended == (("implied_end", 1),)
    assert path.read_text("utf-8").endswith(
        'chain = ["__start__", "a"]\n\n[[edges]]\nsource = "a"\ntarget = "__end__"\n\n# the last word'
    )


def test_json_keeps_its_manner(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(
        '{\n  "nodes": [{"name": "a", "kind": "control.pass"}],\n  "edges": [\n'
        '    {"source": "__start__", "target": "a"},\n    {"source": "__start__", "target": "a"}\n  ]\n}\n',
        "utf-8",
    )
    assert fixed(path).mended == (("duplicate_edge", 1), ("implied_end", 1))
    assert path.read_text("utf-8") == (
        '{\n  "nodes": [{"name": "a", "kind": "control.pass"}],\n  "edges": [\n'
        '    {"source": "__start__", "target": "a"},\n    {"source": "a", "target": "__end__"}\n  ]\n}\n'
    )


def test_a_name_that_was_nearly_meant_is_unsafe(tmp_path: Path) -> None:
    path = write(tmp_path, DUPLICATE.replace("control.set", "control.sett").replace('value = "x"', "value = 'x'"))
    assert dict(fixed(path).mended) == {"duplicate_edge": 1}
    assert dict(fixed(path, unsafe=True).mended) == {"unregistered_node": 1}
    assert 'kind = "control.set"\n' in path.read_text("utf-8")


NODE = '[[nodes]]\n{}\n\n[[edges]]\nchain = ["__start__", "{}", "__end__"]\n'


def test_a_kind_that_is_only_a_name_is_written_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path, NODE.format('name = "control.pas"', "control.pas"))
    before = path.read_text()
    assert fixed(path, unsafe=False).mended == ()
    assert dict(fixed(path, unsafe=True).mended)["unregistered_node"] == 1
    assert path.read_text() == before.replace('"control.pas"\n', '"control.pas"\nkind = "control.pass"\n', 1)


def test_a_kind_is_mended_though_more_of_its_node_is_wrong(tmp_path: Path) -> None:
    path = write(tmp_path, NODE.format('name = "a"\nkind = "control.sett"\nwrites = { result = "y" }', "a"))
    found = fixed(path, unsafe=True)
    assert 'kind = "control.set"\n' in path.read_text()
    assert [finding.code for finding in found.report.findings if finding.subject == "a"] == ["unbound_port"]


def test_what_was_behind_a_misspelt_kind_is_mended_with_it(tmp_path: Path) -> None:
    wrong = 'name = "a"\nkind = "tool.raed_file"\nreads = { path = "\'a.txt\'" }\nwrites = { txt = "y" }'
    path = write(
        tmp_path, NODE.format(wrong, "a").replace('"y"', '"z"') + '\n[state.z]\ntype = "string"\noutput = true\n'
    )
    assert {"unregistered_node", "unknown_port"} <= dict(fixed(path, unsafe=True).mended).keys()
    assert 'kind = "tool.read_file"\n' in path.read_text()
    assert 'writes = { text = "z" }\n' in path.read_text()


def test_a_fix_that_brings_another_finding_is_not_made(tmp_path: Path) -> None:
    """The edge that would be added is denied."""
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'default = "allow"\n[[rule]]\nid = "no"\neffect = "deny"\nresource = "edge"\nmatch = "control.set -> __end__"\n'
    )
    body = DUPLICATE.replace('[[edges]]\nsource = "__start__"\ntarget = "a"\n\n', "")
    path = write(tmp_path, body.replace('# where it ends\n[[edges]]\nchain = ["a", "__end__"]\n', ""))
    found = fixed(path, flags=Flags(policies=(str(policy),)))
    assert found.rewrites == ()
    assert [finding.code for finding in found.report.findings] == ["implied_end"]


def refused_documents() -> Iterator[Path]:
    for folder in sorted((REPOSITORY / "tests" / "documents").iterdir()):
        yield from sorted(folder.glob("refused.*ml")) + sorted(folder.glob("refused.json"))


def look(path: Path) -> Report:
    config = path.parent / "grapharc.toml"
    flags = Flags(config=str(config) if config.exists() else None)
    project = open_project(flags, [str(path)], {"GRAPHARC_CACHE_DIR": ""})
    return check_documents(project, Wanted((project.loader.path_of(str(path)),)), TODAY)


def test_every_fix_that_a_rule_offers_mends_its_document(tmp_path: Path) -> None:
    """All documents that are refused, so that no rule's fix goes untried; a second run finds nothing more to do."""
    offered: dict[str, bool] = {}
    for number, source in enumerate(refused_documents()):
        if not any(finding.fixes for finding in look(source).findings):
            continue
        folder = tmp_path / str(number)
        shutil.copytree(source.parent, folder)
        path, code = folder / source.name, source.parent.name
        config = folder / "grapharc.toml"
        flags = Flags(config=str(config) if config.exists() else None)
        before = look(path)
        found = fixed(path, unsafe=True, flags=flags)
        after = look(path)
        assert len(after.findings) <= len(before.findings), source
        assert fixed(path, unsafe=True, flags=flags).rewrites == (), source
        offered[code] = offered.get(code, False) or code in dict(found.mended)
    wanted = {"branch_not_exhaustive", "duplicate_edge", "error_edge_unreachable", "implied_end", "lone_otherwise"}
    assert wanted | {"loop_on_forward_edge", "shared_implicit_write"} <= offered.keys()
    # Without its error edge nothing leads to the node behind it, which is a finding like the one that would go.
    assert [code for code, mended in offered.items() if not mended] == ["error_edge_unreachable"]


@pytest.mark.parametrize("data", [b"# caf\xe9\n" + DUPLICATE.encode(), DUPLICATE.encode("utf-16")])
def test_bytes_that_are_no_text_are_not_written_over(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "graph.toml"
    path.write_bytes(data)
    assert fixed(path, unsafe=True).rewrites == ()
    assert path.read_bytes() == data


def commented(source: Path) -> str:
    """A document with a comment of its own behind every line that can have one."""
    text = read_text(source.read_bytes(), "graph.toml", "toml")[0]
    lines = text.source.text.split("\n")
    for number, line in enumerate(lines):
        said = [*lines[:number], f"{line}  # line {number}", *lines[number + 1 :]]
        again, faults = read_text("\n".join(said).encode(), "graph.toml", "toml")
        if not faults and again.value == text.value:
            lines = said
    return "\n".join(lines)


def test_every_comment_of_a_document_survives_every_fix(tmp_path: Path) -> None:
    """Each statement keeps its own, whatever is written around it; what is left unmended may be."""
    tried = 0
    for number, source in enumerate(refused_documents()):
        if source.suffix != ".toml" or not any(finding.fixes for finding in look(source).findings):
            continue
        folder = tmp_path / str(number)
        shutil.copytree(source.parent, folder)
        path, config = folder / source.name, folder / "grapharc.toml"
        path.write_text(commented(source), "utf-8")
        before = [comment for _, comment in comments(path.read_text("utf-8"))]
        found = fixed(path, unsafe=True, flags=Flags(config=str(config) if config.exists() else None))
        assert [comment for _, comment in comments(path.read_text("utf-8"))] == before, source
        tried += bool(found.rewrites)
    assert tried > 2


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, DUPLICATE)
    assert main(["check", "--fix", "--diff", str(path)]) == 1
    said = capsys.readouterr().out
    assert '-target = "a"\n' in said
    assert said.endswith("would mend 1 finding: duplicate_edge\n")
    assert path.read_text("utf-8") == HEAD + DUPLICATE
    assert main(["check", "--fix", str(path)]) == 0
    assert capsys.readouterr().out.startswith("mended 1 finding: duplicate_edge\n")
    assert main(["check", "--fix", "--diff", str(path)]) == 0
    capsys.readouterr()
    assert main(["check", "--unsafe", str(path)]) == 2
    assert "--fix is missing" in capsys.readouterr().err


def test_keys_that_other_tools_use_are_mended_as_ours(tmp_path: Path) -> None:
    elsewhere = """\
[[nodes]]
id = "a"
type = "control.set"
inputs = { value = "x" }
outputs = { result = "y" }
timeout = 3

[[edges]]
from = "__start__"
to = "a"

[[edges]]
from = "a"
to = "__end__"
"""
    path = write(tmp_path, elsewhere)
    assert {finding.code for finding in fixed(path, unsafe=True).report.findings} == set()
    keys = [line.split(" = ")[0] for line in path.read_text("utf-8").removeprefix(HEAD).splitlines()]
    assert keys[:6] == ["[[nodes]]", "name", "kind", "reads", "writes", "timeout_seconds"]
    assert keys[7:] == ["[[edges]]", "source", "target", "", "[[edges]]", "source", "target"]


BY_HAND = """\
name = summarise
version = 1

[state]
path = { type = "str", input = true }
text = "str"
summary = { type = "str", ouput = true }

[budget]
tokens = 5000

[[node]]
name = "read file"
kind = "tool.readfile"
writes = { text = "text" }

[[node]]
name = "summarise"
kind = "model.cal"
args = { role = "writer", prompt = "Summarise {txt}", max_tokens = 500 }
writes = { text = "sumary" }

[[edge]]
from = "START"
to = "read file"

[[edge]]
from = "read file"
to = "summarise"
"""

REGISTRY = """\
[[use]]
kind = "tool.read_file"

[[use]]
kind = "model.*"

[models]
writer = "mock/replies.json"
"""


def test_a_graph_typed_by_somebody_new_is_mended_until_it_is_admitted(tmp_path: Path) -> None:
    """One mistake hides the next: quotes, keys, types, names, kinds, ends."""
    (tmp_path / "replies.json").write_text('["short"]')
    (tmp_path / "registry.toml").write_text(REGISTRY)
    path = tmp_path / "graph.toml"
    path.write_text(BY_HAND)
    flags = Flags(registry=str(tmp_path / "registry.toml"))
    assert fixed(path, flags=flags).rewrites == ()
    found = fixed(path, unsafe=True, flags=flags)
    assert found.report.findings == ()
    assert [admission.verdict for admission in found.report.admissions] == ["admitted"]
    text = path.read_text()
    assert (text.count("[[nodes]]"), text.count("[[edges]]"), text[-1]) == (2, 3, "\n")
    assert 'name = "summarise"\nversion = "1"\n' in text


@pytest.mark.parametrize("written", ["tru", "two words", "“x”", "(1, 2)"])
def test_what_is_no_word_by_itself_gets_no_quotes(tmp_path: Path, written: str) -> None:
    path = write(tmp_path, NODE.format(f'name = "a"\nkind = "control.pass"\ndescription = {written}', "a"))
    fixed(path, unsafe=True)
    assert f'"{written.split(",")[0].split()[0]}' not in path.read_text("utf-8")


def test_a_key_is_not_renamed_to_one_that_cannot_hold_what_it_holds(tmp_path: Path) -> None:
    path = write(tmp_path, NODE.format('name = "a"\nkind = "control.pass"\nretr = "often"', "a"))
    fixed(path, unsafe=True)
    assert 'retr = "often"' in path.read_text()


def test_the_command_says_what_unsafe_might_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, NODE.format('name = "a"\nkind = "control.pas"', "a"))
    assert main(["check", "--fix", str(path)]) == 1
    assert capsys.readouterr().out.startswith("--unsafe might mend 1 finding that --fix leaves\n")


def test_two_keys_that_mean_the_same_do_not_become_one(tmp_path: Path) -> None:
    """Which of them was meant is for the author to say: a document with a key twice could not be read at all."""
    body = DUPLICATE.replace("reads = {", "input = {").replace("writes = {", "inputs = { value = 'y' }\nwrites = {")
    path = write(tmp_path, body)
    found = fixed(path, unsafe=True)
    assert "reads = { value = \"x\" }\ninputs = { value = 'y' }\n" in path.read_text()
    assert "unknown_key" in [finding.code for finding in found.report.findings]
    assert read_text(path.read_bytes(), "graph.toml")[1] == ()
