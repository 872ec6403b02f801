"""How much of a run may be under way at once goes in; who wants to begin waits for its turn, first come, first served.

LangGraph bounds the nodes of a superstep, and knows nothing of a map's items. Where there is a map, nodes and items
stand in one line here: at most one item of each lane, so that a node waits for few of them, however long the list is.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias


class _Ticket:
    """A place in the line; ``call`` tells whoever holds it that its turn has come."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call
        self.called = False


class Slots:
    """Some number of slots. Safe to use from many threads and event loops."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._line: deque[_Ticket] = deque()
        self._lock = threading.Lock()

    def take(self, seconds: float) -> bool:
        """Wait for a slot, at most some seconds; tell whether it was got."""
        turn = threading.Event()
        ticket = self._stand(turn.set)
        if ticket is None:
            return True
        got = False
        try:
            got = turn.wait(seconds)
        finally:
            got = self._leave(ticket, got)
        return got

    async def take_async(self, seconds: float) -> bool:
        """Wait for a slot without blocking the event loop; tell whether it was got."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()

        def call() -> None:
            with suppress(RuntimeError):  # the loop is closed, and nobody waits
                loop.call_soon_threadsafe(lambda: None if turn.done() else turn.set_result(None))

        ticket = self._stand(call)
        if ticket is None:
            return True
        got = False
        try:
            done, _ = await asyncio.wait({turn}, timeout=seconds)
            got = bool(done)
        finally:
            got = self._leave(ticket, got)
        return got

    def give_back(self) -> None:
        """Let the next in line begin."""
        with self._lock:
            if self._line:
                ticket = self._line.popleft()
                ticket.called = True
                ticket.call()
            else:
                self._free += 1

    def _stand(self, call: Callable[[], object]) -> _Ticket | None:
        """Take a free slot at once, or stand at the end of the line."""
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            ticket = _Ticket(call)
            self._line.append(ticket)
            return ticket

    def _leave(self, ticket: _Ticket, got: bool) -> bool:
        """Stop waiting. Whoever is called while it gives up hands its slot on."""
        with self._lock:
            if not ticket.called:
                self._line.remove(ticket)
                return False
        if not got:
            self.give_back()
        return got


class InnerSlots:
    """The slots of a subgraph's run, each of which takes one of the run around it as well."""

    def __init__(self, own: Slots, around: Line) -> None:
        self._own, self._around = own, around

    def take(self, seconds: float) -> bool:
        """Wait for both, at most so long for each; tell whether they were got."""
        if not self._own.take(seconds):
            return False
        got = False
        try:
            got = self._around.take(seconds)
        finally:
            if not got:
                self._own.give_back()
        return got

    async def take_async(self, seconds: float) -> bool:
        """Wait for both without blocking the event loop; tell whether they were got."""
        if not await self._own.take_async(seconds):
            return False
        got = False
        try:
            got = await self._around.take_async(seconds)
        finally:
            if not got:
                self._own.give_back()
        return got

    def give_back(self) -> None:
        """Let the next in both lines begin."""
        self._around.give_back()
        self._own.give_back()


Line: TypeAlias = "Slots | InnerSlots"
"""What nodes stand in to begin."""
