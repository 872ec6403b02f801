"""A conditional edge, a map's item, a loop's round and a subgraph's call beside the same by hand on LangGraph."""

from __future__ import annotations

import gc
import json
import operator
from collections.abc import Callable, Mapping
from datetime import date
from time import process_time
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from grapharc.compiler.compile import compile_graph
from grapharc.compiler.compiled import CompiledGraph
from grapharc.policy.admit import admit
from grapharc.project.files import DiskLoader
from grapharc.spec.json_value import Json
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph
from grapharc.spec.registry.open_registry import open_registry

TIMES, ROUNDS = 50, 15
BAR = "1.2 x"


class State(TypedDict, total=False):
    """What the graphs by hand keep."""

    n: int
    rounds: int
    before: int
    still: int
    items: list[int]
    found: Annotated[list[tuple[int, int]], operator.add]
    results: list[int]


class WithGraphs(DiskLoader):
    """A loader that has some graphs in memory."""

    def __init__(self, graphs: Mapping[str, Json]) -> None:
        super().__init__(".")
        self._graphs = graphs

    def load(self, path: str) -> bytes:
        """Return a graph's text, or that of a file."""
        return json.dumps(self._graphs[path]).encode() if path in self._graphs else super().load(path)


def compiled(graph: Mapping[str, Json], **graphs: Json) -> CompiledGraph:
    """Compile a graph that is admitted; ``graphs`` are those that it holds."""
    loader, memo = WithGraphs({f"{name}.json": inner for name, inner in graphs.items()}), Memo()
    document, _ = read_graph(json.dumps(graph).encode(), "graph.json")
    found, _ = link(document, open_registry(None, loader, memo)[0], loader, memo)
    return compile_graph(admit(found, today=date(2027, 1, 1)))


def adding(name: str) -> Json:
    """A node that adds one to ``n``."""
    return {"name": name, "kind": "control.set", "reads": {"value": "n + 1"}, "writes": {"result": "n"}}


def add(state: State) -> State:
    """The same by hand."""
    return {"n": state["n"] + 1}


COUNTER: Json = {"n": {"type": "integer", "default": 0, "input": True, "output": True}}


def branches() -> tuple[Callable[[], object], Callable[[], object]]:
    """A chain in which each node has two ways on."""
    names = [f"n{number}" for number in range(TIMES)]
    edges: list[Json] = [{"source": "__start__", "target": names[0]}]
    for source, target in zip(names, [*names[1:], "last"], strict=True):
        edges.append({"source": source, "target": target, "when": "n >= 0 && n < 1000"})
        edges.append({"source": source, "target": "__end__", "otherwise": True})
    edges.append({"source": "last", "target": "__end__"})
    ours = compiled({"state": COUNTER, "nodes": [adding(name) for name in (*names, "last")], "edges": edges})
    builder: Any = StateGraph(State)
    for name in (*names, "last"):
        builder.add_node(name, add)
    builder.add_edge(START, names[0])
    for source, target in zip(names, [*names[1:], "last"], strict=True):
        path: Any = lambda state, target=target: target if 0 <= state["n"] < 1000 else END  # noqa: E731
        builder.add_conditional_edges(source, path, [target, END])
    theirs = builder.compile()
    return lambda: ours.invoke({"n": 0}), lambda: theirs.invoke({"n": 0}, {"recursion_limit": 1000})


def items() -> tuple[Callable[[], object], Callable[[], object]]:
    """A node that runs once for each item of a list."""
    ours = compiled(
        {
            "state": {
                "items": {"type": "list[integer]", "input": True},
                "results": {"type": "list[integer]", "output": True},
            },
            "nodes": [
                {
                    "name": "each",
                    "kind": "control.set",
                    "reads": {"value": "item + 1"},
                    "writes": {"result": "results"},
                    "map": {"over": "items", "as": "item", "max_items": 1000},
                }
            ],
            "edges": [{"chain": ["__start__", "each", "__end__"]}],
        }
    )
    builder: Any = StateGraph(State)
    builder.add_node("each", lambda task: {"found": [(task["index"], task["item"] + 1)]})
    builder.add_node("collect", lambda state: {"results": [value for _, value in sorted(state["found"])]})

    def send(state: State) -> list[Send]:
        return [Send("each", {"index": index, "item": item}) for index, item in enumerate(state["items"])]

    builder.add_conditional_edges(START, send, ["each"])
    builder.add_edge("each", "collect")
    builder.add_edge("collect", END)
    theirs = builder.compile()
    given = {"items": list(range(TIMES))}
    return lambda: ours.invoke(given), lambda: theirs.invoke({**given, "found": []})


def loop() -> tuple[Callable[[], object], Callable[[], object]]:
    """A loop of one node that ends by its cap, or without progress."""
    ours = compiled(
        {
            "state": COUNTER,
            "nodes": [adding("work")],
            "edges": [
                {"source": "__start__", "target": "work"},
                {"source": "work", "target": "__end__", "when": "n < 0"},
                {
                    "source": "work",
                    "target": "work",
                    "otherwise": True,
                    "loop": {"max_rounds": TIMES, "progress": ["n"], "exhausted": "__end__"},
                },
            ],
        }
    )
    builder: Any = StateGraph(State)

    def work(state: State) -> State:
        n, before = state["n"] + 1, state.get("before")
        return {"n": n, "rounds": state.get("rounds", 0) + 1, "before": n, "still": int(n == before)}

    def onward(state: Any) -> str:
        return END if state["n"] < 0 or state["rounds"] >= TIMES or state["still"] >= 1 else "work"

    builder.add_node("work", work)
    builder.add_edge(START, "work")
    builder.add_conditional_edges("work", onward, ["work", END])
    theirs = builder.compile()
    return lambda: ours.invoke({"n": 0}), lambda: theirs.invoke({"n": 0}, {"recursion_limit": 1000})


def subgraphs() -> tuple[Callable[[], object], Callable[[], object]]:
    """A chain of nodes that each run a graph of two nodes, with a state of its own."""
    names = [f"n{number}" for number in range(TIMES)]
    nodes: list[Json] = [{"name": name, "kind": "graph", "args": {"path": "inner.json"}} for name in names]
    chain = {"chain": ["__start__", "one", "two", "__end__"]}
    inner: Json = {"state": COUNTER, "nodes": [adding("one"), adding("two")], "edges": [chain]}
    outer = {"state": COUNTER, "nodes": nodes, "edges": [{"chain": ["__start__", *names, "__end__"]}]}
    ours = compiled(outer, inner=inner)
    part: Any = StateGraph(State)
    part.add_node("one", add)
    part.add_node("two", add)
    for source, target in ((START, "one"), ("one", "two"), ("two", END)):
        part.add_edge(source, target)
    called = part.compile()
    builder: Any = StateGraph(State)
    for name in names:
        builder.add_node(name, lambda state: {"n": called.invoke({"n": state["n"]})["n"]})
    for source, target in zip([START, *names], [*names, END], strict=True):
        builder.add_edge(source, target)
    theirs = builder.compile()
    return lambda: ours.invoke({"n": 0}), lambda: theirs.invoke({"n": 0}, {"recursion_limit": 1000})


KINDS = (
    ("a conditional edge", branches),
    ("a map's item", items),
    ("a loop's round", loop),
    ("a subgraph's call", subgraphs),
)


def least(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Return the processor seconds of both, each the least of several, taken in turn."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, times in zip((ours, theirs), found, strict=True):
            gc.collect()
            start = process_time()
            run()
            times.append(process_time() - start)
    return min(found[0]), min(found[1])


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    table: list[tuple[str, str, str]] = []
    for what, make in KINDS:
        ours, theirs = least(*make())
        each = f"{ours / TIMES * 1e6:.0f} us, {theirs / TIMES * 1e6:.0f} us"
        table.append((f"{what} beside LangGraph by hand ({each})", f"{ours / theirs:.2f} x", BAR))
    return table


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
