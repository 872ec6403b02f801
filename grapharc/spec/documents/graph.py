"""The graph document: what should happen. Names are as written; nothing is looked up yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from grapharc.spec.documents.typed import Head, Remarks, State, Types
from grapharc.spec.documents.words import (
    CLOSED,
    Amount,
    Anything,
    Count,
    Duration,
    Filled,
    Mark,
    NodeName,
    Positive,
    Rows,
    Texts,
    table,
)
from grapharc.spec.frozen import field, frozen


@frozen(slots=False, kw_only=True)
class BudgetModel:
    """Ceilings of one run."""

    __pydantic_config__ = CLOSED

    max_tokens: Count | None = None
    """The most tokens, prompts and replies together."""
    max_iterations: Count | None = None
    """The most activations of nodes and turns of agents, retries included."""
    max_seconds: Duration | None = None
    """The longest time, by the wall clock; waiting for people does not count."""
    max_usd: Amount | None = None
    """The most money for models, in US dollars."""
    max_concurrency: Positive | None = None
    """The most nodes that run at one time."""


@frozen(slots=False, kw_only=True)
class NodeModel(Remarks):
    """One node: a kind, with arguments, bound to the state."""

    name: NodeName
    """The node's name, the only one of its graph."""
    kind: Filled | None = None
    """The kind as the registry offers it; the node's name when left out."""
    args: Mapping[str, Anything] = field(default_factory=table)
    """Arguments, checked against the kind's schema."""
    reads: Mapping[str, str] = field(default_factory=table)
    """Input ports and the expression over the state that each takes its value from."""
    writes: Mapping[str, str] | None = None
    """Output ports and the field that each goes to; when given, nothing else is written."""

    @property
    def kind_name(self) -> str:
        """The kind in use: as written, else the node's own name."""
        return self.name if self.kind is None else self.kind


@frozen(slots=False, kw_only=True)
class EdgeModel(Remarks):
    """One edge."""

    source: Filled
    """The node that the edge leaves, or ``__start__``."""
    target: Filled
    """The node that the edge leads to, or ``__end__``."""


@frozen(slots=False, kw_only=True)
class ChainModel(Remarks):
    """Unconditional edges between neighbours of a list."""

    chain: Annotated[Texts, Mark({"min_length": 2})]
    """Nodes in order, sentinels included."""


Arrow: TypeAlias = EdgeModel | ChainModel


@frozen(slots=False, kw_only=True)
class GraphModel(Head):
    """A graph document."""

    name: str = ""
    """What the graph is called in records."""
    types: Types = field(default_factory=table)
    """Named types: a string is an alias, a table a record."""
    state: State = field(default_factory=table)
    """The typed contract of the state; a bare string is the field's type."""
    budget: BudgetModel = field(default_factory=BudgetModel)
    """Ceilings of one run of this graph."""
    nodes: Rows[NodeModel] = field(default_factory=table)
    """The nodes."""
    edges: Rows[Arrow] = field(default_factory=table)
    """The edges, between nodes and from and to the sentinels."""
