"""``check``: what is looked at, what is said of it, and the exit code."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

GOOD = """
[[nodes]]
name = "step"
kind = "control.pass"

[[edges]]
chain = ["__start__", "step", "__end__"]
"""
BAD = GOOD.replace("control.pass", "control.pas")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


def write(folder: Path, **files: str) -> None:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_toml", ".toml").replace("_json", ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def test_a_clean_graph_is_0_and_a_faulty_one_1(grapharc, here: Path) -> None:
    write(here, good_toml=GOOD, bad_toml=BAD)
    assert grapharc("check", "good.toml").out == "no findings in 1 document\n"
    ran = grapharc("check", "bad.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[unregistered_node]: kind 'control.pas'")
    assert " --> bad.toml:4:8\n" in ran.out
    assert ran.err == ""


def test_a_warning_alone_is_0(grapharc, here: Path) -> None:
    write(here, graph_toml=GOOD.replace(', "__end__"', ""))
    ran = grapharc("check", "graph.toml")
    assert ran.exit == 0
    assert ran.out.startswith("warning[implied_end]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "there is nothing to check: no document was named, and there is no grapharc.toml here"),
        (["check", "absent.toml"], "'absent.toml' is not there"),
        (["check", "--registry", "absent.toml", "good.toml"], "'absent.toml' is not there"),
        (["check", "--policy", "absent.toml", "good.toml"], "'absent.toml' is not there"),
        (["check", "--config", "absent.toml", "good.toml"], "'absent.toml' is not there"),
        (["check", "--max-tokens", "many", "good.toml"], "invalid value for '--max-tokens'"),
        (["check", "--format", "sarf", "good.toml"], "invalid value for '--format'"),
        (["check", "--polcy", "x.toml", "good.toml"], "there is no option '--polcy', did you mean '--policy'?"),
    ],
)
def test_what_cannot_be_begun_is_2(grapharc, here: Path, arguments: list[str], message: str) -> None:
    write(here, good_toml=GOOD)
    ran = grapharc(*arguments)
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {message}")
    document = grapharc(*arguments, "--json")
    assert document.json["exit"] == 2
    assert document.json["error"]["message"].startswith(message)


def test_standard_input_is_a_document(grapharc, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b'{"nodes": [{"name": "step", "kind": "control.pas"}], "edges": []}')

    monkeypatch.setattr("sys.stdin", Stdin)
    ran = grapharc("check", "-")
    assert ran.exit == 1
    assert " --> <stdin>:1:37\n" in ran.out


def test_json_is_one_document_with_the_same_findings(grapharc, here: Path) -> None:
    write(here, bad_toml=BAD)
    told = grapharc("check", "--json", "bad.toml").json
    assert told["exit"] == 1
    assert told["documents"] == [{"path": "bad.toml", "kind": "graph"}]
    assert [finding["code"] for finding in told["findings"]] == ["unregistered_node"]
    assert told["findings"][0]["place"] == "/nodes/0/kind"
    assert told == grapharc("check", "--format", "json", "bad.toml").json


def test_the_concise_format_is_one_line_each(grapharc, here: Path) -> None:
    write(here, bad_toml=BAD)
    out = grapharc("check", "--format", "concise", "bad.toml").out
    assert out.startswith("bad.toml:4:8: error: kind 'control.pas' is not in the registry")
    assert out.endswith("[unregistered_node]\n")


def test_every_kind_of_document_is_checked(grapharc, here: Path) -> None:
    write(
        here,
        policy_toml='[[rule]]\nid = "a"\neffect = "dney"\nresource = "node"\nmatch = "*"\n',
        registry_toml='[[use]]\nkind = "tool.raed_file"\n',
        kinds_toml='[[kind]]\nname = "a"\nentry = "a.py:a"\ncapabilities = ["netwrok"]\n',
        grapharc_toml='[grapharc]\nregistry = "registry.toml"\npolicies = ["policy.toml"]\n',
        other_toml='[severity]\nfield_never_raed = "off"\ncycle = "note"\n[grapharc]\n',
    )
    told = {
        name: [
            finding["code"] for finding in grapharc("check", "--json", "--config", "other.toml", name).json["findings"]
        ]
        for name in ("policy.toml", "registry.toml", "kinds.toml", "grapharc.toml")
    }
    mine = ["unknown_code", "fixed_severity"]
    assert {name: sorted(set(codes) - set(mine)) for name, codes in told.items()} == {
        "policy.toml": ["unknown_value"],
        "registry.toml": ["unknown_kind"],
        "kinds.toml": ["unknown_value"],
        "grapharc.toml": ["unknown_key"],
    }
    assert all(set(mine) <= set(codes) for codes in told.values())


def test_a_project_names_what_is_checked(grapharc, here: Path) -> None:
    names = 'registry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graphs/**/*.toml"]\n'
    write(
        here,
        grapharc_toml=f"[grapharc]\n{names}",
        registry_toml='[[use]]\nkind = "control.*"\n',
        policy_toml='default = "allow"\n',
        graphs__a_toml=GOOD,
        graphs__deep__b_toml=GOOD,
    )
    told = grapharc("check", "--json").json
    assert [document["path"] for document in told["documents"]] == [
        "grapharc.toml",
        "graphs/a.toml",
        "graphs/deep/b.toml",
        "policy.toml",
        "registry.toml",
    ]
    assert told["exit"] == 0
    assert told["settings"]["registry"] == {"value": "registry.toml", "layer": "grapharc.toml"}


def test_a_project_is_told_what_it_names_in_vain(grapharc, here: Path) -> None:
    write(
        here,
        grapharc_toml='[grapharc]\nregistry = "absent.toml"\npolicy = ["../policy.toml"]\n'
        'graphs = ["graph/*.toml", "../*.toml"]\nworkspace = "../other"\n',
    )
    write(here.parent, policy_toml='default = "allow"\n')
    found = grapharc("check", "--json").json["findings"]
    assert [(finding["code"], finding["place"]) for finding in found] == [
        ("document_unreadable", "/grapharc/registry"),
        ("document_outside_project", "/grapharc/policy/0"),
        ("no_graph_matches", "/grapharc/graphs/0"),
        ("document_outside_project", "/grapharc/graphs/1"),
        ("document_outside_project", "/grapharc/workspace"),
    ]


def test_in_a_folder_only_documents_of_ours_are_checked(grapharc, here: Path) -> None:
    write(here, a__good_toml=GOOD, a__other_json='{"compilerOptions": {}}', a__pyproject_toml="[project]\n")
    (here / "a" / "link.toml").symlink_to("/etc/hostname")
    assert [d["path"] for d in grapharc("check", "--json", "a").json["documents"]] == ["a/good.toml"]
    assert grapharc("check", "a/other.json").exit == 1


def test_a_folder_without_documents_is_nothing_to_check(grapharc, here: Path) -> None:
    write(here, a__other_json="{}")
    ran = grapharc("check", "a")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err == "error: there is nothing to check: no document of ours stands in 'a'\n"


def test_a_warning_or_an_approval_fails_where_that_is_asked_for(grapharc, here: Path) -> None:
    ask = '[[rule]]\nid = "a"\neffect = "ask"\nresource = "node"\nmatch = "*"\napprover_role = "sre"\nreason = "look"\n'
    write(here, graph_toml=GOOD, implied_toml=GOOD.replace(', "__end__"', ""), ask_toml=f'default = "allow"\n{ask}')
    assert grapharc("check", "implied.toml").exit == 0
    assert grapharc("check", "implied.toml", "--fail-on", "warning").exit == 1
    assert grapharc("check", "graph.toml", "--fail-on", "warning", "--fail-on", "approval").exit == 0
    told = grapharc("check", "graph.toml", "--policy", "ask.toml", "--json").json
    assert (told["exit"], told["graphs"][0]["verdict"]) == (0, "needs_approval")
    assert grapharc("check", "graph.toml", "--policy", "ask.toml", "--fail-on", "approval").exit == 1


def test_what_fails_a_check_fails_it_with_fix_too(grapharc, here: Path) -> None:
    ask = '[[rule]]\nid = "a"\neffect = "ask"\nresource = "node"\nmatch = "*"\napprover_role = "sre"\nreason = "look"\n'
    again = GOOD.replace(', "__end__"', "")
    write(here, graph_toml=GOOD, implied_toml=again, ask_toml=f'default = "allow"\n{ask}')
    approval = ("graph.toml", "--policy", "ask.toml", "--fail-on", "approval")
    for fix in ((), ("--fix",), ("--fix", "--diff"), ("--fix", "--json")):
        assert grapharc("check", *approval, *fix).exit == 1
    # A warning that may not be mended, since the edge that would be added is denied.
    deny = '[[rule]]\nid = "d"\neffect = "deny"\nresource = "edge"\nmatch = "* -> __end__"\n'
    write(here, deny_toml=f'default = "allow"\n{deny}')
    warned = ("implied.toml", "--policy", "deny.toml", "--fail-on", "warning")
    assert [grapharc("check", *warned, *fix).exit for fix in ((), ("--fix",))] == [1, 1]
    assert grapharc("check", "implied.toml", "--fail-on", "warning", "--fix").exit == 0
    assert grapharc("check", "implied.toml", "--fail-on", "warning").exit == 0


def test_no_line_of_a_file_that_is_none_of_ours_is_printed(grapharc, here: Path) -> None:
    write(here, other_toml='secret = "hunter2"\n[broken\n', graph_toml=GOOD)
    write(here, registry_toml='[[use]]\nfrom = "other.toml"\nkind = "a"\n')
    graph = "graph.toml"
    for arguments in (["other.toml"], ["--registry", "registry.toml", graph], ["--policy", "other.toml", graph]):
        ran = grapharc("check", *arguments)
        assert ran.exit == 1
        assert "hunter2" not in ran.out + ran.err
        assert "hunter2" not in grapharc("check", "--json", *arguments).out


def test_the_order_and_the_split_of_files_change_nothing(grapharc, here: Path) -> None:
    write(here, a_toml=BAD, b_json='{"nodes": [{"name": "a", "kind": "x"}], "edges": []}', c_toml=GOOD)
    together = grapharc("check", "a.toml", "b.json", "c.toml").out
    assert together == grapharc("check", "c.toml", "b.json", "a.toml", "a.toml").out
    findings = grapharc("check", "--json", "a.toml", "b.json", "c.toml").json["findings"]
    apart = [f for name in ("a.toml", "b.json", "c.toml") for f in grapharc("check", "--json", name).json["findings"]]
    assert findings == apart


def test_a_document_elsewhere_is_shown_from_here(grapharc, here: Path) -> None:
    write(here.parent / "there", bad_toml=BAD)
    assert " --> ../there/bad.toml:4:8\n" in grapharc("check", "../there/bad.toml").out


def test_a_project_sets_the_severity_of_lint_and_of_nothing_else(grapharc, here: Path) -> None:
    unused = GOOD + '[state]\nleft = { type = "string", default = "" }\n'
    write(here, graph_toml=unused, grapharc_toml="[grapharc]\n")
    plain = grapharc("check", "--json", "graph.toml").json
    code = plain["findings"][0]["code"]
    assert plain["findings"][0]["class"] == "lint"
    write(here, grapharc_toml=f'[grapharc]\n[severity]\n{code} = "error"\n')
    assert grapharc("check", "graph.toml").exit == 1
    write(here, grapharc_toml=f'[grapharc]\n[severity]\n{code} = "off"\n')
    assert code not in grapharc("check", "graph.toml").out


def test_a_flag_can_only_narrow(grapharc, here: Path) -> None:
    write(
        here,
        grapharc_toml='[grapharc]\npolicy = ["open.toml"]\n[budget]\nmax_tokens = 10\n',
        open_toml='default = "allow"\n',
        closed_toml='default = "allow"\n[[rule]]\nid = "no"\neffect = "deny"\nresource = "node"\nmatch = "control.*"\n',
        graph_toml=GOOD,
    )
    assert grapharc("check", "graph.toml").exit == 0
    assert "node_denied" in grapharc("check", "--policy", "closed.toml", "graph.toml").out
    told = grapharc("check", "--json", "--max-tokens", "99", "graph.toml").json
    assert told["settings"]["ceilings"]["max_tokens"] == {"value": 10, "layer": "grapharc.toml"}


@pytest.mark.parametrize("command", [["check"], ["run", "--check-only"]])
@pytest.mark.parametrize(
    "taken", ["graph.toml", "link.json", "inner/../graph.toml", "grapharc.toml", "kinds.toml", "policy.toml", "b.json"]
)
def test_no_report_takes_the_place_of_what_was_read(grapharc, here: Path, command: list[str], taken: str) -> None:
    write(here, graph_toml=GOOD, grapharc_toml='[grapharc]\nregistry = "kinds.toml"\npolicy = ["policy.toml"]\n')
    write(here, kinds_toml='[[use]]\nkind = "control.*"\n', policy_toml='name = "house"\ndefault = "allow"\n')
    write(here, b_json='{"baseline": "1", "findings": []}\n', inner__x="")
    (here / "link.json").symlink_to("graph.toml")
    before = {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()}
    outputs = ("--output", "sarif=new.sarif", "--output", f"json={taken}")
    ran = grapharc(*command, "graph.toml", "--baseline", "b.json", *outputs)
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith(f"error: --output: '{taken}' is a document of this check, and none is written over")
    assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


def test_a_report_may_take_the_place_of_the_last_one_in_a_folder_that_is_checked(grapharc, here: Path) -> None:
    write(here, graph_toml=GOOD)
    for _ in range(2):
        assert grapharc("check", ".", "--no-cache", "--output", "json=report.json").exit == 0
    assert (here / "report.json").read_text().startswith("{")
