"""The inputs of a run go in, a run that is open comes out; how it ended goes in, its result comes out.

Whoever opens a run closes it: each has one ``run_start`` and, unless its process dies, one ``run_stop``.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from grapharc.compiler.channels import GIVEN, contribution
from grapharc.compiler.inputs import checked_inputs, starting_value
from grapharc.compiler.lower import LOWERING
from grapharc.compiler.names import CAPPED, channel
from grapharc.compiler.state import metadata
from grapharc.compiler.steps import RUN
from grapharc.runtime.activation import Activation, Run
from grapharc.runtime.budget import Meter, least
from grapharc.runtime.clocks import current
from grapharc.runtime.errors import RunError, TraceLost
from grapharc.runtime.records import error_record
from grapharc.runtime.redact import Redactor
from grapharc.runtime.result import RunResult, Stop
from grapharc.runtime.slots import InnerSlots, Line, Slots
from grapharc.runtime.spending import Bound, accounts
from grapharc.runtime.trace import FORMAT, Listener, Trace
from grapharc.spec.documents.graph import ceilings_by_name
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Budget
from grapharc.spec.offers import Field
from grapharc.spec.types import Missing
from grapharc.spec.values import copy_value
from grapharc.spec.version import VERSION


@frozen(slots=False)
class OpenRun:
    """A run that has begun: itself, its inputs, what LangGraph is given for them, and its configuration."""

    run: Run
    inputs: dict[str, Json]
    given: Mapping[str, Any]
    config: dict[str, Any]


@frozen(slots=False)
class Runs:
    """Opens and closes the runs of one compiled graph.

    ``admission`` is what each trace says of what admitted it; ``fingerprint`` is the same as one text, which goes with
    checkpoints. ``steps`` bounds LangGraph's own supersteps: what runs inside a node has bounds of its own. ``waiting``
    is the number of nodes that only wait: for their items, or for what runs in them.
    """

    identity: object
    name: str
    version: str
    fields: Mapping[str, Field]
    budget: Budget
    steps: int
    admission: Mapping[str, Json]
    fingerprint: str
    redactor: Redactor
    waiting: int = 0
    bounds: tuple[Bound, ...] = ()
    decided: tuple[Mapping[str, Json], ...] = ()
    """The decisions of the admission, as traces have them."""

    def step_limit(self, used: int | None = None) -> int:
        """Return what LangGraph is to be told for a run to take the bound on supersteps, and not one more.

        A resumed run has ``used`` some, as many as its checkpoint's ``step``: LangGraph would allow it as much as a new
        run. LangGraph counts two more in a new run, its input and its end; and less than one step cannot be told.
        """
        return self.steps + 1 if used is None else max(self.steps - used - 1, 1)

    def check(self, inputs: Mapping[str, object]) -> None:
        """Check the inputs of a run. Raises InputError."""
        checked_inputs(self.fields, inputs)

    def open(
        self,
        inputs: Mapping[str, object],
        run_id: str | None,
        budget: Budget | None,
        trace: Path | None,
        listeners: Sequence[Listener] = (),
    ) -> OpenRun:
        """Check the inputs and begin. Raises InputError, and OSError where the trace cannot be begun."""
        values = checked_inputs(self.fields, inputs)
        ceilings = self.budget if budget is None else least(self.budget, budget)
        run_id = run_id or uuid4().hex[:12]
        record = Trace(run_id, trace, listeners, self.redactor) if trace is not None or listeners else None
        slots = Slots(ceilings.max_concurrency) if self.waiting and ceilings.max_concurrency is not None else None
        run = Run(self.identity, run_id, Meter(ceilings), record, self.redactor, current.get(), slots)
        run.accounts = accounts(self.bounds)
        if record is not None:
            record.write("run_start", **self._start(values, ceilings))
            for decision in self.decided:
                record.write("decision", stage="admission", **decision)
        return OpenRun(run, values, self._channels(values), self._config(run, ceilings))

    @contextmanager
    def entry(self, inputs: Mapping[str, object], outer: Activation) -> Generator[OpenRun]:
        """Begin an entry of a subgraph: a run of its own for its state and its budget, a part of the outer run for all
        else. However it ends, its steps count for that. Raises InputError."""
        opened = self._enter(inputs, outer)
        try:
            yield opened
        finally:
            opened.run.meter.leave()

    def _enter(self, inputs: Mapping[str, object], outer: Activation) -> OpenRun:
        around = outer.run
        values = checked_inputs(self.fields, inputs)
        bound = least(Budget(max_concurrency=around.meter.budget.max_concurrency), self.budget)
        ceilings = replace(self.budget, max_concurrency=bound.max_concurrency)
        run = Run(
            self.identity,
            around.id,
            Meter(ceilings, around.meter, outer.deadline, outer.plan.name),
            None if around.trace is None else around.trace.inside(outer.number),
            around.redactor,
            outer,
            self._slots(around),
            around.store,
            around.numbers,
            around.accounts,
        )
        if run.trace is not None:
            run.trace.write("graph_start", node=outer.plan.name, **self._state(values))
        return OpenRun(run, values, self._channels(values), self._config(run, ceilings))

    def leave(self, opened: OpenRun, latest: Mapping[str, Json], outer: Activation) -> dict[str, Json]:
        """Close an entry of a subgraph that came to its end, and return its outputs."""
        outer.run.capped |= self._is_capped(opened, latest)
        return self._outputs(latest)

    def before(self, opened: OpenRun) -> Mapping[str, Json]:
        """Return the outputs' values by channel before anything ran: LangGraph tells only those that change."""
        started = {field.name: starting_value(field) for field in self.fields.values() if field.output}
        values = {name: value for name, value in started.items() if not isinstance(value, Missing)} | opened.inputs
        return {channel(name): value for name, value in values.items()}

    def finish(self, opened: OpenRun, latest: Mapping[str, Json]) -> RunResult:
        """Close a run that came to its end by itself; ``latest`` are its last values by channel."""
        stop: Stop = "capped" if self._is_capped(opened, latest) else "finished"
        return self._close(opened.run, stop, self._outputs(latest), None)

    def fail(self, opened: OpenRun, raised: BaseException) -> None:
        """Close a run that something ended; an error of ours learns which run that was, and what it had spent."""
        result = self._close(opened.run, stop_of(raised), {}, raised)
        if isinstance(raised, RunError):
            raised.result = result

    def _close(self, run: Run, stop: Stop, outputs: Mapping[str, Json], raised: BaseException | None) -> RunResult:
        spent = run.meter.spent()
        shown = {name: self.redactor.value(value) for name, value in outputs.items()}
        if isinstance(run.trace, Trace):
            duration = round(spent.seconds * 1000, 3)
            ended: dict[str, Json] = {"outputs": outputs} if raised is None else {"error": error_record(raised)}
            try:
                run.trace.write("run_stop", stop=stop, duration=duration, spent=run.meter.record(), **ended)
            except TraceLost as lost:
                lost.result = RunResult(run.id, lost.stop, outputs, shown, spent)
                if raised is None:
                    raise
            finally:
                run.trace.close()
        return RunResult(run.id, stop, outputs, shown, spent)

    def _is_capped(self, opened: OpenRun, latest: Mapping[str, Json]) -> bool:
        return CAPPED in latest or opened.run.capped

    def _outputs(self, latest: Mapping[str, Json]) -> dict[str, Json]:
        return {
            name: copy_value(latest[channel(name)])
            for name, field in self.fields.items()
            if field.output and channel(name) in latest
        }

    def _slots(self, around: Run) -> Line | None:
        """A subgraph with a limit of its own has a line of its own before that of the run around it."""
        own = self.budget.max_concurrency
        if own is None or not self.waiting:
            return around.slots
        return Slots(own) if around.slots is None else InnerSlots(Slots(own), around.slots)

    def _start(self, values: Mapping[str, Json], ceilings: Budget) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "grapharc": VERSION,
            "lowering": LOWERING,
            "graph": {"name": self.name, "version": self.version},
            "admission": self.admission,
            "budget": {name: value for name, value in ceilings_by_name(ceilings).items() if value is not None},
            "inputs": values,
            **self._state(values),
        }

    def _state(self, values: Mapping[str, Json]) -> dict[str, Json]:
        """What each field starts from, and how fields fold what is written to them."""
        started = {name: starting_value(field) for name, field in self.fields.items()}
        return {
            "state": {**{name: value for name, value in started.items() if not isinstance(value, Missing)}, **values},
            "reducers": {name: field.reducer for name, field in self.fields.items() if field.reducer != "last"},
        }

    def _channels(self, values: Mapping[str, Json]) -> dict[str, Json]:
        return {channel(name): self._given(self.fields[name], value) for name, value in values.items()}

    def _given(self, field: Field, value: Json) -> Json:
        return value if field.reducer == "last" else contribution(GIVEN, value, "")

    def _config(self, run: Run, ceilings: Budget) -> dict[str, Any]:
        config: dict[str, Any] = {
            "configurable": {RUN: run, "thread_id": run.id},
            "recursion_limit": self.step_limit(),
            "metadata": metadata(self.fingerprint),
        }
        if ceilings.max_concurrency is not None:
            # Maps and subgraphs only wait for what runs in them, which stands in line with all other nodes.
            config["max_concurrency"] = ceilings.max_concurrency + self.waiting
        return config


def stop_of(raised: BaseException) -> Stop:
    """Say why a run stopped that something ended."""
    if isinstance(raised, RunError):
        return raised.stop
    return "crashed" if isinstance(raised, Exception) else "stopped"
