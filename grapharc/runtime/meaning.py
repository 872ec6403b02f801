"""What was raised in the code of an activation goes in; what that means for its node or its run comes out."""

from __future__ import annotations

import asyncio

from grapharc.runtime.activation import Activation
from grapharc.runtime.budget import Halt
from grapharc.runtime.clocks import Overtime
from grapharc.runtime.errors import NodeFailed, NodeTimedOut
from grapharc.runtime.failures import classify


def meaning(activation: Activation, raised: BaseException) -> BaseException:
    """A denial or a ceiling that is passed explains all; then a timeout; then what ends more than this node; else it
    failed."""
    if isinstance(raised, Halt) and raised.owner is activation:
        return raised.error
    if activation.denied is not None:
        return activation.denied
    if (excess := activation.excess()) is not None:
        return excess
    if activation.timed_out and isinstance(raised, Exception | Overtime):
        return timed_out(activation, raised)
    if _comes_from_outside(activation, raised):
        return raised
    plan, reason = activation.plan, classify(raised)
    words, tried, index = words_of(raised), activation.attempt, activation.index
    return NodeFailed(plan.name, plan.kind, raised, words, reason=reason, attempts=tried, index=index)


def timed_out(activation: Activation, raised: BaseException) -> NodeTimedOut:
    """Return the failure of an attempt that took as long as it may."""
    plan = activation.plan
    limit = plan.timeout or 0.0
    return NodeTimedOut(plan.name, plan.kind, raised, limit, attempts=activation.attempt, index=activation.index)


def words_of(raised: BaseException) -> str:
    """Return the words of an exception, whatever its class makes of them."""
    try:
        return str(raised)
    except Exception as broken:
        return f"its message cannot be shown: {type(broken).__name__}"


def _comes_from_outside(activation: Activation, raised: BaseException) -> bool:
    """Tell what ends more than this node, a ceiling of a run around this one included, from what a function raises."""
    match raised:
        case asyncio.CancelledError():
            return _is_being_cancelled()
        case GeneratorExit():
            return activation.plan.asynchronous or activation.plan.is_subgraph
        case _:
            return isinstance(raised, KeyboardInterrupt | Halt | Overtime)


def _is_being_cancelled() -> bool:
    """Tell a cancellation from a CancelledError that the function raised itself."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0
