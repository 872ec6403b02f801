"""Activations and what becomes of them go in; the records of a trace come out, where there is one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from grapharc.runtime.activation import Activation, Plan, Run
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import Denied, NodeFailed, RunError
from grapharc.runtime.meaning import words_of
from grapharc.runtime.outcomes import Left
from grapharc.runtime.settled import Settled
from grapharc.runtime.trace import Event
from grapharc.spec.json_value import Json


def record_start(activation: Activation) -> None:
    """Record that an activation begins."""
    if (trace := activation.run.trace) is not None:
        trace.write("start", **_identity(activation), step=activation.run.meter.step)


def record_end(activation: Activation, view: View, settled: Settled) -> None:
    """Record that an activation ended well; of an item, what it gives to its node's writes."""
    if activation.run.trace is None:
        return
    if activation.index is not None:
        _record(activation, "end", {"gives": settled.writes})
        return
    _record(activation, "end", settlement(activation.plan, view, settled))
    record_left(activation.run, activation.plan, settled)


def record_again(activation: Activation, error: BaseException, seconds: float) -> None:
    """Record that an activation failed, and that its node is tried again after some seconds."""
    _record(activation, "error", {"error": error_record(error), "again": seconds})


def record_error(activation: Activation, view: View, error: BaseException, settled: Settled | None) -> None:
    """Record that an activation failed, and what its error edge made of that, if it took one."""
    plan, run = activation.plan, activation.run
    if settled is None:
        _record(activation, "error", {"error": error_record(error)})
        if activation.index is None:
            record_failed(run, plan, view, error)
    else:
        _record(activation, "error", {"error": error_record(error), **settlement(plan, view, settled)})
        record_left(run, plan, settled)


class MapRecord:
    """Records one run of a node that runs once for each item."""

    def __init__(self, plan: Plan, run: Run) -> None:
        self._plan, self._run = plan, run
        self._began = time.monotonic()
        self._items: int | None = None

    def start(self, items: int) -> None:
        """Record that a list of so many items is there."""
        self._items = items
        self._write("map_start", {})

    def end(self, view: View, settled: Settled, failed: int) -> None:
        """Record that the node ended well, with so many items left out."""
        self._write("map_end", {**self._duration(), "failed": failed, **settlement(self._plan, view, settled)})
        record_left(self._run, self._plan, settled)

    def error(self, view: View, error: BaseException, settled: Settled | None) -> None:
        """Record that the node failed, and what its error edge made of that, if it took one."""
        if self._items is None:
            self._write("map_start", {})
        said = {**self._duration(), "error": error_record(error)}
        if settled is None:
            self._write("map_error", said)
            record_failed(self._run, self._plan, view, error)
        else:
            self._write("map_error", {**said, **settlement(self._plan, view, settled)})
            record_left(self._run, self._plan, settled)

    def _duration(self) -> dict[str, Json]:
        return {"duration": _milliseconds(self._began)}

    def _write(self, event: Event, values: Mapping[str, Json]) -> None:
        if (trace := self._run.trace) is not None:
            counted: dict[str, Json] = {} if self._items is None else {"items": self._items}
            trace.write(event, node=self._plan.name, kind=self._plan.kind, **counted, **values)


def settlement(plan: Plan, view: View, settled: Settled) -> dict[str, Json]:
    """Return what a trace says of what a node came to."""
    said: dict[str, Json] = {"writes": settled.writes, "order": list(plan.place(view))}
    return said if settled.decision is None else {**said, "to": list(settled.decision.targets)}


def record_left(run: Run, plan: Plan, settled: Settled) -> None:
    """Record the loops that are left."""
    if settled.decision is not None:
        _record_loops(run, plan, settled.decision.left)


def record_failed(run: Run, plan: Plan, view: View, error: BaseException) -> None:
    """Record the loops around a node whose failure ends the run."""
    if isinstance(error, NodeFailed) and plan.around:
        _record_loops(run, plan, [Left(loop.header, loop.round_in(view), "failed") for _, loop in plan.around[::-1]])


def error_record(error: BaseException) -> Mapping[str, Json]:
    """Return an error as the trace has it: a code, the type of what was raised, its words."""
    if isinstance(error, NodeFailed):
        return {"code": error.code, "type": type(error.cause).__name__, "message": error.message}
    if isinstance(error, Denied):
        by: dict[str, Json] = {"policy": error.policy, "rule": error.rule}
        return {"code": error.code, "type": type(error).__name__, "message": words_of(error), **by}
    code = error.code if isinstance(error, RunError) else "stopped"
    return {"code": code, "type": type(error).__name__, "message": words_of(error)}


def _record_loops(run: Run, plan: Plan, left: Iterable[Left]) -> None:
    if run.trace is not None:
        for header, rounds, reason in left:
            run.trace.write("loop", header=header, node=plan.name, rounds=rounds, reason=reason)


def _record(activation: Activation, event: Event, values: Mapping[str, Json]) -> None:
    if (trace := activation.run.trace) is None:
        return
    spent: dict[str, Json] = {} if activation.tally is None else {"spent": activation.tally.record()}
    trace.write(event, **_identity(activation), duration=_milliseconds(activation.began), **spent, **values)


def _milliseconds(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 3)


def _identity(activation: Activation) -> dict[str, Json]:
    plan = activation.plan
    identity: dict[str, Json] = {"node": plan.name, "kind": plan.kind, "activation": activation.number}
    if plan.retry is not None:
        identity["attempt"] = activation.attempt
    if activation.index is not None:
        identity["index"] = activation.index
    return identity
