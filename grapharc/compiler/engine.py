"""LangGraph's objects, as far as we use them: its own annotations are looser than ours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph

from grapharc.spec.json_value import Json

Checkpointer: TypeAlias = "BaseCheckpointSaver[Any]"
Config: TypeAlias = dict[str, Any]
Values: TypeAlias = "Mapping[str, Json]"
"""Values by channel."""


class Snapshot(Protocol):
    """A kept state."""

    @property
    def values(self) -> Values:
        """The channels that have a value."""
        ...

    @property
    def next(self) -> tuple[str, ...]:
        """The nodes that would run next."""
        ...

    @property
    def created_at(self) -> str | None:
        """When; None where there is no such state."""
        ...

    @property
    def metadata(self) -> Mapping[str, object] | None:
        """What the configuration of the run said."""
        ...


class Inner(Protocol):
    """A compiled LangGraph graph."""

    def stream(
        self, given: Values, config: Config, *, stream_mode: Literal["values"], durability: Literal["sync"] | None
    ) -> Iterator[Values]:
        """Run, and yield the output channels whenever one changed."""
        ...

    def astream(
        self, given: Values, config: Config, *, stream_mode: Literal["values"], durability: Literal["sync"] | None
    ) -> AsyncIterator[Values]:
        """Run on the event loop, and yield the output channels whenever one changed."""
        ...

    def get_state(self, config: Config) -> Snapshot:
        """Return the state of a thread."""
        ...

    def update_state(self, config: Config, values: object, as_node: str | None) -> object:
        """Write to a thread as a node that has just run, and gave this."""
        ...


class Builder(Protocol):
    """A graph that LangGraph is to compile."""

    def add_node(self, node: str, action: object, *, input_schema: type[object] | None = None) -> object:
        """Add a node."""
        ...

    def add_edge(self, start_key: str | Sequence[str], end_key: str) -> object:
        """Add an edge, or a barrier of several starts."""
        ...

    def add_conditional_edges(self, source: str, path: object) -> object:
        """Add what says which nodes come after one."""
        ...

    def compile(self, checkpointer: Checkpointer | None, *, name: str) -> Inner:
        """Compile the graph."""
        ...


def builder(state: type[object], inputs: type[object], outputs: type[object]) -> Builder:
    """Begin a graph with the schemas of its state, its inputs and its outputs."""
    make: Any = StateGraph
    return make(state, input_schema=inputs, output_schema=outputs)
