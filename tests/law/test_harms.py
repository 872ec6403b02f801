"""What is refused for its control flow does harm on raw LangGraph, written there as its author would write it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from grapharc.policy.admission import Admission
from grapharc.spec.finding import Finding
from grapharc.spec.reasons import reasons, severity
from tests.law.choosing import by_seed, draw_inputs
from tests.law.document import Graph, Value
from tests.law.draw import draw
from tests.law.harms import HARMS, harm
from tests.law.raw import Author
from tests.law.rings import Ring, draw_ring
from tests.law.slip_harms import SLIP_HARMS, slip_harm
from tests.law.slips import SLIPS, slip
from tests.law.world import judge
from tests.law.writing import text

DEEP = "GRAPHARC_DEEP" in os.environ
DRAWN = 40_000 if DEEP else 3_000
INSTANCES = 100 if DEEP else 6
"""The generated graphs that are run for each code, of those of which nothing else is said."""

HARMLESS = {
    "duplicate_edge": "LangGraph keeps edges in a set, where a second is none: what was meant with it is missing",
    "edge_form_conflict": "an edge of LangGraph has one form by the call that adds it",
    "item_shadows_field": "LangGraph has no expressions whose names could mean either",
    "subgraph_too_large": "a bound of ours on what anybody can check; LangGraph has none, and runs until memory is out",
}
"""Refusals about control flow that raw LangGraph has no counterpart of, and why."""

BY_RINGS = "subgraph_recursion"
SHOWN = HARMS.keys() | SLIP_HARMS.keys() | {BY_RINGS}


@pytest.mark.parametrize("code", sorted(SHOWN))
def test_what_is_refused_does_harm(code: str, record_property: Callable[[str, object], None]) -> None:
    found = [*islice(harms_of(code), INSTANCES)]
    looked, shown = len(found), sum(one is not None for one in found)
    assert shown, f"no generated graph shows what '{code}' prevents, of {looked}"
    assert shown >= 0.6 * looked, f"only {shown} of {looked} graphs refused by '{code}' show any harm"
    record_property("harm", {code: shown, "refused graphs that were run on raw LangGraph": looked})


def test_no_refusal_about_control_flow_is_left_out() -> None:
    assert set(SHOWN) | HARMLESS.keys() == set(control_flow_codes())
    assert not SHOWN & HARMLESS.keys()


def test_an_edge_that_is_written_twice_is_one_on_raw_langgraph() -> None:
    """Why there is no harm to be shown of it."""
    for graph, _, meant in islice(slipped("duplicate_edge"), INSTANCES):
        inputs: dict[str, Value] = {**draw_inputs(meant, 0), "script": {}}
        one, other = Author(graph).run(inputs, by_seed(0)), Author(meant).run(inputs, by_seed(0))
        assert (one.runs, one.waiting, repr(one.broke)) == (other.runs, other.waiting, repr(other.broke))


def control_flow_codes() -> list[str]:
    """List what the catalogue refuses about edges, joins, loops, maps, failures and subgraphs.

    They stand there from the ends of edges to where policies begin; what only an owner may grant is not among them.
    """
    codes = [*reasons()]
    between = codes[codes.index("unknown_edge_endpoint") : codes.index("node_denied")]
    return [code for code in between if reasons()[code].reason_class == "soundness"]


def harms_of(code: str) -> Iterator[str | None]:
    """Run generated graphs that are refused for one reason alone; say of each what harm it does, if any."""
    if code == BY_RINGS:
        return (ring_harm(draw_ring(seed)) for seed in range(DRAWN))
    if code in SLIPS:
        return (slip_harm(graph, finding, meant) for graph, finding, meant in slipped(code))
    return (harm(graph, finding) for graph, finding in refused_for(code))


def ring_harm(ring: Ring) -> str | None:
    """Say how graphs that hold each other end."""
    first, *_ = texts = ring.texts()
    assert {finding.code for finding in errors(judge(texts[first], first, "plain", texts))} == {BY_RINGS}
    return ring.run()


def slipped(code: str) -> Iterator[tuple[Graph, Finding, Graph]]:
    """Yield graphs that are refused for one slip alone, with what is said of them and the graphs that were meant."""
    for seed in range(DRAWN):
        meant = draw(seed, free=True)
        if judged(seed).verdict == "admitted" and (graph := slip(code, meant, Random(seed))) is not None:
            finding = alone(judge(text(graph, "json"), "graph.json", "plain"))
            if finding is not None and finding.code == code:
                yield graph, finding, meant


def refused_for(code: str) -> Iterator[tuple[Graph, Finding]]:
    """Yield graphs that are refused for one reason alone."""
    knotted = code == "join_undecidable"  # structure seldom comes to that by chance
    for seed in range(DRAWN):
        finding = alone(judged(seed, knotted))
        if finding is not None and finding.code == code:
            yield draw(seed, free=True, knotted=knotted), finding


@cache
def judged(seed: int, knotted: bool = False) -> Admission:
    """Judge a seed's graph."""
    return judge(text(draw(seed, free=True, knotted=knotted), "json"), "graph.json", "plain")


def alone(admission: Admission) -> Finding | None:
    """Return the first of its errors if all have one code."""
    found = errors(admission)
    return found[0] if len({finding.code for finding in found}) == 1 else None


def errors(admission: Admission) -> list[Finding]:
    """List what a graph is refused for."""
    return [finding for finding in admission.findings if severity(finding) == "error"]
