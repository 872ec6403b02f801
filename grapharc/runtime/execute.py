"""A node's plan, its view of the state and the run go in; what it came to after its attempts comes out."""

from __future__ import annotations

import asyncio
import time

from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.attempt import attempt, attempt_async
from grapharc.runtime.contracts import View
from grapharc.runtime.settled import Again, Settled


def execute(plan: Plan, view: View, run: Run, index: int | None = None) -> Settled:
    """Run a node whose function is no coroutine, or one of its items. Raises RunError."""
    number = 1
    while isinstance(outcome := attempt(plan, view, run, number, index), Again):
        time.sleep(_wait(outcome.seconds, run))
        _refuse_late(plan, run)
        number += 1
    return outcome


async def execute_async(plan: Plan, view: View, run: Run, index: int | None = None) -> Settled:
    """Run a node or one of its items; a function that is no coroutine runs in another thread. Raises RunError."""
    number = 1
    while isinstance(outcome := await attempt_async(plan, view, run, number, index), Again):
        await asyncio.sleep(_wait(outcome.seconds, run))
        _refuse_late(plan, run)
        number += 1
    return outcome


def _wait(seconds: float, run: Run) -> float:
    """Wait no longer than the run may last."""
    deadline = run.meter.deadline
    return seconds if deadline is None else max(0.0, min(seconds, deadline - time.monotonic()))


def _refuse_late(plan: Plan, run: Run) -> None:
    """Let no attempt begin once a ceiling of the run is passed."""
    if (error := run.meter.excess(plan.name)) is not None:
        raise error
