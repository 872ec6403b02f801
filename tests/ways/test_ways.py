"""Rules over paths and flows stop a graph if and only if a way exists, by enumeration of what its runs do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

from tests.ways.judged import compare

DEEP = "GRAPHARC_DEEP" in os.environ
GRAPHS = 100_000 if DEEP else 2_000
BLOCK = 250 if DEEP else 50


@pytest.mark.parametrize("first", range(0, GRAPHS, BLOCK))
def test_a_way_is_found_if_and_only_if_there_is_one(first: int, record_property: Callable[[str, object], None]) -> None:
    seen, wrong = Counter[str](), list[str]()
    for seed in range(first, first + BLOCK):
        counts, differences = compare(seed)
        seen.update(counts)
        wrong += differences
    assert not wrong, "\n".join(wrong)
    record_property("ways", dict(seen))
