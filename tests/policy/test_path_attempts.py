"""No spelling of a path, no root and no link gets past a rule that looks at it, before a run or during it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import grapharc
from grapharc.policy.owner.at_run import deciding, held
from grapharc.policy.owner.policy import strictest
from grapharc.spec.json_value import Json
from tests.pipeline import admit_file
from tests.policy.judging import codes

RULE = """default = "allow"
[[rule]]
id = "reports"
effect = "deny"
resource = "node"
match = ["tool.write_file", "own.save"]
when = "!inputs.path.startsWith('reports/')"
"""
KINDS = """
[[kind]]
name = "own.save"
version = "1"
summary = "s"
entry = "own.py:save"
capabilities = ["write_files"]
tool = true
reads = { path = { type = "string", format = "workspace-path" }, text = "string" }
[kind.args]
type = "object"
additionalProperties = false
properties.into = { type = "string", format = "workspace-root" }
properties.more = { type = "array", items = { type = "string", format = "workspace-path" }, default = [] }
[[kind]]
name = "own.agent"
version = "1"
summary = "s"
entry = "own.py:agent"
capabilities = []
[kind.args]
type = "object"
additionalProperties = false
properties.tools = { type = "array", items = { type = "string", format = "kind" } }
"""
REGISTRY = '[[use]]\nkind = "tool.*"\n[[use]]\nfrom = "kinds.toml"\nkind = "own.*"\n'


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    def write(node: Json, *, registry: str = REGISTRY, policy: str = RULE, state: Json = None) -> Path:
        (tmp_path / "kinds.toml").write_text(KINDS, "utf-8")
        (tmp_path / "registry.toml").write_text(registry, "utf-8")
        (tmp_path / "policy.toml").write_text(policy, "utf-8")
        graph: Json = {"nodes": [node], "edges": [{"chain": ["__start__", "save", "__end__"]}], "state": state or {}}
        (tmp_path / "graph.json").write_text(json.dumps(graph), "utf-8")
        return tmp_path / "graph.json"

    return write


def saving(path: str, kind: str = "tool.write_file", args: Json = None) -> Json:
    return {"name": "save", "kind": kind, "args": args or {}, "reads": {"path": path, "text": "'x'"}, "writes": {}}


ADMITTED = [
    ("reports/a.md", {}),
    ("./reports//a.md", {}),
    ("a.md", {"root": "reports"}),
    ("b/a.md", {"root": "./reports/"}),
    ("reports/a.md", {"root": "."}),
]
DENIED = [
    ("handbook.md", {}),
    (".//reports.md", {}),
    ("reports/a.md", {"root": "private"}),
    ("reports/a.md", {"root": "./private//x"}),
    ("a.md", {"root": "private/reports"}),
]


@pytest.mark.parametrize(("path", "args"), [*ADMITTED, *DENIED])
@pytest.mark.parametrize("kind", ["tool.write_file", "own.save"])
def test_a_rule_sees_the_path_as_it_is_opened(put: Callable[..., Path], path: str, args: Json, kind: str) -> None:
    if kind == "own.save":
        args = {"into": root} if (root := args.get("root")) else {}  # type: ignore[union-attr]
    expected = ["node_denied"] if (path, args) in DENIED or (path, {"root": args.get("into")}) in DENIED else []  # type: ignore[union-attr]
    assert codes(admit_file(put(saving(f"'{path}'", kind, args)))) == expected
    at_run = admit_file(put(saving("where", kind, args), state={"where": {"type": "string", "input": True}}))
    assert codes(at_run) == []
    node = deciding(at_run.grounds, at_run.rulings)["save"]
    effects = {strictest(ruling.decisions).effect for ruling in node.judge({"path": path, "text": "x"})}
    assert ("deny" in effects) is bool(expected), "the run decides as the check does"


@pytest.mark.parametrize("path", ["reports/../a.md", "/reports/a.md", "reports\\a.md", "c:reports/a.md"])
def test_a_path_that_cannot_be_looked_at_is_denied_in_the_run(put: Callable[..., Path], path: str) -> None:
    judged = admit_file(put(saving("where"), state={"where": {"type": "string", "input": True}}))
    node = deciding(judged.grounds, judged.rulings)["save"]
    assert {strictest(each.decisions).effect for each in node.judge({"path": path, "text": "x"})} == {"deny"}


def test_what_an_agent_gives_is_looked_at_from_its_root_on(put: Callable[..., Path]) -> None:
    policy = RULE + RULE.partition("\n")[2].replace('"node"', '"tool"').replace('"reports"', '"held"')
    node: Json = {"name": "save", "kind": "own.agent", "args": {"tools": ["own.save"]}}
    judged = admit_file(put(node, policy=policy))
    tool = held(judged.grounds)["save"]["own.save"]
    for given, expected in [
        ({"path": "reports/a.md"}, "allow"),
        ({"path": "reports/a.md", "into": "private"}, "deny"),
        ({"path": "a.md", "into": "./reports"}, "allow"),
        ({"path": "reports/a.md", "into": "../x"}, "deny"),
    ]:
        arguments = tool.complete({"text": "x", **given})
        assert {strictest(each.decisions).effect for each in tool.judge(arguments)} == {expected}
    called = tool.complete({"text": "x", "path": "./a.md", "into": "reports/.", "more": ["./b//c", "d"]})
    assert called == {"text": "x", "path": "a.md", "into": "reports", "more": ["b/c", "d"]}, "from its root on"


def test_a_root_that_the_owner_pins_is_part_of_the_path(put: Callable[..., Path]) -> None:
    pinned = '[[use]]\nkind = "tool.write_file"\nargs = { root = "private" }\n' + REGISTRY
    assert codes(admit_file(put(saving("'reports/a.md'"), registry=pinned))) == ["node_denied"]
    pinned = pinned.replace("private", "reports")
    assert codes(admit_file(put(saving("'a.md'"), registry=pinned))) == []


def test_paths_within_arguments_are_seen_as_they_are_opened(put: Callable[..., Path]) -> None:
    policy = RULE.replace("!inputs.path.startsWith('reports/')", "args.more.exists(p, p.startsWith('private/'))")
    policy = policy.replace('["tool.write_file", "own.save"]', '"own.save"')
    for more, into, expected in [
        (["./private/a"], None, ["node_denied"]),
        (["a"], "private", ["node_denied"]),
        (["private/a"], "reports", []),
    ]:
        args: Json = {"more": list[Json](more), **({"into": into} if into else {})}
        assert codes(admit_file(put(saving("'a.md'", "own.save", args), policy=policy))) == expected


def test_a_link_leads_no_write_past_a_rule(put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    graph = put(saving("'reports/a.md'"))
    monkeypatch.chdir(graph.parent)
    flags = grapharc.Flags(registry="registry.toml", policies=("policy.toml",))
    (graph.parent / "private").mkdir()
    (graph.parent / "reports").symlink_to("private")
    with pytest.raises(grapharc.RunError, match="symbolic link"):
        grapharc.run("graph.json", flags=flags)
    assert list((graph.parent / "private").iterdir()) == []
    (graph.parent / "reports").unlink()
    grapharc.run("graph.json", flags=flags)
    assert (graph.parent / "reports" / "a.md").read_text("utf-8") == "x"
