"""A guard goes in, and what runs under it is interrupted when its moment comes: by a signal, or from another thread.

Two clocks for the whole process: the interval timer, which only the main thread hears, shared with whoever had it
before; and a thread that waits, for all other threads.
"""

from __future__ import annotations

import ctypes
import heapq
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from types import FrameType
from typing import TypeAlias

_Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"

GRACE = 0.25
"""Seconds between two interruptions of code that swallows them, and for a cancelled coroutine to clean up."""

LONGEST = 10_000_000.0
"""Seconds that every timer accepts; a later moment is reached in several waits."""


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
    """A thread that waits for the moments of guards in other threads and raises there."""

    def __init__(self) -> None:
        self.start_afresh()

    def start_afresh(self) -> None:
        """Forget every guard, and the thread: a forked process has neither."""
        self._moments: list[tuple[float, int, Guard]] = []
        self._count = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def watch(self, guard: Guard) -> None:
        with self._changed:
            self._push(guard)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._wait, name="grapharc-deadlines", daemon=True)
                self._thread.start()
            self._changed.notify()

    def forget(self, guard: Guard) -> None:
        """Called by the guarded thread with ``left`` set: wait out a blow that is being struck, then take it back."""
        while guard.busy:
            time.sleep(0.0005)
        _raise_in(guard.thread, None)

    def _push(self, guard: Guard) -> None:
        heapq.heappush(self._moments, (guard.at, next(self._count), guard))

    def _wait(self) -> None:
        while True:
            with self._changed:
                while not self._moments or self._moments[0][0] > time.monotonic():
                    now = time.monotonic()
                    self._changed.wait(_clamp(self._moments[0][0] - now) if self._moments else None)
                guard = heapq.heappop(self._moments)[2]
            self._strike(guard)

    def _strike(self, guard: Guard) -> None:
        guard.busy = True
        try:
            if guard.left:
                return
            _raise_in(guard.thread, Overtime)
        finally:
            guard.busy = False
        guard.at = time.monotonic() + GRACE
        with self._changed:
            self._push(guard)


def _belongs(running: object | None, owner: object) -> bool:
    """Tell whether what runs is the owner, or was started inside it (a run within a node of another run)."""
    while running is not None and running is not owner:
        running = getattr(running, "outer", None)
    return running is owner


def _raise_in(thread: int, what: type[BaseException] | None) -> None:
    exception = ctypes.py_object(what) if what is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


def _clamp(seconds: float) -> float:
    return min(max(seconds, 0.000_1), LONGEST)


alarm = Alarm()
watchdog = Watchdog()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=watchdog.start_afresh)
