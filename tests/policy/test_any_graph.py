"""Laws over graphs that make little sense: judging never raises, and no order of what is written changes its record."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from grapharc.policy.record import record_bytes
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import severity
from tests.policy.judging import judged

NAMES = ["a", "b", "c", "d", "__start__", "__end__", "nobody"]
FIELDS = ["x", "y", "z", "nothing"]

nodes = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "c", "d"])},
    optional={
        "kind": st.sampled_from(["control.pass", "control.set", "control.fail", "tool.write_file", "no.kind", "a"]),
        "reads": st.fixed_dictionaries({"value": st.sampled_from([*FIELDS, "'text'", "x +", "size(y)"])}),
        "writes": st.dictionaries(st.sampled_from(["result", "value"]), st.sampled_from(FIELDS), max_size=1),
        "args": st.just({"message": "no {x}"}),
        "map": st.fixed_dictionaries(
            {"over": st.sampled_from(["y", "[x]", "x"]), "as": st.sampled_from(["item", "x"]), "max_items": st.just(3)},
            optional={"on_item_error": st.just("collect"), "failures": st.sampled_from(FIELDS)},
        ),
        "retry": st.just({"max_attempts": 2}),
        "timeout_seconds": st.just(5),
    },
)
loops = st.fixed_dictionaries(
    {"max_rounds": st.integers(0, 3)},
    optional={
        "exhausted": st.sampled_from(NAMES),
        "progress": st.lists(st.sampled_from(FIELDS), max_size=2),
        "patience": st.integers(1, 3),
    },
)
CONDITIONS = ["x == 'a'", "size(y) > 1", "z != null", "true", "x", "x >", "x == 'a' || size(y) > 0"]
ways = st.one_of(
    st.just({}),
    st.just({}),
    st.just({"otherwise": True}),
    st.fixed_dictionaries({"when": st.sampled_from(CONDITIONS)}),
    st.fixed_dictionaries({"on": st.just("error")}, optional={"into": st.sampled_from(FIELDS)}),
)
ends = st.fixed_dictionaries({"source": st.sampled_from(NAMES), "target": st.sampled_from(NAMES)})
edges = st.builds(
    lambda ends, way, loop: {**ends, **way, **loop},
    ends,
    ways,
    st.one_of(st.just({}), st.just({}), st.fixed_dictionaries({"loop": loops})),
)
fields = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "list[string]", "string | null", "strin", "Failure | null"])},
    optional={
        "input": st.booleans(),
        "output": st.booleans(),
        "default": st.sampled_from(["", [], None]),
        "reducer": st.sampled_from(["last", "append", "sum"]),
    },
)


def graphs_of(edges: st.SearchStrategy[dict[str, Json]]) -> st.SearchStrategy[dict[str, Json]]:
    return st.fixed_dictionaries(
        {"nodes": st.lists(nodes, max_size=5), "edges": st.lists(edges, max_size=9)},
        optional={
            "state": st.dictionaries(st.sampled_from(["x", "y", "z"]), fields, max_size=3),
            "budget": st.just({"max_iterations": 2}),
        },
    )


POLICY = """
[[rule]]
id = "only-control"
effect = "allow"
resource = "node"
match = "control.*"
[[rule]]
id = "ends-are-looked-at"
effect = "ask"
resource = "edge"
match = "* -> __end__"
[[rule]]
id = "edges"
effect = "allow"
resource = "edge"
match = "control.* -> *"
"""


@given(graphs_of(edges))
def test_judging_never_raises_and_refuses_whatever_has_an_error(graph: Json) -> None:
    admission = judged(json.dumps(graph), POLICY, path="graph.json")
    record_bytes(admission)
    errors = [finding for finding in admission.findings if severity(finding) == "error"]
    assert (admission.verdict == "refused") == bool(errors)


@given(graphs_of(ends), st.randoms(use_true_random=False))
def test_no_order_of_nodes_edges_or_fields_changes_what_is_said(graph: dict[str, Json], random: Random) -> None:
    names = [node["name"] for node in graph["nodes"]]  # type: ignore[index, union-attr]
    if len(set(names)) < len(names):
        return  # the first of two nodes of one name is the one that counts
    mixed = dict(random.sample(sorted(graph.items()), len(graph)))
    for key in ("nodes", "edges"):
        mixed[key] = random.sample(mixed[key], len(mixed[key]))  # type: ignore[arg-type]
    if "state" in mixed:
        fields = sorted(mixed["state"].items())  # type: ignore[union-attr]
        mixed["state"] = dict(random.sample(fields, len(fields)))
    said = [record_bytes(judged(json.dumps(one), path="graph.json")) for one in (graph, mixed)]
    assert said[0] == said[1]
