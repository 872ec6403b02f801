"""A compiled graph: inputs go in, LangGraph runs it under budget and trace; a result, or the run's events, come out."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import Literal

from langchain_core.runnables.config import var_child_runnable_config

from grapharc.compiler.apart import apart
from grapharc.compiler.engine import Inner
from grapharc.compiler.runs import OpenRun, Runs
from grapharc.compiler.state import State, StateAccess
from grapharc.runtime.activation import Plan
from grapharc.runtime.refusals import AsyncNodeError
from grapharc.runtime.result import RunResult
from grapharc.runtime.trace import Listener, Record
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Budget

NO_INPUTS: Mapping[str, object] = {}


@frozen(slots=False)
class CompiledGraph:
    """An admitted graph that can be run, any number of times and in many threads at once.

    Every entry point takes the ``inputs`` by field; a ``run_id`` of the caller's; a ``budget``, which can only narrow
    what was admitted; and a ``trace``, a file that is appended to. All raise InputError and AsyncNodeError before
    anything runs, and RunError where a run does not come to its end.

    ``inner`` is LangGraph's object, for looking at: driven directly, its nodes raise MissingRunContextError.
    """

    name: str
    inner: Inner
    plans: Mapping[str, Plan]
    runs: Runs
    state: StateAccess

    def invoke(
        self,
        inputs: Mapping[str, object] = NO_INPUTS,
        *,
        run_id: str | None = None,
        budget: Budget | None = None,
        trace: Path | None = None,
        listeners: Sequence[Listener] = (),
    ) -> RunResult:
        """Run the graph in this thread, nodes that run at once in others; ``listeners`` are called with each event."""
        self._refuse_async()
        with apart():
            return self._drive(self._open(inputs, run_id, budget, trace, listeners))

    async def ainvoke(
        self,
        inputs: Mapping[str, object] = NO_INPUTS,
        *,
        run_id: str | None = None,
        budget: Budget | None = None,
        trace: Path | None = None,
        listeners: Sequence[Listener] = (),
    ) -> RunResult:
        """Run the graph on this event loop, nodes that are no coroutines in threads beside it."""
        with apart():
            return await self._drive_async(self._open(inputs, run_id, budget, trace, listeners))

    def stream(
        self,
        inputs: Mapping[str, object] = NO_INPUTS,
        *,
        run_id: str | None = None,
        budget: Budget | None = None,
        trace: Path | None = None,
    ) -> Iterator[Record]:
        """Run the graph in this thread and yield its events, the records of a trace, after each superstep."""
        self._refuse_async()
        self.runs.check(inputs)
        return self._events(inputs, run_id, budget, trace)

    def astream(
        self,
        inputs: Mapping[str, object] = NO_INPUTS,
        *,
        run_id: str | None = None,
        budget: Budget | None = None,
        trace: Path | None = None,
    ) -> AsyncIterator[Record]:
        """Run the graph on this event loop and yield its events, the records of a trace, as they happen."""
        self.runs.check(inputs)
        return self._events_async(inputs, run_id, budget, trace)

    def get_state(self, run_id: str) -> State:
        """Return the state of a run, and the nodes that would run next. Needs a checkpointer. Raises UpdateError."""
        return self.state.get(run_id)

    def update_state(self, run_id: str, values: Mapping[str, object], *, as_node: str | None = None) -> None:
        """Change the state of a run, checked like a write of ``as_node``, or of nobody. Needs a checkpointer.

        As a node, the run goes on as after one that wrote this. Raises UpdateError, WritePermissionError,
        StateTypeError and ConditionFailed.
        """
        self.state.update(run_id, values, as_node)

    @property
    def durability(self) -> Literal["sync"] | None:
        """What is kept is kept before the run goes on."""
        return "sync" if self.state.kept else None

    def _refuse_async(self) -> None:
        coroutines = tuple(sorted(name for name, plan in self.plans.items() if plan.asynchronous))
        if coroutines:
            raise AsyncNodeError(coroutines)

    def _open(
        self,
        inputs: Mapping[str, object],
        run_id: str | None,
        budget: Budget | None,
        trace: Path | None,
        listeners: Sequence[Listener],
    ) -> OpenRun:
        if run_id is not None:
            self.state.refuse_known(run_id)
        return self.runs.open(inputs, run_id, budget, trace, listeners)

    def _drive(self, opened: OpenRun) -> RunResult:
        latest = self.runs.before(opened)
        try:
            for chunk in self._chunks(opened):
                latest = chunk
        except BaseException as raised:
            self.runs.fail(opened, raised)
            raise
        return self.runs.finish(opened, latest)

    async def _drive_async(self, opened: OpenRun) -> RunResult:
        latest = self.runs.before(opened)
        try:
            async for chunk in self._chunks_async(opened):
                latest = chunk
        except BaseException as raised:
            self.runs.fail(opened, raised)
            raise
        return self.runs.finish(opened, latest)

    def _chunks(self, opened: OpenRun) -> Generator[Mapping[str, Json]]:
        """Let LangGraph run, and yield the output channels' values whenever one changed."""
        yield from self.inner.stream(opened.given, opened.config, stream_mode="values", durability=self.durability)

    async def _chunks_async(self, opened: OpenRun) -> AsyncIterator[Mapping[str, Json]]:
        chunks = self.inner.astream(opened.given, opened.config, stream_mode="values", durability=self.durability)
        async for chunk in chunks:
            yield chunk

    def _events(
        self, inputs: Mapping[str, object], run_id: str | None, budget: Budget | None, trace: Path | None
    ) -> Generator[Record]:
        events: deque[Record] = deque()
        opened = self._open(inputs, run_id, budget, trace, [events.append])
        context = copy_context()
        context.run(var_child_runnable_config.set, None)
        chunks, latest = self._chunks(opened), self.runs.before(opened)
        failure: BaseException | None = None
        try:
            while True:
                yield from _taken(events)
                latest = context.run(next, chunks)
        except StopIteration:
            self.runs.finish(opened, latest)
        except BaseException as raised:
            context.run(chunks.close)
            self.runs.fail(opened, raised)
            if isinstance(raised, GeneratorExit):
                raise
            failure = raised
        yield from _taken(events)
        if failure is not None:
            raise failure

    async def _events_async(
        self, inputs: Mapping[str, object], run_id: str | None, budget: Budget | None, trace: Path | None
    ) -> AsyncIterator[Record]:
        events: asyncio.Queue[Record | None] = asyncio.Queue()
        put = asyncio.get_running_loop().call_soon_threadsafe
        opened = self._open(inputs, run_id, budget, trace, [lambda event: put(events.put_nowait, event) and None])
        context = copy_context()
        context.run(var_child_runnable_config.set, None)
        task = asyncio.create_task(self._drive_async(opened), context=context)
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})


def _taken(events: deque[Record]) -> Iterator[Record]:
    while events:
        yield events.popleft()
