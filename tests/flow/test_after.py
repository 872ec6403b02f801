"""What comes after each node: what plain search finds, in sets that share what they have in common."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.flow import shared as sets
from grapharc.spec.flow.after import after
from grapharc.spec.flow.shared import everything, nothing, shared

SIZE = 200
NUMBERS = st.sets(st.integers(0, SIZE - 1))


@pytest.fixture(params=[(2, 1), (3, 2), (sets.LEAF, sets.FAN)], autouse=True, scope="module")
def trees(request: pytest.FixtureRequest) -> Iterator[None]:
    """Trees of several heights, and the single row of bits that sets of few numbers are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "LEAF", request.param[0])
        patch.setattr(sets, "FAN", request.param[1])
        yield


@given(NUMBERS, NUMBERS, st.integers(0, SIZE - 1))
def test_a_shared_set_is_a_set(one: set[int], other: set[int], number: int) -> None:
    left, right = shared(one, SIZE), shared(other, SIZE)
    for found, plain in (
        (left, one),
        (left | right, one | other),
        (left & right, one & other),
        (left - right, one - other),
        (left.plus(number), one | {number}),
    ):
        assert list(found) == sorted(plain)
        assert (bool(found), number in found) == (bool(plain), number in plain)
        assert found == shared(plain, SIZE)
        assert hash(found) == hash(shared(plain, SIZE))
    assert (left == right) == (one == other)


def test_nothing_and_everything() -> None:
    for size in (1, 4, 5, 8, 9, 16, 32, SIZE):
        assert list(nothing(size)) == []
        assert list(everything(size)) == list(range(size))
        assert size not in everything(size)


@given(st.integers(1, 30), st.data())
def test_after_is_what_a_search_finds(size: int, data: st.DataObject) -> None:
    node = st.integers(0, size - 1)
    arcs = data.draw(st.lists(st.tuples(node, node), max_size=3 * size))
    graph: nx.DiGraph[int] = nx.DiGraph(arcs)
    graph.add_nodes_from(range(size))
    found = after([[target for source, target in arcs if source == one] for one in range(size)])
    assert [set(each) for each in found] == [{one} | nx.descendants(graph, one) for one in range(size)]


def test_a_long_graph_takes_no_memory_with_its_square() -> None:
    """Blocks that branch and join, as large graphs are; in rows of bits, four times as many take sixteen times."""
    short, long = (_memory(5_000 * times) for times in (1, 4))
    assert long < 6 * short


def _memory(size: int) -> int:
    blocks = [[[at + 1, at + 2], [at + 3], [at + 3], [at + 4]] for at in range(0, size, 4)]
    following = [near for block in blocks for near in block]
    following[-1] = []
    tracemalloc.start()
    found = after(following)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == size
    return taken
