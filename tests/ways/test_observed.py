"""No run of a graph on LangGraph hands on data to a command of which a rule over flows says that it is free of it.

Values say of what they were made, through fields, files, stores, failures, maps and subgraphs; what decisions reveal
shows where two runs differ in nothing but what their sources found. The summary says of how many of the flows that are
claimed a few runs show one: the rest may be a way that no run of these goes, or one that no run can.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

from tests.ways.observed import TAGS, observe

DEEP = "GRAPHARC_DEEP" in os.environ
GRAPHS = 5_000 if DEEP else 300
BLOCK = 250 if DEEP else 50


@pytest.mark.parametrize("first", range(0, GRAPHS, BLOCK))
def test_what_is_claimed_to_be_free_of_data_is_never_given_it(
    first: int, record_property: Callable[[str, object], None]
) -> None:
    seen, wrong = Counter[str](), list[str]()
    for seed in range(100 * first, 100 * (first + BLOCK)):
        if seen["graphs"] == BLOCK:
            break
        try:
            counts, flows = observe(seed)
        except Exception as raised:
            wrong.append(f"seed {seed}: {type(raised).__name__}: {raised}")
            continue
        seen.update(counts)
        wrong += flows
    assert not wrong, "\n".join(wrong)
    assert seen["graphs"] == BLOCK
    assert all(seen[f"{name}: observed"] for name in TAGS)
    record_property("observed", dict(seen))
