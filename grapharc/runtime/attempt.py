"""A node's plan, its view of the state and the run go in; what one attempt at it came to comes out.

This is the discipline around every call of a kind's function: it is counted, recorded and timed, its model calls are
charged, and what it returns is checked. Nothing that an attempt wrote leaves here once it has overrun.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from inspect import isawaitable
from typing import TypeGuard

from grapharc.runtime.activation import Activation, Plan, Run
from grapharc.runtime.charges import Charges, in_force
from grapharc.runtime.clocks import current
from grapharc.runtime.context import Context
from grapharc.runtime.contracts import View
from grapharc.runtime.deadline import guarded_task, guarded_thread, in_time
from grapharc.runtime.errors import NodeFailed, RunError
from grapharc.runtime.meaning import meaning, timed_out
from grapharc.runtime.records import record_again, record_end, record_error, record_start
from grapharc.runtime.retries import pause_after
from grapharc.runtime.ruled import decides_tools, hold_to_rules, settle_shares
from grapharc.runtime.settled import Again, Settled, diverted, succeeded


def attempt(plan: Plan, view: View, run: Run, number: int, index: int | None = None) -> Settled | Again:
    """Run a node whose function is no coroutine, or one of its items. Raises RunError."""
    activation = _begin(plan, run, number, index)
    try:
        call = _call(activation, view, plan.function)
        with _inside(activation):
            returned = in_time(call, activation, activation.deadline)
        return _end(activation, view, returned)
    except BaseException as raised:
        return _fail(activation, view, raised)
    finally:
        _leave(activation)


async def attempt_async(plan: Plan, view: View, run: Run, number: int, index: int | None = None) -> Settled | Again:
    """Run a node or one of its items; a function that is no coroutine runs in another thread. Raises RunError."""
    activation = _begin(plan, run, number, index)
    try:
        call = _call(activation, view, plan.coroutine or plan.function)
        with _inside(activation):
            returned = await _awaited(plan, call, activation)
        return _end(activation, view, returned)
    except BaseException as raised:
        return _fail(activation, view, raised)
    finally:
        _leave(activation)


def _begin(plan: Plan, run: Run, number: int, index: int | None) -> Activation:
    run.meter.begin(plan.name, waits=plan.is_subgraph)
    activation = Activation(plan, run, number, index)
    record_start(activation)
    return activation


def _call(activation: Activation, view: View, function: Callable[..., object]) -> Callable[[], object]:
    plan, run = activation.plan, activation.run
    arguments = plan.bind(view)
    hold_to_rules(activation, arguments)
    if plan.wants_context:
        decide = decides_tools(activation)
        arguments["ctx"] = Context(plan.grants, run.id, run.store, activation.deadline, activation.index, decide)
    return lambda: function(**arguments)


@contextmanager
def _inside(activation: Activation) -> Generator[None]:
    """Let what a function calls find its activation, and what it is charged to."""
    activation.inside = True
    tokens = current.set(activation), in_force.set(Charges(activation))
    try:
        yield
    finally:
        current.reset(tokens[0])
        in_force.reset(tokens[1])


async def _awaited(plan: Plan, call: Callable[[], object], activation: Activation) -> object:
    if not (plan.asynchronous or plan.is_subgraph):
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


def _end(activation: Activation, view: View, returned: object) -> Settled:
    """Check what came back, and that it came in time: code that swallowed its interruption returns all the same."""
    activation.inside = False
    plan = activation.plan
    writes = plan.accept(returned)
    if (error := activation.excess()) is not None:
        raise error
    if activation.denied is not None:
        raise activation.denied
    if activation.timed_out:
        raise timed_out(activation, TimeoutError())
    settled = succeeded(plan, view, writes) if activation.index is None else Settled(writes)
    record_end(activation, view, settled)
    return settled


def _fail(activation: Activation, view: View, raised: BaseException) -> Settled | Again:
    """Record what it means that something was raised, and say what comes of it. Raises it, unless it is caught."""
    plan = activation.plan
    error = meaning(activation, raised) if activation.inside else raised
    if isinstance(error, RunError) and activation.run.redactor:
        error.mask(activation.run.redactor.text)
    if isinstance(error, NodeFailed):
        seconds = pause_after(plan.retry, error.reason, activation.attempt)
        if seconds is not None:
            record_again(activation, error, seconds)
            return Again(seconds, error)
    settled = diverted(plan, view, error) if activation.index is None else None
    record_error(activation, view, error, settled)
    if settled is not None:
        return settled
    if error is raised:
        raise error
    raise error from raised


def _leave(activation: Activation) -> None:
    settle_shares(activation)
    activation.run.meter.end(waits=activation.plan.is_subgraph)
