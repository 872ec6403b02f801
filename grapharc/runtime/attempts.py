"""A node's plan, its view of the state and the run go in; what it came to after its attempts comes out."""

from __future__ import annotations

import asyncio
import time
from threading import Event

from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.attempt import attempt, attempt_async
from grapharc.runtime.clocks import LONGEST
from grapharc.runtime.contracts import View
from grapharc.runtime.settled import Again, Settled


def attempts(plan: Plan, view: View, run: Run, index: int | None = None, halted: Event | None = None) -> Settled:
    """Try a node whose function is no coroutine, or one of its items, until it succeeds or has failed.

    Once ``halted`` is set there is no other attempt. Raises RunError.
    """
    number = 1
    while isinstance(outcome := _in_turn(plan, view, run, number, index), Again):
        seconds = _wait(outcome.seconds, run)
        if halted is None:
            time.sleep(seconds)
        elif halted.wait(seconds):
            raise outcome.error
        _refuse_late(plan, run)
        number += 1
    return outcome


async def attempts_async(plan: Plan, view: View, run: Run, index: int | None = None) -> Settled:
    """Try a node or one of its items; a function that is no coroutine runs in another thread. Raises RunError."""
    number = 1
    while isinstance(outcome := await _in_turn_async(plan, view, run, number, index), Again):
        await asyncio.sleep(_wait(outcome.seconds, run))
        _refuse_late(plan, run)
        number += 1
    return outcome


def _in_turn(plan: Plan, view: View, run: Run, number: int, index: int | None) -> Settled | Again:
    if (slots := run.slots) is None:
        return attempt(plan, view, run, number, index)
    while not slots.take(_left(run)):
        _refuse_late(plan, run)
    try:
        return attempt(plan, view, run, number, index)
    finally:
        slots.give_back()


async def _in_turn_async(plan: Plan, view: View, run: Run, number: int, index: int | None) -> Settled | Again:
    if (slots := run.slots) is None:
        return await attempt_async(plan, view, run, number, index)
    while not await slots.take_async(_left(run)):
        _refuse_late(plan, run)
    try:
        return await attempt_async(plan, view, run, number, index)
    finally:
        slots.give_back()


def _left(run: Run) -> float:
    """Return the seconds that the run may still last, or as many as every timer accepts."""
    deadline = run.meter.deadline
    return LONGEST if deadline is None else min(max(0.0, deadline - time.monotonic()), LONGEST)


def _wait(seconds: float, run: Run) -> float:
    """Wait no longer than the run may last."""
    return min(seconds, _left(run))


def _refuse_late(plan: Plan, run: Run) -> None:
    """Let no attempt begin once a ceiling of the run is passed."""
    if (error := run.meter.excess(plan.name)) is not None:
        raise error
