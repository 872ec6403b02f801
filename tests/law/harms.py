"""A refused graph and what is said of it go in; the harm that raw LangGraph does with it comes out, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from math import prod
from random import Random
from typing import TypeAlias

from langgraph.errors import GraphRecursionError, InvalidUpdateError

from grapharc.spec.finding import Finding
from tests.law.acting import Choose
from tests.law.choosing import by_seed, draw_inputs, stubborn, towards
from tests.law.document import START, Edge, Graph, Value
from tests.law.raw import Author, Seen, Style
from tests.law.tokens import Ended, Endless, Shape, Stuck, move

TRIES = 20
STYLES: tuple[Style, ...] = ("knowing", "waiting", "single")


def harm(graph: Graph, finding: Finding) -> str | None:
    """Look for a run that shows what a graph does on raw LangGraph; None if none was found."""
    return HARMS[finding.code](graph, finding)


def _draws(shape: Shape, goals: Collection[str], failures: float = 0.4) -> Iterator[tuple[dict[str, Value], Choose]]:
    """Draw runs: first some that lead to certain nodes, then any; in every second one a node always says the same."""
    for seed in range(TRIES):
        inputs = {**draw_inputs(shape.graph, seed, sound=seed < 4), "script": {}}
        draw = stubborn if seed % 2 else by_seed
        yield inputs, towards(shape, goals) if goals and seed < 4 else draw(seed, failures)


def _runs(graph: Graph, goals: Collection[str], slow: Collection[str] = ()) -> Iterator[tuple[Seen, Ended | None]]:
    """Run a graph as its author would write it, beside what tokens say, if they can; then with some nodes slower."""
    shape = Shape(graph)
    arrived = together(shape, goals)
    for inputs, choose in _draws(shape, goals):
        told = told_of(shape, inputs, choose)
        if told is None or (told.failed is None and told.fell_through is None):
            for style in STYLES:
                for delays in ({}, *({name: 3} for name in slow)):
                    yield Author(graph, style, delays, arrived).run(inputs, choose), told


def told_of(shape: Shape, inputs: Mapping[str, Value], choose: Choose) -> Ended | None:
    try:
        return move(shape, inputs, choose, Random(0), most=300)
    except (Stuck, Endless, KeyError):
        return None


def together(shape: Shape, goals: Collection[str]) -> Mapping[str, set[frozenset[str]]]:
    """See which tokens come together in some runs, as an author would who tries things out."""
    found: dict[str, set[frozenset[str]]] = {}
    for inputs, choose in _draws(shape, goals):
        told = told_of(shape, inputs, choose)
        for node, sources in told.arrived.items() if told else ():
            found.setdefault(node, set()).update(sources)
    return found


def _way(finding: Finding) -> list[str]:
    """The nodes of a way that a finding tells, and the one that it is about."""
    return [finding.subject, *str(finding.values.get("way", "")).split(" -> ")]


def _join(graph: Graph, finding: Finding) -> str | None:
    sources = {edge.source for edge in graph.into(finding.subject)} - {START}
    for seen, told in _runs(graph, _way(finding), sorted(sources)):
        if finding.subject in seen.waiting:
            return "the join waits for what never comes, and the run ends without a word"
        if told is not None and seen.broke is None and seen.runs[finding.subject] > told.runs[finding.subject]:
            return "the node runs more often than it is meant to"
        if told is not None and isinstance(seen.broke, KeyError):
            return "the node runs before what it is to wait for"
        if told is not None and isinstance(seen.broke, InvalidUpdateError | GraphRecursionError):
            return f"the run breaks off: {type(seen.broke).__name__}"
    return None


def _leak(graph: Graph, finding: Finding) -> str | None:
    for seen, told in _runs(graph, _way(finding)):
        if seen.waiting:
            return "a join waits for what never comes, and the run ends without a word"
        if isinstance(seen.broke, InvalidUpdateError | GraphRecursionError):
            return f"the run breaks off: {type(seen.broke).__name__}"
        if told is None or (seen.broke is None and seen.runs != told.runs):
            return "nodes run more often than they are meant to"
    return None


def _endless(graph: Graph, finding: Finding) -> str | None:
    for seen, _ in _runs(graph, _way(finding)):
        if isinstance(seen.broke, GraphRecursionError):
            return "the run never ends"
        if isinstance(seen.broke, InvalidUpdateError):
            return "two rounds write one field at once"
        if seen.waiting:
            return "a join in the circle waits for itself, and the run ends without a word"
    return None


def _irreducible(graph: Graph, finding: Finding) -> str | None:
    for seen, _ in _runs(graph, _way(finding)):
        if isinstance(seen.broke, GraphRecursionError | InvalidUpdateError):
            return f"the run breaks off: {type(seen.broke).__name__}"
        if seen.waiting:
            return "a join waits for what never comes, and the run ends without a word"
        for edge in graph.edges:
            if edge.loop is not None and seen.runs[edge.source] > most_rounds(graph, edge):
                return "a node runs in more rounds than the loop is meant to have"
    return None


def most_rounds(graph: Graph, edge: Edge) -> int:
    """Say how often the source of an edge that goes back may run: in each round of its loop, and of all around it."""
    bodies = Shape(graph).bodies
    around = {header for header, body in bodies.items() if edge.source in body and header != edge.target}
    return prod(graph.headers[header].rounds for header in (edge.target, *around))


def _never_used_up(graph: Graph, finding: Finding) -> str | None:
    """A loop whose edge does not go back: its rounds count nothing, and its way out is never taken."""
    edge = graph.edges[int(finding.place.path[1])]
    if edge.loop is None:
        return None
    ran = [seen for seen, _ in islice(_runs(graph, (edge.source,)), 12) if seen.runs[edge.source]]
    return "the way out of the loop is never taken" if ran and all(edge not in seen.used_up for seen in ran) else None


def _writers(graph: Graph, finding: Finding) -> str | None:
    field, rivals = str(finding.values["field"]), (finding.subject, str(finding.values["other"]))
    shape = Shape(graph)
    arrived = together(shape, rivals)
    for inputs, choose in _draws(shape, rivals):
        ends: set[str] = set()
        for delays in ({}, {rivals[0]: 9}, {rivals[1]: 9}):
            seen = Author(graph, "knowing", delays, arrived).run(inputs, choose)
            if isinstance(seen.broke, InvalidUpdateError):
                return "two nodes write the field at once"
            if seen.broke is None:
                ends.add(repr(seen.state.get(field)))
        if len(ends) > 1:
            return "what stays in the field depends on how long a node takes"
    return None


def _readers(graph: Graph, finding: Finding) -> str | None:
    rivals = finding.subject, str(finding.values["other"])
    shape = Shape(graph)
    arrived = together(shape, rivals)
    for inputs, choose in _draws(shape, rivals):
        known: dict[tuple[str, int], set[str]] = {}
        for delays in ({}, {rivals[0]: 9}, {rivals[1]: 9}):
            seen = Author(graph, "knowing", delays, arrived).run(inputs, choose)
            for key, value in seen.read.items():
                known.setdefault(key, set()).add(repr(value))
        if any(len(values) > 1 for (name, _), values in known.items() if name == finding.subject):
            return "what a node reads depends on how long another takes"
    return None


def _falls_through(graph: Graph, finding: Finding) -> str | None:
    shape = Shape(graph)
    for inputs, choose in _draws(shape, ()):
        told = move(shape, inputs, choose, Random(0))
        if told.fell_through is not None:
            seen = Author(graph).run(inputs, choose)
            if seen.broke is not None:
                return f"no condition holds, and the run breaks off: {type(seen.broke).__name__}"
    return None


def _never_runs(graph: Graph, finding: Finding) -> str | None:
    ran = [seen.runs[finding.subject] for seen, _ in islice(_runs(graph, (finding.subject,)), 8)]
    return "the node never runs, whatever is chosen, and nothing says so" if ran and not any(ran) else None


def _no_entry(graph: Graph, finding: Finding) -> str | None:
    seen = Author(graph).run({**draw_inputs(graph, 0), "script": {}}, by_seed(0))
    return f"nothing runs: {type(seen.broke).__name__}" if not seen.runs else None


def _early(graph: Graph, finding: Finding) -> str | None:
    for seen, _ in _runs(graph, _way(finding)):
        if isinstance(seen.broke, KeyError):
            return "the node reads what is not there: KeyError"
    return None


def _owed(graph: Graph, finding: Finding) -> str | None:
    for seen, _ in _runs(graph, _way(finding)):
        if seen.broke is None and finding.subject not in seen.state:
            return "the run ends without the output, and without a word"
    return None


Harm: TypeAlias = Callable[[Graph, Finding], "str | None"]

HARMS: Mapping[str, Harm] = {
    "branch_not_exhaustive": _falls_through,
    "cycle": _endless,
    "exhausted_into_body": _irreducible,
    "irreducible_loop": _irreducible,
    "join_may_never_fire": _join,
    "join_undecidable": _join,
    "loop_leaks": _leak,
    "loop_on_forward_edge": _never_used_up,
    "no_entry_edge": _no_entry,
    "output_not_written": _owed,
    "read_before_write": _early,
    "self_loop": _endless,
    "unordered_reader": _readers,
    "unordered_writers": _writers,
    "unreachable_node": _never_runs,
}
