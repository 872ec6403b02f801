"""A plan goes in, what LangGraph runs for it comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.types import Command

from grapharc.compiler.channels import contribution
from grapharc.compiler.names import channel
from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.contracts import View
from grapharc.runtime.execute import execute, execute_async
from grapharc.runtime.outcomes import Control, decide
from grapharc.runtime.refusals import MissingRunContextError
from grapharc.runtime.settled import Settled, succeeded
from grapharc.spec.json_value import Json

RUN = "grapharc_run"
"""Where the configuration of a LangGraph run holds ours."""

AT = "langgraph_step"
"""Where LangGraph tells a node in which superstep it runs; in a run that was resumed it counts on."""


class Step(Runnable[View, Any]):
    """Runs one node under the run that the configuration holds; gives its writes by channel, and where it goes on."""

    def __init__(self, plan: Plan, graph: object, folded: frozenset[str]) -> None:
        self.name = plan.name
        self.plan = plan
        self._graph = graph
        self._folded = folded

    def invoke(self, input: View, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002
        """Run the node in this thread."""
        return self._told(input, execute(self.plan, input, self._run(config)))

    async def ainvoke(self, input: View, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002
        """Run the node on this event loop, or in a thread beside it."""
        return self._told(input, await execute_async(self.plan, input, self._run(config)))

    def after(self, view: View, writes: Mapping[str, Json]) -> Any:
        """Return what LangGraph is told if the node is taken to have written this. Raises ConditionFailed."""
        return self._told(view, succeeded(self.plan, view, dict(writes)))

    def _run(self, config: RunnableConfig | None) -> Run:
        known = config or {}
        run = known.get("configurable", {}).get(RUN)
        if not isinstance(run, Run) or run.graph is not self._graph:
            raise MissingRunContextError(self.plan.name)
        run.meter.reach(known.get("metadata", {}).get(AT, 0))
        return run

    def _told(self, view: View, settled: Settled) -> Any:
        update = {channel(field): self._write(view, field, value) for field, value in settled.writes.items()}
        decision = settled.decision
        if decision is None:
            return update
        update.update(decision.hidden)
        return Command(update=update, goto=decision.goto) if decision.goto else update

    def _write(self, view: View, field: str, value: Json) -> Json:
        return contribution(self.plan.place(view), value, self.plan.name) if field in self._folded else value


class Merge(Runnable[object, dict[str, Any]]):
    """Does nothing: a part of what a join waits for has come."""

    def __init__(self, name: str) -> None:
        self.name = name

    def invoke(self, input: object, config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:  # noqa: A002
        """Write nothing."""
        del input, config
        return {}

    async def ainvoke(self, input: object, config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:  # noqa: A002
        """Write nothing."""
        del input, config
        return {}


class WayIn(Runnable[View, Sequence[str]]):
    """Says where a run begins that begins with a branch. Raises ConditionFailed."""

    name = "way in"

    def __init__(self, control: Control) -> None:
        self._control = control

    def invoke(self, input: View, config: RunnableConfig | None = None, **_: Any) -> Sequence[str]:  # noqa: A002
        """Return LangGraph's nodes."""
        del config
        return list(decide(self._control, input, {}).goto)
