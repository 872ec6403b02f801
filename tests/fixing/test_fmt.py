"""``grapharc fmt``: one canonical text for each document, which says what the document said."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grapharc.cli.main import main
from grapharc.spec.document import Document
from grapharc.spec.formatting.format import formatted
from grapharc.spec.read import read
from grapharc.spec.reading.text import read_text

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def documents() -> list[tuple[str, Document[object]]]:
    """Every document of the repository that has no fault of its syntax."""
    found: list[tuple[str, Document[object]]] = []
    for folder in ("examples", "tests/documents", "grapharc"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in (".toml", ".json") and path.is_file():
                data, shown = path.read_bytes(), path.relative_to(REPOSITORY).as_posix()
                document, _ = read(data, shown)
                if document is not None and not read_text(data, shown)[1]:
                    found.append((shown, document))
    return found


DOCUMENTS = documents()


def laid_out(text: str, path: str) -> str:
    document, _ = read(text.encode(), path)
    assert document is not None, path
    return formatted(document)


def test_every_document_says_the_same_and_is_laid_out_once_for_all() -> None:
    assert len(DOCUMENTS) > 400
    for path, document in DOCUMENTS:
        after = formatted(document)
        assert read_text(after.encode(), path)[0].value == document.text.value, path
        assert laid_out(after, path) == after, path
        before = [line.strip() for line in document.text.source.text.splitlines() if line.strip().startswith("#")]
        kept = [line.strip() for line in after.splitlines() if line.strip().startswith("#")]
        assert sorted(before) == sorted(kept), path


def pages() -> list[tuple[str, str]]:
    """Every document that README, docs and examples show, with the page and line on which it begins."""
    found: list[tuple[str, str]] = []
    for page in (REPOSITORY / "README.md", *REPOSITORY.glob("docs/*.md"), *REPOSITORY.glob("examples/*/README.md")):
        text = page.read_text("utf-8")
        for block in re.finditer(r"^```(toml|json)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            path = f"{page.relative_to(REPOSITORY)}:{text[: block.start()].count(chr(10)) + 1}.{block[1]}"
            if read(block[2].encode(), path)[0] is not None and block[2].count("\n") > 1:
                found.append((path, block[2]))
    return found


def test_what_is_shipped_and_shown_is_laid_out() -> None:
    """Who begins with ``init`` or copies an example has nothing to lay out."""
    shipped = [(path, each) for path, each in DOCUMENTS if path.startswith(("examples/", "grapharc/cli/starter/"))]
    assert len(shipped) > 60
    assert [path for path, document in shipped if formatted(document) != document.text.source.text] == []
    assert len(pages()) > 8
    assert [path for path, text in pages() if laid_out(text, path) != text] == []


def test_a_new_project_has_nothing_to_lay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    assert main(["init", "here"]) == 0
    monkeypatch.chdir(tmp_path / "here")
    assert main(["fmt", "--check"]) == 0
    assert main(["fmt", "--check", "."]) == 0


SCHEMA_ON_TOP = """\
#:schema graph.json
# What it is for.
[[nodes]]
name = "step"
kind = "control.pass"

[state]
x = "string"
"""


def test_what_stands_at_the_top_of_a_file_stays_there() -> None:
    head, nodes, state = re.split(r"\n(?=\[)", SCHEMA_ON_TOP.replace("\n\n", "\n").rstrip("\n"))
    after = laid_out(SCHEMA_ON_TOP, "graph.toml")
    assert after == f"{head}\n\n{state}\n\n{nodes}\n"
    assert laid_out(after, "graph.toml") == after
    assert laid_out(f"{head}\n{state}\n\n{nodes}\n", "graph.toml") == f"{head}\n{state}\n\n{nodes}\n"
    assert laid_out('# v\nversion = "1"\nname = "a"\nnodes = []\n', "g.toml").startswith("# v\n\nname = ")


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_suppression_is_not_parted_from_the_line_that_it_is_about(gap: str) -> None:
    allow = f"# grapharc: allow implied_end -- on purpose\n{gap}"
    first = f'#:schema x\n{allow}[[nodes]]\nname = "a"\nkind = "control.pass"\n'
    again = f'\n{allow}[[edges]]\nchain = ["__start__", "a"]\n'
    after = laid_out(f'{first}{again}\n[state]\nx = "string"\n', "graph.toml")
    assert f"{allow}[[nodes]]" in after
    assert f"{allow}[[edges]]" in after
    assert after.startswith("#:schema x\n\n[state]\n")


def test_the_order_of_a_document_makes_no_difference_to_its_layout() -> None:
    """Statements of a table, and tables that are no rows of one list, may come in any order."""
    shuffled = 0
    for number, (path, document) in enumerate(DOCUMENTS):
        source = document.text.source.text
        if document.text.syntax != "toml" or '"""' in source or "'''" in source or "#" in source:
            continue
        if any(line.startswith((" ", "\t", "]", "}")) for line in source.splitlines()):
            continue
        chance = random.Random(number)
        blocks = [block.strip("\n").split("\n") for block in re.split(r"\n(?=\[)", f"\n{source}".strip("\n") + "\n")]
        top = blocks.pop(0) if not blocks[0][0].startswith("[") else []
        chance.shuffle(top)
        for block in blocks:
            if block[0] in ("[[nodes]]", "[[edges]]", "[[rule]]", "[[use]]", "[budget]", "[limits]", "[grapharc]"):
                rest = block[1:]
                chance.shuffle(rest)
                block[1:] = rest
        text = "\n".join([*top, *(line for block in _mixed(blocks, chance) for line in block)]) + "\n"
        assert laid_out(text, path) == formatted(document), path
        shuffled += text != source
    assert shuffled > 100


def _mixed(blocks: list[list[str]], chance: random.Random) -> list[list[str]]:
    """Shuffle blocks; those of one list of tables, and what leads on from them, keep their order."""
    keys = [re.sub(r"[\[\]]", "", block[0]).split(".")[0].strip() for block in blocks]
    order = list(keys)
    chance.shuffle(order)
    queues = {key: [block for block, own in zip(blocks, keys, strict=True) if own == key] for key in keys}
    return [queues[key].pop(0) for key in order]


MESSY = """\
# What this is for.

name="messy"   # a label


# about the state
[state]
b  =  {input=true,type = "string"}   # why b
a = "string"


# the nodes begin here
[[nodes]]
# first the kind
kind = "control.pass"
name="one"
[[edges]]
target = "one"
source="__start__"
[[nodes]]
name = "two"
kind = "control.pass"

# the end
"""

NEAT = """\
# What this is for.

name = "messy"  # a label

# about the state
[state]
b = { type = "string", input = true }  # why b
a = "string"

# the nodes begin here
[[nodes]]
name = "one"
# first the kind
kind = "control.pass"

[[nodes]]
name = "two"
kind = "control.pass"

# the end

[[edges]]
source = "__start__"
target = "one"
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_comments_stay_with_what_they_stand_at(newline: str, mark: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.toml"
    path.write_bytes((mark + MESSY).replace("\n", newline).encode())
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == (mark + NEAT).replace("\n", newline).encode()


def test_json_is_laid_out_by_width(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.json"
    path.write_text(
        '{"edges":[{"target":"a","source":"__start__"}],"nodes":[{"kind":"control.pass","name":"a"},'
        '{"name":"b","kind":"control.set","reads":{"value":"' + "x + " * 30 + 'x"}}],"state":{"x":"integer"}}'
    )
    assert main(["fmt", str(path)]) == 0
    assert path.read_text("utf-8") == (
        '{\n  "state": {\n    "x": "integer"\n  },\n  "nodes": [\n    { "name": "a", "kind": "control.pass" },\n    {\n'
        '      "name": "b",\n      "kind": "control.set",\n      "reads": {\n        "value": "' + "x + " * 30 + 'x"\n'
        '      }\n    }\n  ],\n  "edges": [\n    { "source": "__start__", "target": "a" }\n  ]\n}\n'
    )


def test_check_and_diff_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.toml"
    path.write_text(MESSY, "utf-8")
    assert main(["fmt", "--check", str(path)]) == 1
    assert "would lay out" in capsys.readouterr().out
    assert main(["fmt", "--diff", str(path)]) == 1
    difference = capsys.readouterr().out
    assert path.read_text("utf-8") == MESSY
    assert main(["fmt", str(path)]) == 0
    assert main(["fmt", "--check", str(path)]) == 0
    assert '+b = { type = "string", input = true }  # why b' in difference


def test_git_applies_the_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph.toml").write_text(MESSY, "utf-8")
    command = [sys.executable, "-m", "grapharc.cli", "fmt", "--diff", "graph.toml"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    applied = subprocess.run(["git", "apply"], input=ran.stdout, text=True, capture_output=True, check=False)
    assert applied.returncode == 0, applied.stderr
    assert (tmp_path / "graph.toml").read_text("utf-8") == NEAT


def test_what_is_broken_or_no_document_of_ours_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.toml").write_text('name = "x\n[[nodes]]\n', "utf-8")
    (tmp_path / "other.toml").write_text("a=1\n", "utf-8")
    assert main(["fmt", str(tmp_path)]) == 1
    assert "unterminated_string" in capsys.readouterr().out
    assert (tmp_path / "broken.toml").read_text("utf-8") == 'name = "x\n[[nodes]]\n'
    assert (tmp_path / "other.toml").read_text("utf-8") == "a=1\n"
    (tmp_path / "broken.toml").unlink()
    assert main(["fmt", str(tmp_path)]) == 2
    assert "nothing to" in capsys.readouterr().err


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "graph.toml", tmp_path / "link.toml"
    path.write_text(MESSY, "utf-8")
    path.chmod(0o640)
    link.symlink_to("graph.toml")
    assert main(["fmt", str(link)]) == 0
    assert link.is_symlink()
    assert path.read_text("utf-8") == NEAT
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["graph.toml", "link.toml"]


def test_standard_input_goes_through(tmp_path: Path) -> None:
    def through(text: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "grapharc.cli", "fmt", "-"]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        return subprocess.run(
            command, input=text, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
        )

    ran = through(MESSY)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, NEAT, "")
    broken = through('name = "x\nnodes = []\n')
    assert (broken.returncode, broken.stdout) == (1, 'name = "x\nnodes = []\n')
    assert "unterminated_string" in broken.stderr
