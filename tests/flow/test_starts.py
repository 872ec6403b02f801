"""What a node costs each time it starts: its attempts, the waits between them, its items and its timeout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.finding import Place
from grapharc.spec.flow.amounts import MOST, Amounts
from grapharc.spec.flow.facts import facts
from grapharc.spec.flow.starts import pause
from grapharc.spec.json_value import MAX_INTEGER
from grapharc.spec.linked import RETRY_ON, Retry
from tests.linking.project import linked

MANIFEST = """
[[kind]]
name = "ask"
version = "1"
summary = "Ask a model."
entry = "kinds.py:ask"
capabilities = ["model"]
idempotent = true
[kind.reads]
line = "string"
[kind.writes]
answer = "string"
[kind.args]
type = "object"
additionalProperties = false
required = ["role"]
properties.role = { type = "string", format = "role" }
properties.max_tokens = { type = "integer", default = 100 }
[kind.cost]
tokens = "args.max_tokens"
seconds = SECONDS
"""
REGISTRY = """
[[use]]
from = "kinds.toml"
kind = "ask"
[models]
cheap = { spec = "openai/small", price = { input = 1.0, output = 2.0 } }
"""
GRAPH = """
[state]
line = { type = "string", input = true }
lines = { type = "list[string]", default = [] }
answer = { type = "string", default = "" }
answers = { type = "list[string]", default = [] }
[[nodes]]
name = "ask"
args = { role = "cheap" }
MORE
[[edges]]
chain = ["__start__", "ask", "__end__"]
"""


def cost(more: str, seconds: str = "10", max_concurrency: int | None = None) -> Amounts:
    texts = {
        "graph.toml": GRAPH.replace("MORE", more),
        "registry.toml": REGISTRY,
        "kinds.toml": MANIFEST.replace("SECONDS", seconds),
    }
    graph = linked(texts)
    assert graph.findings == ()
    return facts(graph, max_concurrency).starts["ask"]


MAP = 'writes = { answer = "answers" }\nreads = { line = "item" }\nmap = { over = "lines", as = "item", max_items = 7 }'


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", Amounts(100, 0.0002, 10, 1)),
        ("retry = { max_attempts = 3 }", Amounts(300, 0.0006, 30, 3)),
        ("retry = { max_attempts = 3, backoff_seconds = 4 }", Amounts(300, 0.0006, 42, 3)),
        ("retry = { max_attempts = 4, backoff_seconds = 4, max_backoff_seconds = 5 }", Amounts(400, 0.0008, 54, 4)),
        ("timeout_seconds = 4", Amounts(100, 0.0002, 4, 1)),
        ("timeout_seconds = 40", Amounts(100, 0.0002, 10, 1)),
        ("timeout_seconds = 4\nretry = { max_attempts = 2 }", Amounts(200, 0.0004, 8, 2)),
        (MAP, Amounts(700, 0.0014, 10, 7)),
        (MAP.replace("= 7 }", "= 7, concurrency = 2 }"), Amounts(700, 0.0014, 40, 7)),
        (MAP + "\nretry = { max_attempts = 2, backoff_seconds = 1 }", Amounts(1400, 0.0028, 21, 14)),
    ],
)
def test_attempts_and_items_multiply_and_a_timeout_ends_each(more: str, expected: Amounts) -> None:
    found = cost(more)
    assert found == pytest.approx(expected)


def test_no_more_runs_side_by_side_than_the_run_allows() -> None:
    assert cost(MAP, max_concurrency=3).seconds == 30
    assert cost(MAP.replace("= 7 }", "= 7, concurrency = 2 }"), max_concurrency=3).seconds == 40


def test_a_cost_may_speak_of_the_timeout_and_is_unknown_without_one() -> None:
    assert cost("timeout_seconds = 6", '"timeout_seconds * 2.0"').seconds == 6
    assert cost("", '"timeout_seconds * 2.0"').seconds is None


def test_a_timeout_is_no_estimate_of_a_kind_that_says_nothing() -> None:
    text = GRAPH.replace("MORE", "timeout_seconds = 6")
    silent = MANIFEST.replace("seconds = SECONDS", "")
    graph = linked({"graph.toml": text, "registry.toml": REGISTRY, "kinds.toml": silent})
    assert facts(graph).starts["ask"].seconds is None


def test_no_amount_grows_beyond_what_can_be_written_down() -> None:
    huge = f"retry = {{ max_attempts = {MAX_INTEGER}, backoff_seconds = {MAX_INTEGER}.0 }}"
    found = cost(MAP.replace("max_items = 7", f"max_items = {MAX_INTEGER}") + "\n" + huge)
    assert found == (MOST, MOST, MOST, MOST)


@given(st.integers(1, 60), st.floats(0, 1e6), st.none() | st.floats(0, 1e7))
def test_the_waits_are_those_of_every_attempt(attempts: int, first: float, most: float | None) -> None:
    waits = [min(first * 2**attempt, most if most is not None else MOST) for attempt in range(attempts - 1)]
    found = pause(Retry(attempts, first, most, RETRY_ON, Place("g")))
    assert found == pytest.approx(min(sum(waits), MOST))
