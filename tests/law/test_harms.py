"""What is refused for its control flow does harm on raw LangGraph, written there as its author would write it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from grapharc.spec.finding import Finding
from grapharc.spec.reasons import severity
from tests.law.document import Graph
from tests.law.draw import draw
from tests.law.harms import HARMS, harm
from tests.law.world import judge
from tests.law.writing import text

DEEP = "GRAPHARC_DEEP" in os.environ
DRAWN = 40_000 if DEEP else 3_000
INSTANCES = 100 if DEEP else 6
"""The generated graphs that are run for each code, of those of which nothing else is said."""


@pytest.mark.parametrize("code", sorted(HARMS))
def test_what_is_refused_does_harm(code: str, record_property: Callable[[str, object], None]) -> None:
    looked = shown = 0
    for graph, finding in refused_for(code):
        looked += 1
        shown += harm(graph, finding) is not None
    assert shown, f"no generated graph shows what '{code}' prevents, of {looked}"
    assert shown >= 0.6 * looked, f"only {shown} of {looked} graphs refused by '{code}' show any harm"
    record_property("harm", {code: shown, "refused graphs that were run on raw LangGraph": looked})


def refused_for(code: str) -> Iterator[tuple[Graph, Finding]]:
    """Yield graphs that are refused for one reason alone."""
    found = 0
    for seed in range(DRAWN):
        finding = only_fault(seed)
        if finding is not None and finding.code == code:
            yield draw(seed, free=True), finding
            found += 1
        if found == INSTANCES:
            return


@cache
def only_fault(seed: int) -> Finding | None:
    """Judge a seed's graph; return the first of its errors if all have one code."""
    admission = judge(text(draw(seed, free=True), "json"), "graph.json", "plain")
    errors = [finding for finding in admission.findings if severity(finding) == "error"]
    return errors[0] if len({finding.code for finding in errors}) == 1 else None
