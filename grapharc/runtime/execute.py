"""A node's plan, its view of the state and the run go in; what it has come to comes out, whatever that took."""

from __future__ import annotations

from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.attempts import attempts, attempts_async
from grapharc.runtime.contracts import View
from grapharc.runtime.fan_out import fan_out, fan_out_async
from grapharc.runtime.settled import Settled


def execute(plan: Plan, view: View, run: Run) -> Settled:
    """Run a node whose function is no coroutine. Raises RunError."""
    return attempts(plan, view, run) if plan.fan is None else fan_out(plan, plan.fan, view, run)


async def execute_async(plan: Plan, view: View, run: Run) -> Settled:
    """Run a node; a function that is no coroutine runs in another thread. Raises RunError."""
    if plan.fan is None:
        return await attempts_async(plan, view, run)
    return await fan_out_async(plan, plan.fan, view, run)
