"""What a graph may cost at worst: by its manifest, its roles' prices and the limits of its types."""

from __future__ import annotations

from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.flow.facts import facts
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
