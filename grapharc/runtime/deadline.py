"""A moment goes in; whatever runs in the guarded stretch when it comes is interrupted.

On the main thread SIGALRM interrupts, even a sleep or a read from a socket. In any other thread it is an asynchronous
exception, which lands when a call into C returns. A coroutine is cancelled by its caller; only where it blocks the
event loop of the main thread does SIGALRM reach it. Whoever guards looks at the clock afterwards as well: code that
swallows the interruption, or that could not be reached, has still overrun.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import NoReturn, TypeVar

from grapharc.runtime import threads
from grapharc.runtime.clocks import GRACE, LONGEST, Guard, Overtime, alarm, watchdog

Result = TypeVar("Result")


def guarded(call: Callable[[], Result], owner: object, at: float | None) -> Result:
    """Call a function; raise :class:`Overtime` in it once ``time.monotonic()`` reaches ``at``."""
    if at is None:
        return call()
    guard = Guard(owner, at)
    clock = alarm if alarm.reaches_this_thread() else watchdog
    try:
        clock.watch(guard)
        return call()
    finally:
        # Nothing can interrupt between the end of the call and this line, and nothing is raised for the guard after it
        # but a blow that is already falling; ``forget`` waits for that one.
        guard.left = True
        clock.forget(guard)


def in_time(call: Callable[[], Result], owner: object, at: float | None) -> Result:
    """Call a function here, or where no signal comes in a thread of its own; raise :class:`Overtime` soon after ``at``.

    A thread that is not to be interrupted is left to itself.
    """
    if at is None:
        return call()
    return guarded(call, owner, at) if alarm.reaches_this_thread() else _apart(call, owner, at)


def _apart(call: Callable[[], Result], owner: object, at: float) -> Result:
    context, done = copy_context(), threading.Event()
    outcomes: list[Callable[[], Result]] = []

    def work() -> None:
        outcomes.append(context.run(_outcome, lambda: guarded(call, owner, at)))
        done.set()

    threads.start(work)
    while not done.is_set() and (left := at + GRACE - time.monotonic()) > 0:
        done.wait(min(left, LONGEST))
    if not done.is_set():
        raise Overtime
    return outcomes[0]()


async def guarded_task(coroutine: Coroutine[object, object, Result], owner: object, at: float | None) -> Result:
    """Await a coroutine; cancel it and raise :class:`Overtime` once ``time.monotonic()`` reaches ``at``.

    A coroutine that goes on after being cancelled is left to itself.
    """
    if at is None:
        return await coroutine
    guard = Guard(owner, at + GRACE)
    watched = alarm.reaches_this_thread()
    try:
        if watched:
            alarm.watch(guard)
        return await _in_time(asyncio.ensure_future(coroutine), at)
    finally:
        guard.left = True
        if watched:
            alarm.forget(guard)


async def guarded_thread(call: Callable[[], Result], owner: object, at: float | None) -> Result:
    """Call a function in another thread; stop waiting for it soon after ``time.monotonic()`` reaches ``at``."""
    context, loop = copy_context(), asyncio.get_running_loop()
    future: asyncio.Future[Callable[[], Result]] = loop.create_future()

    def work() -> None:
        outcome = context.run(_outcome, lambda: guarded(call, owner, at))
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits
            loop.call_soon_threadsafe(lambda: None if future.done() else future.set_result(outcome))

    threads.start(work)
    return (await (future if at is None else _in_time(future, at + GRACE)))()


def _outcome(call: Callable[[], Result]) -> Callable[[], Result]:
    """Call a function, and give what returns or raises what it did: a future does not take every exception."""
    try:
        result = call()
    except BaseException as raised:
        return _raiser(raised)
    return lambda: result


def _raiser(raised: BaseException) -> Callable[[], NoReturn]:
    def again() -> NoReturn:
        raise raised

    return again


async def _in_time(future: asyncio.Future[Result], at: float) -> Result:
    try:
        while not future.done() and (left := at - time.monotonic()) > 0:
            await asyncio.wait({future}, timeout=min(left, LONGEST))
    except asyncio.CancelledError:
        await _abandon(future)
        raise
    if future.done():
        return future.result()
    await _abandon(future)
    raise Overtime


async def _abandon(future: asyncio.Future[Result]) -> None:
    if not future.done():
        future.cancel()
        await asyncio.wait({future}, timeout=GRACE)
    future.add_done_callback(_forget)


def _forget(future: asyncio.Future[Result]) -> None:
    """Take what an abandoned future raised, or asyncio would report that nobody did."""
    if not future.cancelled():
        future.exception()
