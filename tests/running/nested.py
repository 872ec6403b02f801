"""A graph that runs another one, for tests that change one thing in either."""

from __future__ import annotations

from typing import Any

from tests.running.road import Road

OUTER = """
[state]
n = { type = "integer", default = 0, output = true }
lost = { type = "Failure | null", output = true }
LINES
[[nodes]]
name = "sub"
kind = "graph"
args = { path = "inner.toml" }
reads = { start = "n" }
writes = { end = "n" }
MORE
"""
PLAIN = '[[edges]]\nchain = ["__start__", "sub", "__end__"]\n'
CAUGHT = """
[[nodes]]
name = "mend"
[[edges]]
chain = ["__start__", "sub", "__end__"]
[[edges]]
source = "sub"
target = "mend"
on = "error"
into = "lost"
[[edges]]
chain = ["mend", "__end__"]
"""
INNER = """
[state]
start = { type = "integer", input = true }
count = { type = "integer", default = 0 }
end = { type = "integer", default = -1, output = true }
[[nodes]]
name = "bump"
kind = "bump"
reads = { n = "start", c = "count" }
writes = { out = "end", c = "count" }
[[edges]]
chain = ["__start__", "bump", "__end__"]
"""


def outer(edges: str = PLAIN, more: str = "", lines: str = "") -> str:
    return OUTER.replace("MORE", more).replace("LINES", lines) + edges


def bumping(road: Road, function: Any = None) -> None:
    """A kind that adds one to its input, and counts how often it ran in this entry."""

    def bump(n: int, c: int) -> dict[str, int]:
        road.note(f"{n}:{c}")
        return {"out": n + 1, "c": c + 1}

    road.kind("bump", function or bump, {"n": "integer", "c": "integer"}, {"out": "integer", "c": "integer"})
    road.files["inner.toml"] = INNER


TWO_DEEP = """
[state]
start = { type = "integer", input = true }
end = { type = "integer", output = true }
[[nodes]]
name = "deeper"
kind = "graph"
args = { path = "../inner.toml" }
[[edges]]
chain = ["__start__", "deeper", "__end__"]
"""


def two_deep(road: Road, function: Any = None) -> None:
    bumping(road, function)
    road.files["parts/middle.toml"] = TWO_DEEP


def in_the_middle(text: str) -> str:
    return text.replace("inner.toml", "parts/middle.toml")


def failing(**_: int) -> dict[str, int]:
    raise ValueError("no paper")
