"""What linked graphs may cost at worst, by their manifests, roles and types, and what is not said of broken ones."""

from __future__ import annotations

from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.flow.arcs import Arrow, Rounds
from grapharc.spec.flow.build import build
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.cost import by_node
from grapharc.spec.flow.facts import facts
from grapharc.spec.flow.starts import Repeats, repeated
from tests.linking.project import linked

MANIFEST = """
[[kind]]
name = "ask"
version = "1"
summary = "Ask a model about each line."
entry = "kinds.py:ask"
capabilities = ["model"]
[kind.reads]
lines = "list[string]"
[kind.writes]
answer = "string"
[kind.args]
type = "object"
additionalProperties = false
required = ["role"]
properties.role = { type = "string", format = "role" }
properties.max_tokens = { type = "integer", default = 100 }
[kind.cost]
tokens = "args.max_tokens * size(lines)"
seconds = 2

[[kind]]
name = "note"
version = "1"
summary = "Take a note."
entry = "kinds.py:note"
capabilities = []
[kind.reads]
answer = "string"
[kind.cost]
usd = 0.5
"""

REGISTRY = """
[[use]]
from = "kinds.toml"
kind = "ask"
[[use]]
from = "kinds.toml"
kind = "note"
[models]
cheap = { spec = "openai/small", price = { input = 1.0, output = 2.0 } }
free = "openai/unknown"
"""

GRAPH = """
[state]
lines = { type = "list[string]", input = true, maxItems = 30 }
answer = "string"

[[nodes]]
name = "ask"
args = { role = "ROLE" }

[[nodes]]
name = "note"

[[edges]]
chain = ["__start__", "ask", "note", "__end__"]
"""


def texts(graph: str) -> dict[str, str]:
    return {"graph.toml": graph, "registry.toml": REGISTRY, "kinds.toml": MANIFEST}


def test_tokens_come_from_the_argument_and_the_limit_of_the_bound_field() -> None:
    graph = linked(texts(GRAPH.replace("ROLE", "cheap")))
    assert graph.findings == ()
    flow = facts(graph)
    assert flow.worst_by_node["ask"] == Amounts(3000, 0.006, 2, 1)
    assert flow.worst_by_node["note"] == Amounts(0, 0.5, None, 1)
    assert flow.worst.known == {"tokens": 3000, "usd": 0.506, "seconds": 2, "iterations": 2}
    assert flow.worst.unknown == {"seconds": ("note",)}


def test_a_role_without_a_price_leaves_usd_unknown() -> None:
    flow = facts(linked(texts(GRAPH.replace("ROLE", "free"))))
    assert flow.worst_by_node["ask"] == Amounts(3000, None, 2, 1)
    assert flow.worst.unknown == {"usd": ("ask",), "seconds": ("note",)}


def test_a_list_without_a_limit_leaves_tokens_unknown() -> None:
    flow = facts(linked(texts(GRAPH.replace("ROLE", "cheap").replace(", maxItems = 30", ""))))
    assert flow.worst.unknown["tokens"] == ("ask",)
    assert flow.worst.unknown["usd"] == ("ask",)


def test_steps_and_order_of_a_chain() -> None:
    flow = facts(linked(texts(GRAPH.replace("ROLE", "cheap"))))
    assert (flow.steps, flow.order, flow.problems) == (2, ("ask", "note"), ())


def test_what_follows_from_an_edge_to_nowhere_is_not_told() -> None:
    graph = linked(texts(GRAPH.replace("ROLE", "cheap").replace('"ask", "note"', '"ask", "noet"')))
    assert graph.missing_edges
    assert facts(graph).problems == ()


def test_a_node_of_an_unknown_kind_may_write_what_is_read_after_it() -> None:
    graph = linked(texts(GRAPH.replace("ROLE", "cheap").replace('name = "ask"', 'name = "ask"\nkind = "aks"')))
    assert graph.unlinked == frozenset({"ask"})
    assert facts(graph).problems == ()


def test_attempts_items_and_waits_multiply() -> None:
    one = Amounts(10, 0.5, 2, 1)
    assert repeated(one, Repeats(attempts=3, items=5, lanes=2, pause=1.5)) == Amounts(150, 7.5, 22.5, 15)
    assert repeated(Amounts(None, None, None, None), Repeats(attempts=2)) == Amounts(None, None, None, None)


def test_rounds_multiply_what_a_node_costs() -> None:
    arrows = [
        Arrow("__start__", "a"),
        Arrow("a", "b"),
        Arrow("b", "b", "arm", Rounds(4)),
        Arrow("b", "a", "error", Rounds(3)),
        Arrow("b", "__end__", "arm"),
    ]
    control = Control(build(["a", "b"], arrows))
    assert list(control.problems()) == []
    assert by_node(control, {"a": Amounts(1, 0, 1, 1), "b": Amounts(1, 0, 1, 1)}) == {
        "a": Amounts(3, 0, 3, 3),
        "b": Amounts(12, 0, 12, 12),
    }
