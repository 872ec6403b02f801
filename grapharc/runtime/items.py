"""A list goes in; its items are handed out to lanes one by one, and what became of each comes out in their order."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Mapping, Sequence
from threading import Event, Lock

from grapharc.runtime.errors import NodeFailed
from grapharc.runtime.failures import failure_record
from grapharc.runtime.fan import Fan
from grapharc.spec.json_value import Json


class Items:
    """The items of one map while they run. Safe to use from many threads."""

    def __init__(self, fan: Fan, items: Sequence[Json]) -> None:
        self.halted = Event()
        """Set once no other item is to begin."""
        self._fan = fan
        self._items = items
        self._next = 0
        self._lock = Lock()
        self._gives: dict[int, Mapping[str, Json]] = {}
        self._failures: dict[int, NodeFailed] = {}
        self._ended: BaseException | None = None

    def __len__(self) -> int:
        return len(self._items)

    @property
    def is_taken(self) -> bool:
        """Whether no item is left to be taken."""
        return self.halted.is_set() or self._next >= len(self._items)

    def take(self) -> int | None:
        """Return the index of the next item; None where no other is to begin."""
        with self._lock:
            if self.is_taken:
                return None
            self._next += 1
            return self._next - 1

    def item(self, index: int) -> Json:
        """Return an item."""
        return self._items[index]

    def gave(self, index: int, share: Mapping[str, Json]) -> None:
        """Note what an item gives."""
        self._gives[index] = share

    def raised(self, index: int, error: BaseException) -> None:
        """Note what an item raised. What ends more than the item lets no other begin."""
        with self._lock:
            if isinstance(error, NodeFailed):
                self._failures[index] = error
                if self._fan.collect:
                    return
            elif not (isinstance(error, CancelledError) and self.halted.is_set()):
                self._ended = self._ended or error
            self.halted.set()

    def results(self) -> tuple[Sequence[Mapping[str, Json]], Sequence[Json]]:
        """Return what items gave, and the failures of the others. Raises what ends the run, or the first failure."""
        if self._ended is not None:
            raise self._ended
        failures = [self._failures[index] for index in sorted(self._failures)]
        if failures and not self._fan.collect:
            raise failures[0]
        return [self._gives[index] for index in sorted(self._gives)], [failure_record(each) for each in failures]
