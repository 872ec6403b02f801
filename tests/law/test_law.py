"""Every graph that is admitted compiles and runs on LangGraph as its document says, in no more than was admitted.

Each node runs as often as tokens that move in any order say, in every mode; no join is left waiting; steps, iterations
and tokens stay within the admission's worst case. The summary at the end of the tests says how many graphs that were.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

from tests.law.law import obey

DEEP = "GRAPHARC_DEEP" in os.environ
GRAPHS = 100_000 if DEEP else 2_000
BLOCK = 250 if DEEP else 50


@pytest.mark.parametrize("first", range(0, GRAPHS, BLOCK))
def test_admitted_graphs_run_as_they_say(first: int, record_property: Callable[[str, object], None]) -> None:
    seen, broken = Counter[str](), list[str]()
    for seed in range(first, first + BLOCK):
        try:
            seen.update(obey(seed))
        except Exception as raised:
            broken.append(f"seed {seed}: {type(raised).__name__}: {raised}")
    assert not broken, "\n".join(broken)
    record_property("law", dict(seen))
