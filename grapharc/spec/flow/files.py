"""A node that may write to the workspace goes in; the nodes that may read files, or stores, of it later, out.

A store is a file, and may lie in the workspace: what is written to it may be read as a file, and a file as a store.

Later is what its node leads to, in any round; what may run beside it; and where it runs for several items or in several
attempts, all of it, since one may read what another wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.spec.flow.beside import beside
from grapharc.spec.flow.unfolded import Copy, Unfolded


class FileReaders:
    """Each reader is listed once, for the first writer before it."""

    def __init__(self, graph: Unfolded, *, of_stores: bool = False) -> None:
        self._graph = graph
        self._readers = graph.store_readers if of_stores else graph.file_readers
        self._of_stores = of_stores
        self._seen: set[int] = set()
        self._whole: set[int] = set()

    def later_than(self, writer: int) -> Iterator[int]:
        """Yield the readers by spot that no writer before had."""
        yield from self._after(writer)
        copy = self._graph.copy_of[writer]
        number = writer - copy.base
        while True:
            node = copy.layout.nodes[number]
            if node is not None and (node.map is not None or node.max_attempts > 1):
                yield from self._all_of(copy, number)
            among = self._readers[copy.base]
            for other in beside(copy, number, among):
                yield from self._all_of(copy, other)
            if copy.around is None:
                return
            copy, number = copy.around, copy.at

    def _after(self, writer: int) -> Iterator[int]:
        graph = self._graph
        todo = [writer]
        while todo:
            spot = todo.pop()
            for near, _ in (*graph.onward[spot], *graph.failing[spot]):
                if near not in self._seen:
                    self._seen.add(near)
                    todo.append(near)
                    yield from self._reading(near)

    def _all_of(self, copy: Copy, number: int) -> Iterator[int]:
        spot, inner = copy.base + number, copy.inside.get(number)
        if spot in self._whole:
            return
        self._whole.add(spot)
        if inner is None:
            yield from self._reading(spot)
        else:
            yield from (one for each in inner.everything() for spot in each.spots for one in self._reading(spot))

    def _reading(self, spot: int) -> Iterator[int]:
        channels = self._graph.channels.get(spot)
        if channels is not None and (channels.reads_stores if self._of_stores else channels.reads_files):
            yield spot
