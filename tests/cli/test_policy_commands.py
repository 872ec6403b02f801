"""``policy test``, ``policy why`` and ``policy init``: what people type, and what they read."""

from __future__ import annotations

from pathlib import Path

import pytest

POLICY = """
name = "house"
default = "allow"
tenants = ["default", "acme"]

[[rule]]
id = "reports-only"
effect = "deny"
resource = "node"
match = "tool.write_file"
when = "!inputs.path.startsWith('reports/')"
reason = "what is written goes to reports"

[[rule]]
id = "no-listing"
effect = "deny"
resource = "node"
match = "tool.list_dir"
tenant = "acme"

[[rule]]
id = "checked-first"
effect = "ask"
resource = "edge"
match = "* -> tool.write_file"
approver_role = "editor"

[[rule]]
id = "no-dear-calls"
effect = "deny"
resource = "spend"
match = "role:writer"
over_usd = 0.5
"""

CASES = """
policy = ["policy.toml"]

[[case]]
name = "reports may be written"
request = { resource = "node", kind = "tool.write_file", inputs = { path = "./reports/a.md", text = "" } }
expect = "allow"
default = true

[[case]]
name = "nothing else may"
request = { resource = "node", kind = "tool.write_file", inputs = { path = "src/a.py", text = "" } }
expect = "deny"
rule = "reports-only"

[[case]]
name = "acme lists nothing"
request = { resource = "tool", kind = "tool.list_dir", tenant = "acme" }
expect = "deny"
rule = "no-listing"

[[case]]
name = "others do"
request = { resource = "tool", kind = "tool.list_dir" }
expect = "allow"

[[case]]
name = "an editor is asked before anything is written"
request = { resource = "edge", source = "model.call", target = "tool.write_file" }
expect = "ask"
rule = "checked-first"
role = "editor"

[[case]]
name = "other edges are free"
request = { resource = "edge", source = "__start__", target = "model.call" }
expect = "allow"

[[case]]
name = "a call may cost half a dollar in all"
request = { resource = "spend", kind = "model.call", role = "writer", usd = 0.1, spent = 0.4 }
expect = "allow"

[[case]]
name = "and not more"
request = { resource = "spend", kind = "model.call", role = "writer", usd = 0.1, spent = 0.45 }
expect = "deny"
rule = "no-dear-calls"

[[case]]
name = "a reviewer may cost what it costs"
request = { resource = "spend", kind = "model.call", role = "reviewer", usd = 2.0 }
expect = "allow"

[[case]]
name = "a graph that writes waits for its editor"
graph = "graph.toml"
expect = "needs_approval"
role = "editor"
findings = [{ code = "edge_needs_approval", rule = "checked-first" }]

[[case]]
name = "a graph written out"
graph = { nodes = [{ name = "control.pass" }], edges = [{ chain = ["__start__", "control.pass", "__end__"] }] }
expect = "admitted"
findings = []
"""

GRAPH = """
name = "report"

[state]
text = { type = "string", input = true }

[[nodes]]
name = "write"
kind = "tool.write_file"
reads = { path = "'reports/today.md'" }

[[edges]]
chain = ["__start__", "write", "__end__"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    for name, text in (("policy.toml", POLICY), ("tests.toml", CASES), ("graph.toml", GRAPH)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_cases_that_come_out_right_are_0_and_name_what_is_covered(grapharc) -> None:
    ran = grapharc("policy", "test")
    assert ran.exit == 0, ran.out
    assert ran.out.splitlines()[:2] == ["tests.toml", "  pass  reports may be written"]
    assert "11 cases: 11 passed" in ran.out
    assert "coverage: 4 of 4 rules decided in some case (100 %)" in ran.out
    assert grapharc("policy", "test", "--json").json["groups"][0]["coverage"]["percent"] == 100.0


def test_a_wrong_answer_is_1_and_says_who_gave_it(grapharc, here: Path) -> None:
    wrong = CASES.replace('expect = "deny"\nrule = "no-listing"', 'expect = "allow"')
    (here / "tests.toml").write_text(wrong.replace('role = "editor"\n\n', 'role = "author"\n\n'))
    ran = grapharc("policy", "test", "tests.toml")
    assert ran.exit == 1
    assert "  FAIL  acme lists nothing\n        tests.toml:17:8: tool: tool.list_dir, for tenant 'acme'\n" in ran.out
    assert "        expected allow, got deny by rule 'no-listing' of policy 'house'\n" in ran.out
    assert "        expected role 'author' to be asked, it is 'editor'\n" in ran.out
    assert "11 cases: 9 passed, 2 failed" in ran.out
    failed = [case for case in grapharc("policy", "test", "--json").json["groups"][0]["cases"] if not case["passed"]]
    assert [case["name"] for case in failed] == ["acme lists nothing", "an editor is asked before anything is written"]


def test_findings_of_a_graph_are_all_of_them(grapharc, here: Path) -> None:
    other = '"node_denied"'
    (here / "tests.toml").write_text(CASES.replace('{ code = "edge_needs_approval", rule = "checked-first" }', other))
    ran = grapharc("policy", "test")
    assert ran.exit == 1
    assert "expected finding node_denied, there is none" in ran.out
    assert "unexpected finding edge_needs_approval: the edge from '__start__' to 'tool.write_file' waits" in ran.out


def test_too_little_coverage_is_1_and_names_the_rules_and_tiers(grapharc, here: Path) -> None:
    first = CASES.partition('[[case]]\nname = "acme')[0]
    (here / "tests.toml").write_text(first)
    assert grapharc("policy", "test", "--min-coverage", "25").exit == 0
    ran = grapharc("policy", "test", "--min-coverage", "80")
    assert ran.exit == 1
    assert "coverage: 1 of 4 rules decided in some case (25 %), and 80 % are asked for" in ran.out
    assert "  never decides: rule 'no-listing' of policy 'house', policy.toml:15:6\n" in ran.out
    assert "  never decides: any rule that asks of policy 'house'\n" in ran.out


def test_mutants_that_no_case_notices_are_1_and_named(grapharc, here: Path) -> None:
    ran = grapharc("policy", "test", "--mutate")
    assert ran.exit == 1
    assert ran.out.endswith(
        "mutants: 24 of 25 were noticed\n"
        "  survives: rule 'no-listing', match: 'tool.list_dir' -> '*' (policy.toml:18:9)\n"
    )
    assert grapharc("policy", "test", "--mutate").out == ran.out
    told = grapharc("policy", "test", "--mutate", "--json").json["groups"][0]["mutants"]
    assert told["tried"] == 25
    assert [(each["rule"], each["place"]) for each in told["survive"]] == [("no-listing", "policy.toml:18:9")]
    more = '[[case]]\nname = "acme reads"\nexpect = "allow"\n'
    more += 'request = { resource = "tool", kind = "tool.read_file", tenant = "acme" }\n'
    (here / "tests.toml").write_text(f"{CASES}\n{more}")
    assert grapharc("policy", "test", "--mutate").exit == 0


def test_while_a_case_fails_no_mutant_is_tried_and_that_is_said(grapharc, here: Path) -> None:
    (here / "tests.toml").write_text(
        CASES.replace('expect = "deny"', 'expect = "allow"', 1).replace("rule = ", "# ", 1)
    )
    ran = grapharc("policy", "test", "--mutate")
    assert ran.exit == 1
    assert ran.out.endswith("mutants: not tried, since 1 case failed: mend that first\n")
    told = grapharc("policy", "test", "--mutate", "--json").json["groups"][0]["mutants"]
    assert told == {"tried": 0, "survive": [], "failing_cases": 1}
    assert "mutants" not in grapharc("policy", "test").out


@pytest.mark.parametrize("file", ["policy.json", "policy", "policy.yaml"])
def test_a_starting_policy_is_toml(grapharc, here: Path, file: str) -> None:
    ran = grapharc("policy", "init", file)
    assert ran.exit == 2
    assert f"'{file}' does not end in '.toml'" in ran.err
    assert not (here / file).exists()


def test_each_limit_is_broken_too(grapharc, here: Path) -> None:
    policy = here / "policy.toml"
    before = grapharc("policy", "test", "--mutate", "--json").json["groups"][0]["mutants"]["tried"]
    text = policy.read_text("utf-8")
    head, _, rules = text.partition("[[rule]]")
    policy.write_text(f"{head}[limits]\nmax_nodes = 9\nmax_usd = 0.5\n\n[[rule]]{rules}")
    told = grapharc("policy", "test", "--mutate", "--json").json["groups"][0]["mutants"]
    assert told["tried"] == before + 6
    assert [each["change"] for each in told["survive"] if each["rule"] is None] == [
        "limits: max_nodes: dropped",
        "limits: max_nodes: 9 -> 18",
        "limits: max_nodes: 9 -> 4",
        "limits: max_usd: dropped",
        "limits: max_usd: 0.5 -> 1",
        "limits: max_usd: 0.5 -> 0.25",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["policy.toml"], "'policy.toml' is a policy, and only policy tests can be run"),
        (["nowhere.toml"], "'nowhere.toml' is not there"),
        (["empty"], "there is nothing to test: no document with a [[case]] stands here"),
    ],
)
def test_what_cannot_be_tested_is_2(grapharc, here: Path, arguments: list[str], message: str) -> None:
    (here / "empty").mkdir()
    ran = grapharc("policy", "test", *arguments)
    assert ran.exit == 2
    assert ran.err.splitlines()[0] == f"error: {message}"


def test_faulty_cases_are_told_like_those_of_any_document(grapharc, here: Path) -> None:
    (here / "tests.toml").write_text(CASES.replace('kind = "tool.list_dir"', 'kind = "tool.lst_dir"', 1))
    (here / "registry.toml").write_text('[[use]]\nkind = "*"\n')
    ran = grapharc("policy", "test", "--registry", "registry.toml")
    assert ran.exit == 1
    assert "kind 'tool.lst_dir' is not in the registry, did you mean 'tool.list_dir'?" in ran.out
    assert "rule 'no-listing'" not in ran.out  # nothing is tried
    assert grapharc("check", "tests.toml", "--registry", "registry.toml").exit == 1


def test_a_finding_about_a_rule_is_accepted_at_the_rule_and_unused_only_where_it_was_looked_for(
    grapharc, here: Path
) -> None:
    accepted = 'suppress = [{ code = "ask_without_role", reason = "anybody may" }]'
    (here / "policy.toml").write_text(POLICY.replace('approver_role = "editor"', accepted))
    checked = grapharc("check", "policy.toml", "--fail-on", "note")
    assert (checked.exit, checked.out) == (0, "no findings in 1 document, 1 accepted\n")
    assert "suppression_unused" not in grapharc("check", "graph.toml", "--policy", "policy.toml").out
    (here / "policy.toml").write_text(POLICY.replace('role = "editor"', f'role = "editor"\n{accepted}'))
    assert "suppression_unused" in grapharc("check", "policy.toml").out


def test_why_says_who_decides_and_what_was_beaten(grapharc) -> None:
    ran = grapharc("policy", "why", "edge: model.call -> tool.write_file", "--policy", "policy.toml")
    assert ran.exit == 0
    assert ran.out.splitlines() == [
        "edge: model.call -> tool.write_file: ask",
        "policy 'house': ask, by rule 'checked-first' (ask, role 'editor'; policy.toml:22:6)",
        "  beats the default: allow",
        "what would flip it:",
        "  with the approval of a person in role 'editor': allow",
        "  without rule 'checked-first' of policy 'house': allow",
    ]


def test_why_looks_at_every_policy_and_at_other_tenants(grapharc, here: Path) -> None:
    (here / "strict.toml").write_text('name = "strict"\ndefault = "deny"\n')
    ran = grapharc("policy", "why", "tool: tool.list_dir", "--policy", "policy.toml")
    assert "policy 'house': allow, by default\n" in ran.out
    assert "  for tenant 'acme': deny\n" in ran.out
    both = grapharc("policy", "why", "tool: tool.list_dir", "--policy", "policy.toml", "--policy", "strict.toml").out
    assert both.startswith("tool: tool.list_dir: deny\n")
    assert "policy 'strict': deny, by default\n" in both
    assert 'with { effect = "allow", resource = "tool", match = "tool.list_dir" } in policy \'strict\': allow\n' in both


def test_why_names_what_only_a_run_knows(grapharc) -> None:
    ran = grapharc("policy", "why", "node: tool.write_file", "--policy", "policy.toml")
    condition = "`!inputs.path.startsWith('reports/')`"
    assert f"  only a run knows: rule 'reports-only' (deny; policy.toml:7:6) where {condition}\n" in ran.out
    assert f"  where {condition} holds, by rule 'reports-only': deny\n" in ran.out


def test_why_of_a_graph_names_the_nodes_and_edges_that_ask(grapharc) -> None:
    ran = grapharc(
        "policy", "why", "edge: __start__ -> tool.write_file", "--policy", "policy.toml", "--graph", "graph.toml"
    )
    assert ran.exit == 0
    assert ran.out.startswith("edge: __start__ -> tool.write_file: ask, in graph 'report' by '__start__ -> write'\n")
    none = grapharc("policy", "why", "node: model.call", "--policy", "policy.toml", "--graph", "graph.toml")
    assert (none.exit, none.out) == (1, "graph 'report' makes no request 'node: model.call'\n")


def test_why_of_what_is_no_graph_is_2_and_of_a_broken_one_its_findings(grapharc, here: Path) -> None:
    asks = ("policy", "why", "node: tool.write_file", "--policy", "policy.toml", "--graph")
    ran = grapharc(*asks, "policy.toml")
    assert (ran.exit, ran.err) == (2, "error: 'policy.toml' is a policy, and only a graph makes requests\n")
    broken = {
        "torn.toml": GRAPH + "[[edges",
        "binary.toml": "\x00",
        "linkless.toml": GRAPH.replace('kind = "tool.write_file"', 'kind = "tool.wriet_file"'),
        "huge.toml": GRAPH + "#" * 20_000_000,
    }
    for name, text in broken.items():
        (here / name).write_text(text)
        ran = grapharc(*asks, name)
        assert ran.exit == 1, (name, ran.err)
        assert f"{name}:" in ran.out, ran.out
        assert "makes no request" not in ran.out
        assert grapharc(*asks, name, "--json").json["findings"]


def test_why_as_json_has_the_same(grapharc) -> None:
    line = "spend: model.call as writer"
    told = grapharc("policy", "why", line, "--usd", "0.7", "--policy", "policy.toml", "--json").json
    assert (told["exit"], told["answer"], told["policies"][0]["rule"]["id"]) == (0, "deny", "no-dear-calls")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "nod: a",
            "'nod: a' is no request: it begins with one of edge, flow, node, path, spend, tool and a colon, "
            "did you mean 'node'?",
        ),
        ("edge: a", "'edge: a' is no request, 'edge: SOURCE -> TARGET' would be one"),
        (
            "a -> b",
            "'a -> b' is no request: it begins with one of edge, flow, node, path, spend, tool and a colon, "
            "as in 'edge: a -> b'",
        ),
        ("node: a -> b", "'node: a -> b' is no request, 'node: KIND' would be one"),
        ("spend: model.call", "a request to spend says how much: --usd AMOUNT"),
        ("edge: __end__ -> model.call", "nothing leads into '__start__', and nothing out of '__end__'"),
    ],
)
def test_what_is_no_request_is_2(grapharc, line: str, message: str) -> None:
    ran = grapharc("policy", "why", line, "--policy", "policy.toml")
    assert (ran.exit, ran.err.splitlines()[0]) == (2, f"error: {message}")


def test_a_kind_that_a_named_registry_lacks_is_2_and_without_one_a_name(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "tool.*"\n')
    ran = grapharc("policy", "why", "node: tool.raed_file", "--policy", "policy.toml", "--registry", "registry.toml")
    assert ran.exit == 2
    assert "kind 'tool.raed_file' is not in the registry, did you mean 'tool.read_file'?" in ran.err
    bare = grapharc("policy", "why", "node: deploy", "--policy", "policy.toml")
    assert "no registry is named, and 'deploy' is not shipped: it is judged by its name alone" in bare.out


@pytest.mark.parametrize("selected", ["*", "tool.*", "model.*", "verify.*", "control.*", "memory.*"])
def test_a_starting_policy_lints_clean_and_is_never_written_over(grapharc, here: Path, selected: str) -> None:
    (here / "registry.toml").write_text(f'[[use]]\nkind = "{selected}"\n')
    ran = grapharc("policy", "init", "new.toml", "--registry", "registry.toml")
    assert ran.exit == 0
    written = (here / "new.toml").read_text()
    assert written.startswith("# REVIEW THIS.")
    assert written.count("[[rule]]") == written.count("\nreason = ") > 0
    for registry in ([], ["--registry", "registry.toml"]):
        checked = grapharc("check", "new.toml", "--fail-on", "note", *registry)
        assert (checked.exit, checked.out.partition(" in ")[0]) == (0, "no findings")
    again = grapharc("policy", "init", "new.toml", "--registry", "registry.toml")
    assert again.exit == 2
    assert "'new.toml' is already there, and nothing is written over" in again.err
    assert (here / "new.toml").read_text() == written


def test_a_starting_policy_allows_what_only_reads_and_denies_the_rest(grapharc) -> None:
    assert grapharc("policy", "init", "new.toml").exit == 0
    for kind, answer in (("tool.read_file", "allow"), ("tool.write_file", "deny"), ("model.call", "deny")):
        why = grapharc("policy", "why", f"node: {kind}", "--policy", "new.toml", "--json").json
        assert why["answer"] == answer
        assert why["policies"][0]["rule"] is not None
