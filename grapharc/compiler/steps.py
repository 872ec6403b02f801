"""A plan goes in, what LangGraph runs for it comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

from grapharc.compiler.channels import contribution
from grapharc.compiler.names import channel
from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import MissingRunContextError
from grapharc.runtime.execute import execute, execute_async
from grapharc.spec.json_value import Json

RUN = "grapharc_run"
"""Where the configuration of a LangGraph run holds ours."""


class Step(Runnable[View, dict[str, Any]]):
    """Runs one node under the run that the configuration holds, and gives its writes by channel."""

    def __init__(self, plan: Plan, graph: object, folded: frozenset[str]) -> None:
        self.name = plan.name
        self.plan = plan
        self._graph = graph
        self._folded = folded

    def invoke(self, input: View, config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:  # noqa: A002
        """Run the node in this thread."""
        return self._by_channel(execute(self.plan, input, self._run(config)))

    async def ainvoke(self, input: View, config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:  # noqa: A002
        """Run the node on this event loop, or in a thread beside it."""
        return self._by_channel(await execute_async(self.plan, input, self._run(config)))

    def _run(self, config: RunnableConfig | None) -> Run:
        run = (config or {}).get("configurable", {}).get(RUN)
        if not isinstance(run, Run) or run.graph is not self._graph:
            raise MissingRunContextError(self.plan.name)
        return run

    def _by_channel(self, writes: Mapping[str, Json]) -> dict[str, Any]:
        return {channel(field): self._write(field, value) for field, value in writes.items()}

    def _write(self, field: str, value: Json) -> Json:
        return contribution((self.plan.order,), value, self.plan.name) if field in self._folded else value
