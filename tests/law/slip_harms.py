"""A graph with one slip, what is said of it and the graph that was meant go in; the harm on raw LangGraph comes out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from langgraph.errors import GraphRecursionError, InvalidUpdateError

from grapharc.spec.finding import Finding
from tests.law.acting import Choose
from tests.law.choosing import by_seed, draw_inputs, towards
from tests.law.document import Edge, Graph, Value
from tests.law.harms import HARMS, most_rounds, together, told_of
from tests.law.raw import Author, Seen
from tests.law.slips import MORE
from tests.law.tokens import Ended, Shape

TRIES = 24


def slip_harm(graph: Graph, finding: Finding, meant: Graph) -> str | None:
    """Look for a run that shows what a slip does on raw LangGraph; None if none was found."""
    if finding.code in HARMS:
        return HARMS[finding.code](graph, finding)
    return SLIP_HARMS[finding.code](graph, meant)


def _beside(
    graph: Graph, meant: Graph, goals: Collection[str] = (), failures: float = 0.4
) -> Iterator[tuple[Seen, Ended]]:
    """Run a graph as its author would write it, beside what tokens say of the one that was meant."""
    shape = Shape(meant)
    arrived = together(shape, goals)
    for seed in range(TRIES):
        inputs = {**draw_inputs(meant, seed, sound=True), "script": {}}
        choose = towards(shape, goals) if goals and seed < 4 else by_seed(seed, failures)
        told = told_of(shape, inputs, choose)
        if told is not None and told.failed is None and told.fell_through is None:
            yield Author(graph, "knowing", {}, arrived).run(inputs, choose), told


def _added(graph: Graph) -> Edge:
    """The edge to the node that a slip added."""
    return next(edge for edge in graph.edges if edge.target == MORE)


def _both_ways(graph: Graph, meant: Graph) -> str | None:
    goals = [edge.source for edge in graph.edges if edge not in meant.edges]
    for seen, told in _beside(graph, meant, goals):
        if isinstance(seen.broke, InvalidUpdateError | GraphRecursionError | KeyError):
            return f"two ways are taken where one was meant, and the run breaks off: {type(seen.broke).__name__}"
        if seen.broke is None and seen.runs != told.runs:
            return "two ways are taken where one was meant"
    return None


def _both_handlers(graph: Graph, meant: Graph) -> str | None:
    first = next(edge for edge in meant.out_of(_added(graph).source, "error"))
    for seen, told in _beside(graph, meant, failures=0.7):
        if seen.runs[MORE] and (told.runs[first.target] or first.target not in meant.nodes):
            return "one failure is handled twice"
    return None


def _never_taken(graph: Graph, meant: Graph) -> str | None:
    source = _added(graph).source
    runs = islice(_beside(graph, meant, (source,)), 8)
    ran = [seen for seen, _ in runs if source not in meant.nodes or seen.runs[source]]
    return (
        "the edge is never taken, whatever is chosen, and nothing says so"
        if ran and all(not seen.runs[MORE] for seen in ran)
        else None
    )


def _more_rounds(graph: Graph, meant: Graph) -> str | None:
    """Where its source fails again and again, a loop goes round more often than the other edge allows."""
    edge = next(edge for edge in graph.edges if edge.loop and edge not in meant.edges)
    allowed = most_rounds(meant, next(one for one in meant.edges if one.loop and one.target == edge.target))
    to_it = towards(Shape(meant), (edge.source,))

    def choose(key: str, call: int, options: Sequence[str]) -> str:
        return "!" if key == edge.source else to_it(key, call, options)

    for seed in range(4):
        seen = Author(graph).run({**draw_inputs(meant, seed, sound=True), "script": {}}, choose)
        if seen.runs[edge.target] > allowed:
            return "a loop goes round more often than one of its edges allows"
        if isinstance(seen.broke, InvalidUpdateError | GraphRecursionError):
            return f"the run breaks off: {type(seen.broke).__name__}"
    return None


def _cannot_be_written(graph: Graph, meant: Graph) -> str | None:
    seen = Author(graph).run({**draw_inputs(meant, 0), "script": {}}, by_seed(0))
    return "LangGraph refuses it too, with an exception" if isinstance(seen.broke, ValueError) else None


def _ends_there(graph: Graph, meant: Graph) -> str | None:
    goals = [edge.source for edge in graph.edges if edge not in meant.edges]
    for seen, told in _beside(graph, meant, goals):
        if isinstance(seen.broke, ValueError):
            return "LangGraph refuses it too, with an exception"
        if seen.broke is None and seen.runs != told.runs:
            return "the run ends there, and looks like a success"
    return None


def _uncaught(graph: Graph, meant: Graph) -> str | None:
    for seen, told in _beside(graph, meant):
        if isinstance(seen.broke, RuntimeError):
            return "a failure that was to be caught ends the run"
        if seen.broke is None and seen.runs != told.runs:
            return "the run goes another way than was meant"
    return None


def _no_text(graph: Graph, meant: Graph) -> str | None:
    """A field that is declared as text, or as a list of texts, holds a failure."""
    field = next(name for name in meant.fields if meant.fields[name] != graph.fields[name])
    for seen, _ in _beside(graph, meant, failures=0.7):
        kept = seen.state.get(field)
        if any(isinstance(one, dict) for one in (kept if isinstance(kept, list) else [kept])):
            return "a field holds what its type does not allow, and nothing says so"
    return None


def _by_letter(graph: Graph, meant: Graph) -> str | None:
    """A text for a list: the node runs once for each letter."""
    field = next(name for name in meant.fields if meant.fields[name] != graph.fields[name])
    nodes = [node.name for node in meant.nodes.values() if node.fan and node.fan.over == field]
    for seed in range(TRIES):
        called: list[str] = []
        choose = _listening(called, towards(Shape(meant), nodes) if seed < 4 else by_seed(seed, 0))
        Author(graph).run({**draw_inputs(meant, seed, sound=True), field: "a", "script": {}}, choose)
        if any(f"{node}/a" in called for node in nodes):
            return "the node runs once for each letter"
    return None


def _listening(called: list[str], choose: Choose) -> Choose:
    def heard(key: str, call: int, options: Sequence[str]) -> Value:
        called.append(key)
        return choose(key, call, options)

    return heard


SlipHarm: TypeAlias = "Callable[[Graph, Graph], str | None]"

SLIP_HARMS: Mapping[str, SlipHarm] = {
    "error_edge_from_start": _never_taken,
    "failures_not_collected": _uncaught,
    "failures_type_mismatch": _no_text,
    "into_type_mismatch": _no_text,
    "into_without_error_edge": _uncaught,
    "loop_mismatch": _more_rounds,
    "map_over_no_list": _by_letter,
    "mixed_edges": _both_ways,
    "second_error_edge": _both_handlers,
    "second_otherwise": _never_taken,
    "sentinel_wrong_direction": _cannot_be_written,
    "unknown_edge_endpoint": _ends_there,
}
