"""Work goes in and is done in a thread of its own, one that has nothing else to do if there is one.

Unlike an executor's, these threads are not waited for when the process or an event loop ends, and there are always
enough: a node that cannot be interrupted keeps its thread, and nobody else's.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_MOST_IDLE = 32


class _Worker:
    """A thread that waits for work, does it, and offers itself again."""

    def __init__(self) -> None:
        self._wake = threading.Semaphore(0)
        self._work: Callable[[], None] | None = None
        threading.Thread(target=self._live, name="grapharc-node", daemon=True).start()

    def give(self, work: Callable[[], None]) -> None:
        self._work = work
        self._wake.release()

    def _live(self) -> None:
        while True:
            self._wake.acquire()
            if (work := self._work) is not None:
                work()
            self._work = work = None
            if len(_idle) >= _MOST_IDLE:
                return
            _idle.append(self)


_idle: list[_Worker] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


def start(work: Callable[[], None]) -> None:
    """Do work, which must not raise, in another thread."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.give(work)
