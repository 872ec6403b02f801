"""A guard goes in, and what runs under it is interrupted when its moment comes: by a signal, or from another thread.

Two clocks for the whole process: the interval timer, which only the main thread hears, shared with whoever had it
before; and a thread that waits, for all other threads.
"""

from __future__ import annotations

import contextlib
import ctypes
import heapq
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TypeAlias

_Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"

GRACE = 0.25
"""Seconds between two interruptions of code that swallows them, and for a cancelled coroutine to clean up."""

LONGEST = 10_000_000.0
"""Seconds that every timer accepts; a later moment is reached in several waits."""


_MANY = 1_024
"""Moments that the thread keeps before it looks which of them nobody waits for any more."""


class Overtime(BaseException):
    """Raised in code whose time is over. No ``except Exception`` of a kind swallows it."""


class Guard:
    """One guarded stretch of code: who it belongs to, and when its time is over."""

    __slots__ = ("at", "busy", "left", "owner", "thread")

    def __init__(self, owner: object, at: float) -> None:
        self.owner, self.at = owner, at
        self.thread = threading.get_ident()
        self.left = False
        self.busy = False


current: ContextVar[object | None] = ContextVar("grapharc_activation", default=None)
"""The activation whose code is running here; tasks and threads that it starts inherit it."""


class Alarm:
    """The process's one interval timer, shared by every guard on the main thread and by whoever had it before."""

    def __init__(self) -> None:
        self._guards: list[Guard] = []
        self._foreign: _Handler = None
        self._foreign_at: float | None = None
        self._foreign_interval = 0.0

    def reaches_this_thread(self) -> bool:
        return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def watch(self, guard: Guard) -> None:
        if not self._guards:
            self._take_over()
        self._guards.append(guard)
        self._arm()

    def forget(self, guard: Guard) -> None:
        self._guards = [other for other in self._guards if other is not guard and not other.left]
        if self._guards:
            self._arm()
        else:
            self._give_back()

    def _take_over(self) -> None:
        remaining, interval = signal.getitimer(signal.ITIMER_REAL)
        self._foreign_at = time.monotonic() + remaining if remaining else None
        self._foreign_interval = interval
        self._foreign = signal.signal(signal.SIGALRM, self._ring)

    def _give_back(self) -> None:
        if signal.getsignal(signal.SIGALRM) != self._ring:
            return
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self._foreign if self._foreign is not None else signal.SIG_DFL)
        if self._foreign_at is not None:
            signal.setitimer(signal.ITIMER_REAL, _clamp(self._foreign_at - time.monotonic()), self._foreign_interval)

    def _arm(self) -> None:
        moments = [guard.at for guard in self._guards if not guard.left]
        if self._foreign_at is not None:
            moments.append(self._foreign_at)
        if moments:
            signal.setitimer(signal.ITIMER_REAL, _clamp(min(moments) - time.monotonic()))

    def _ring(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._foreign_at is not None and self._foreign_at <= now:
            self._foreign_at = now + self._foreign_interval if self._foreign_interval else None
            self._arm()
            if callable(self._foreign):
                self._foreign(number, frame)
            return
        due = [guard for guard in self._guards if guard.at <= now and not guard.left]
        for guard in due:
            guard.at = now + GRACE
        self._arm()
        running = current.get()
        if any(_belongs(running, guard.owner) for guard in due):
            raise Overtime


class Watchdog:
    """A thread that waits for the moments of guards in other threads and raises there.

    A thread that sets a guard may be raised in at any moment, for a guard around that one. So it takes no lock here: a
    lock that it had just taken would never be given back.
    """

    def __init__(self) -> None:
        self.start_afresh()

    def start_afresh(self) -> None:
        """Forget every guard, and the thread: a forked process has neither."""
        self._new: SimpleQueue[Guard] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def watch(self, guard: Guard) -> None:
        """Raise in the guard's thread when its moment comes.

        The thread that waits is started before it knows of the guard. CPython would let what is raised in a thread that
        starts another hit the new one, before it says that it has started, and the first would wait for good. Nor is
        the thread asked whether it lives: an exception within ``is_alive`` marks a living thread as ended.
        """
        if self._thread is None:
            thread = threading.Thread(target=_wait, args=(self._new,), name="grapharc-deadlines", daemon=True)
            thread.start()
            self._thread = thread
        self._new.put(guard)

    def forget(self, guard: Guard) -> None:
        """Called by the guarded thread with ``left`` set: wait for a blow that is being struck, and take it here.

        A blow is not taken back: clearing a thread's asynchronous exception leaves the interpreter looking for it for
        good. Python looks at the end of each round of a loop, so what has been struck is raised in the second one.
        The guard stays with the thread that waits for its moment, which may be far; whom it guarded does not.
        """
        while guard.busy:
            time.sleep(0.0005)
        for _ in range(3):
            pass
        guard.owner = None


def _wait(new: SimpleQueue[Guard]) -> None:
    moments: list[tuple[float, int, Guard]] = []
    count = itertools.count()
    many = _MANY
    while True:
        if len(moments) >= many:
            moments = [moment for moment in moments if not moment[2].left]
            heapq.heapify(moments)
            many = max(_MANY, 2 * len(moments))
        with contextlib.suppress(Empty):
            guard = new.get(timeout=_clamp(moments[0][0] - time.monotonic()) if moments else None)
            heapq.heappush(moments, (guard.at, next(count), guard))
        while moments and moments[0][0] <= time.monotonic():
            guard = heapq.heappop(moments)[2]
            if _strike(guard):
                heapq.heappush(moments, (time.monotonic() + GRACE, next(count), guard))


def _strike(guard: Guard) -> bool:
    """Raise in the guard's thread, unless it has left the guarded stretch."""
    guard.busy = True
    try:
        if not guard.left:
            _raise_in(guard.thread, Overtime)
        return not guard.left
    finally:
        guard.busy = False


def _belongs(running: object | None, owner: object) -> bool:
    """Tell whether what runs is the owner, or was started inside it (a run within a node of another run)."""
    while running is not None and running is not owner:
        running = getattr(running, "outer", None)
    return running is owner


def _raise_in(thread: int, what: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(what))


def _clamp(seconds: float) -> float:
    return min(max(seconds, 0.000_1), LONGEST)


alarm = Alarm()
watchdog = Watchdog()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=watchdog.start_afresh)
