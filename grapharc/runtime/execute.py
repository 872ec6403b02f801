"""A node's plan, its view of the state and the run go in; its checked writes come out, or the error that ends the run.

This is the discipline around every node: it is counted, recorded and timed, its model calls are charged, and what it
returns is checked. Nothing that an activation wrote leaves here once it has overrun.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import Token
from inspect import isawaitable
from typing import TypeAlias, TypeGuard

from grapharc.runtime.activation import Activation, Plan, Run
from grapharc.runtime.budget import Halt
from grapharc.runtime.charges import Charges, in_force
from grapharc.runtime.clocks import Overtime, current
from grapharc.runtime.context import Context
from grapharc.runtime.contracts import View
from grapharc.runtime.deadline import guarded, guarded_task, guarded_thread
from grapharc.runtime.errors import NodeFailed, RunError
from grapharc.spec.json_value import Json

_Entered: TypeAlias = "tuple[Token[object | None], Token[Charges | None]]"


def execute(plan: Plan, view: View, run: Run) -> dict[str, Json]:
    """Run a node whose function is no coroutine. Raises RunError."""
    activation = _begin(plan, run)
    try:
        call = _call(activation, view)
        entered = _enter(activation)
        try:
            returned = guarded(call, activation, activation.deadline)
        finally:
            _exit(entered)
        return _end(activation, returned)
    except BaseException as raised:
        error = _fail(activation, raised)
        if error is raised:
            raise
        raise error from raised
    finally:
        run.meter.end()


async def execute_async(plan: Plan, view: View, run: Run) -> dict[str, Json]:
    """Run a node; a function that is no coroutine runs in another thread. Raises RunError."""
    activation = _begin(plan, run)
    try:
        call = _call(activation, view)
        entered = _enter(activation)
        try:
            returned = await _awaited(plan, call, activation)
        finally:
            _exit(entered)
        return _end(activation, returned)
    except BaseException as raised:
        error = _fail(activation, raised)
        if error is raised:
            raise
        raise error from raised
    finally:
        run.meter.end()


def _begin(plan: Plan, run: Run) -> Activation:
    run.meter.begin(plan.name)
    activation = Activation(plan, run)
    if run.trace is not None:
        run.trace.write("start", **_identity(activation))
    return activation


def _call(activation: Activation, view: View) -> Callable[[], object]:
    plan, run = activation.plan, activation.run
    arguments = plan.bind(view)
    if plan.wants_context:
        arguments["ctx"] = Context(plan.grants, run.id, run.store, activation.deadline)
    return lambda: plan.function(**arguments)


def _enter(activation: Activation) -> _Entered:
    activation.inside = True
    return current.set(activation), in_force.set(Charges(activation))


def _exit(entered: _Entered) -> None:
    current.reset(entered[0])
    in_force.reset(entered[1])


async def _awaited(plan: Plan, call: Callable[[], object], activation: Activation) -> object:
    if not plan.asynchronous:
        return await guarded_thread(call, activation, activation.deadline)
    return await guarded_task(_coroutine(call), activation, activation.deadline)


async def _coroutine(call: Callable[[], object]) -> object:
    """Await what a function returns. A SystemExit may not reach the event loop, which would stop for it."""
    made = call()
    try:
        return await made if is_awaitable(made) else made
    except SystemExit as left:
        raise RuntimeError(f"it called sys.exit({left.code!r})") from left


def is_awaitable(value: object) -> TypeGuard[Awaitable[object]]:
    """Tell whether a value can be awaited, as type checkers can follow it."""
    return isawaitable(value)


def _end(activation: Activation, returned: object) -> dict[str, Json]:
    """Check what came back, and that it came in time: code that swallowed its interruption returns late."""
    activation.inside = False
    writes = activation.plan.accept(returned)
    if (error := activation.excess()) is not None:
        raise error
    if (trace := activation.run.trace) is not None:
        outcome: dict[str, Json] = {"writes": writes, "order": activation.plan.order}
        trace.write("end", **_identity(activation), **_measured(activation), **outcome)
    return writes


def _fail(activation: Activation, raised: BaseException) -> BaseException:
    """Record what it means that something was raised, and return that."""
    error = _meaning(activation, raised) if activation.inside else raised
    if isinstance(error, RunError) and activation.run.redactor:
        error.mask(activation.run.redactor.text)
    if (trace := activation.run.trace) is not None:
        trace.write("error", **_identity(activation), **_measured(activation), error=error_record(error))
    return error


def _meaning(activation: Activation, raised: BaseException) -> BaseException:
    """A ceiling that is passed explains all; then what ends more than this node; else the function failed."""
    if (error := activation.excess()) is not None:
        return error
    if isinstance(raised, Halt) and raised.owner is activation:
        return raised.error
    if _comes_from_outside(activation, raised):
        return raised
    return NodeFailed(activation.plan.name, activation.plan.kind, raised, _words(raised))


def _comes_from_outside(activation: Activation, raised: BaseException) -> bool:
    """Tell what ends more than this node, a ceiling of a run around this one included, from what a function raises."""
    match raised:
        case asyncio.CancelledError():
            return _is_being_cancelled()
        case GeneratorExit():
            return activation.plan.asynchronous
        case _:
            return isinstance(raised, KeyboardInterrupt | Halt | Overtime)


def _is_being_cancelled() -> bool:
    """Tell a cancellation from a CancelledError that the function raised itself."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0


def _words(raised: BaseException) -> str:
    try:
        return str(raised)
    except Exception as broken:
        return f"its message cannot be shown: {type(broken).__name__}"


def _identity(activation: Activation) -> dict[str, Json]:
    return {"node": activation.plan.name, "kind": activation.plan.kind, "activation": activation.number}


def _measured(activation: Activation) -> dict[str, Json]:
    duration = round((time.monotonic() - activation.began) * 1000, 3)
    return (
        {"duration": duration}
        if activation.tally is None
        else {"duration": duration, "spent": activation.tally.record()}
    )


def error_record(error: BaseException) -> Json:
    """Return an error as the trace has it: a code, the type of what was raised, its words."""
    if isinstance(error, NodeFailed):
        return {"code": error.code, "type": type(error.cause).__name__, "message": error.message}
    code = error.code if isinstance(error, RunError) else "stopped"
    return {"code": code, "type": type(error).__name__, "message": _words(error)}
