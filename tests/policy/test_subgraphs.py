"""An owner's rules see through subgraphs: what is denied cannot be hidden in one, nor led through one."""

from __future__ import annotations

from datetime import date

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.record import record
from grapharc.spec.canonical import canonical
from grapharc.spec.flattened import flat_edges
from grapharc.spec.read import read_policy
from tests.linking.project import linked
from tests.linking.test_subgraphs import KINDS

MANIFEST = KINDS + "".join(
    f"""
[[kind]]
name = "{name}"
version = "1"
summary = "A kind."
entry = "shelf.py:{name}"
capabilities = [{capability}]
idempotent = true
cost = {{ {cost} }}
"""
    for name, capability, cost in (
        ("shell", '"run_command"', "usd = 1.0"),
        ("a", "", "usd = 2.0, seconds = 3.0"),
        ("b", "", "usd = 5.0, seconds = 3.0"),
        ("deploy", "", ""),
    )
)
ALLOW = 'name = "open"\ndefault = "allow"\n'


def graph(*chains: str, more: str = "", **nodes: str) -> str:
    """A graph of chains; a node is a kind, or a subgraph by its file."""
    rows = [
        f'[[nodes]]\nname = "{name}"\nkind = "graph"\nargs = {{ path = "{kind}" }}\n'
        if kind.endswith(".toml")
        else f'[[nodes]]\nname = "{name}"\nkind = "{kind}"\n'
        for name, kind in nodes.items()
    ]
    lines = [f"[[edges]]\nchain = {[*chain.split()]}\n".replace("'", '"') for chain in chains]
    return "".join((*rows, *lines, more)).replace("START", "__start__").replace("END", "__end__")


def judged(outer: str, policy: str = "", **inner: str) -> Admission:
    texts = {"shipped/kinds.toml": MANIFEST, "graph.toml": outer}
    texts |= {f"{name}.toml": text for name, text in inner.items()}
    policies = [open_policy(read_policy((ALLOW + policy).encode(), "policy.toml")[0])]
    return admit(linked(texts), policies, today=date(2027, 1, 1))


def denying(resource: str, match: str, effect: str = "deny") -> str:
    return f'[[rule]]\nid = "r"\neffect = "{effect}"\nresource = "{resource}"\nmatch = "{match}"\n'


def found(admission: Admission) -> list[tuple[str, str, str]]:
    return [(f.code, f.place.document, f.subject) for f in admission.findings]


def pairs(outer: str, **inner: str) -> set[tuple[str, str]]:
    return {(flat.edge.source, flat.edge.target) for flat in flat_edges(judged(outer, **inner).graph)}


SHELL = graph("START run END", run="shell")
OUTER = graph("START sub ship END", sub="inner.toml", ship="deploy")


@pytest.mark.parametrize("match", ["shell", "capability:run_command"])
def test_a_denied_kind_cannot_hide_in_a_subgraph(match: str) -> None:
    admission = judged(OUTER, denying("node", match), inner=SHELL)
    assert admission.verdict == "refused"
    assert found(admission) == [("node_denied", "inner.toml", "sub/run")]
    (finding,) = admission.findings
    assert [note.note for note in finding.related] == ["rule_here", "nested_here"]


def test_nesting_itself_is_a_node_that_an_owner_may_deny() -> None:
    assert found(judged(OUTER, denying("node", "graph"), inner=SHELL)) == [("node_denied", "graph.toml", "sub")]


def test_a_graph_is_never_the_end_of_an_edge() -> None:
    policy = denying("edge", "graph -> *") + denying("edge", "* -> graph").replace('"r"', '"s"')
    assert judged(OUTER, policy, inner=SHELL).verdict == "admitted"


@pytest.mark.parametrize("match", ["shell -> deploy", "__start__ -> shell"])
def test_an_edge_out_of_or_into_a_subgraph_is_one_of_the_nodes_inside(match: str) -> None:
    admission = judged(OUTER, denying("edge", match), inner=SHELL)
    assert [code for code, _, _ in found(admission)] == ["edge_denied"]
    assert admission.verdict == "refused"


def test_two_deep_the_first_and_the_last_nodes_meet() -> None:
    middle = graph("START in END", **{"in": "inner.toml"})
    assert pairs(OUTER, middle=middle, inner=SHELL) == {
        ("__start__", "sub/run"),
        ("sub/run", "ship"),
        ("ship", "__end__"),
    }
    deep = graph("START sub ship END", sub="middle.toml", ship="deploy")
    assert pairs(deep, middle=middle, inner=SHELL) == {
        ("__start__", "sub/in/run"),
        ("sub/in/run", "ship"),
        ("ship", "__end__"),
    }


def test_edges_between_subgraphs_join_last_to_first() -> None:
    inner = graph("START x y END", "START z", x="a", y="b", z="a")
    outer = graph("START one two END", one="inner.toml", two="inner.toml")
    last, first = ("one/y", "one/z"), ("two/x", "two/z")
    assert {(source, target) for source in last for target in first} <= pairs(outer, inner=inner)
    assert ("one/x", "two/x") not in pairs(outer, inner=inner)


def test_an_error_edge_leaves_every_node_inside() -> None:
    error = '[[edges]]\nsource = "sub"\ntarget = "ship"\non = "error"\n'
    outer = graph("START sub END", "ship END", more=error, sub="inner.toml", ship="deploy")
    inner = graph("START x y END", x="shell", y="a")
    admission = judged(outer, denying("edge", "shell -> deploy"), inner=inner)
    assert found(admission) == [("edge_denied", "graph.toml", "sub/x -> ship")]


def test_what_can_be_passed_leads_on_to_what_comes_after() -> None:
    arms = '[[edges]]\nsource = "__start__"\ntarget = "x"\nwhen = "n > 0"\n'
    arms += '[[edges]]\nsource = "__start__"\ntarget = "__end__"\notherwise = true\n'
    inner = '[state]\nn = { type = "integer", input = true, default = 0 }\n' + graph("x END", more=arms, x="a")
    outer = graph("START run sub again ship END", run="shell", sub="inner.toml", again="inner.toml", ship="deploy")
    admission = judged(outer, denying("edge", "shell -> deploy"), inner=inner)
    assert found(admission) == [("edge_denied", "graph.toml", "run -> ship")]


def test_a_loop_round_a_subgraph_leads_from_its_last_to_its_first_node() -> None:
    back = '[[edges]]\nsource = "sub"\ntarget = "sub"\notherwise = true\nloop = { max_rounds = 3 }\n'
    back += '[[edges]]\nsource = "sub"\ntarget = "__end__"\nwhen = "n > 0"\n'
    inner = graph("START x y END", x="a", y="b")
    outer = '[state]\nn = { type = "integer", default = 0 }\n' + graph("START sub", more=back, sub="inner.toml")
    assert ("sub/y", "sub/x") in pairs(outer, inner=inner)


def test_what_needs_approval_inside_is_asked_before_the_node_inside() -> None:
    admission = judged(OUTER, denying("node", "shell", "ask"), inner=SHELL)
    assert admission.verdict == "needs_approval"
    assert [approval.before for approval in admission.approvals] == ["sub/run"]


def test_capabilities_and_decisions_are_those_of_all_nodes() -> None:
    admission = judged(OUTER, inner=SHELL)
    assert admission.capabilities == ("run_command",)
    said = canonical(record(admission))
    assert '"nodes":["sub/run"]' in said
    assert '"edges":["sub/run -> ship"]' in said


def test_size_and_depth_are_those_of_the_flattened_graph() -> None:
    policy = "[limits]\nmax_nodes = 2\nmax_depth = 1\n"
    assert [code for code, _, _ in found(judged(OUTER, policy, inner=SHELL))] == ["too_deep", "too_many_nodes"]


def test_the_worst_case_inside_counts_for_each_entry() -> None:
    inner = graph("START x y END", x="a", y="b")
    looped = '[state]\nn = { type = "integer", default = 0 }\n' + graph(
        "START sub",
        more='[[edges]]\nsource = "sub"\ntarget = "__end__"\nwhen = "n > 0"\n'
        '[[edges]]\nsource = "sub"\ntarget = "sub"\notherwise = true\nloop = { max_rounds = 3 }\n',
        sub="inner.toml",
    ).replace('args = { path = "inner.toml" }', 'args = { path = "inner.toml" }\nretry = { max_attempts = 2 }')
    flow = judged(looped, inner=inner).flow
    assert (flow.worst.known["usd"], flow.worst.known["seconds"], flow.worst.known["iterations"]) == (42, 36, 18)
    assert flow.worst_within["sub/y"].usd == 30


def test_the_budget_of_a_subgraph_is_judged_where_it_stands() -> None:
    inner = "[budget]\nmax_usd = 6\n" + graph("START x y END", x="a", y="b")
    assert found(judged(OUTER, inner=inner)) == [("over_usd_budget", "inner.toml", "")]
    outer = "[budget]\nmax_usd = 6\n" + OUTER
    assert found(judged(outer, inner=graph("START x y END", x="a", y="b"))) == [("over_usd_budget", "graph.toml", "")]


def test_a_timeout_inside_is_held_to_the_budget_around() -> None:
    inner = graph("START x END", x="a").replace('kind = "a"', 'kind = "a"\ntimeout_seconds = 50')
    admission = judged("[budget]\nmax_seconds = 10\n" + OUTER, inner=inner)
    assert [finding.code for finding in admission.findings] == ["timeout_beyond_budget"]


def test_every_rule_looks_at_every_graph() -> None:
    inner = graph("START x END", "y END", x="a", y="b")
    assert found(judged(OUTER, inner=inner)) == [("unreachable_node", "inner.toml", "y")]


def test_a_retry_names_the_kind_inside_that_may_not_run_twice() -> None:
    inner = '[state]\nq = { type = "string", input = true, default = "" }\na = { type = "string", output = true }\n'
    inner += graph("START f END", f="fetch")
    outer = OUTER.replace(
        'args = { path = "inner.toml" }', 'args = { path = "inner.toml" }\nretry = { max_attempts = 2 }'
    )
    (finding,) = judged(outer, inner=inner).findings
    assert (finding.code, finding.values["kind"]) == ("retry_not_idempotent", "fetch")


def test_a_suppression_holds_in_the_file_where_it_stands() -> None:
    inner = graph("START x", x="a").replace(
        'kind = "a"', 'kind = "a"\nsuppress = [{ code = "implied_end", reason = "it is plain" }]'
    )
    assert judged(OUTER, inner=inner).verdict == "admitted"
    assert judged(OUTER, inner=inner).findings == ()


def test_the_digest_notices_what_changes_inside() -> None:
    one, other = judged(OUTER, inner=SHELL), judged(OUTER, inner=graph("START run END", run="a"))
    assert one.graph_digest != other.graph_digest
