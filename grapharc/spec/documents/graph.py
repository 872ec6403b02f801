"""The graph document: what should happen. Names are as written; nothing is looked up yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from grapharc.spec.documents.typed import Head, Remarks, State, Types
from grapharc.spec.documents.words import (
    CLOSED,
    Amount,
    Anything,
    Count,
    Duration,
    FieldName,
    Filled,
    Mark,
    NodeName,
    Positive,
    Rows,
    Texts,
    table,
)
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import END, RETRY_ON, Budget, RetryOn

OnItemError: TypeAlias = Literal["fail", "collect"]


@frozen(kw_only=True)
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


CEILINGS = ("max_tokens", "max_iterations", "max_seconds", "max_usd", "max_concurrency")
"""What may be bounded of a run, in the order in which it is told."""


def ceilings_by_name(budget: Budget | BudgetModel) -> dict[str, int | float | None]:
    """Return every ceiling, None where nobody set one."""
    return {
        "max_tokens": budget.max_tokens,
        "max_iterations": budget.max_iterations,
        "max_seconds": budget.max_seconds,
        "max_usd": budget.max_usd,
        "max_concurrency": budget.max_concurrency,
    }


@frozen(kw_only=True)
class MapModel:
    """Run the node once for each item of a list."""

    __pydantic_config__ = CLOSED

    over: Filled
    """An expression over the state whose value is the list; it is evaluated once."""
    as_: FieldName
    """What an item is called in the node's expressions; it may not be a field's name."""
    item_limit: Positive
    """The longest list; a longer one fails the node before anything runs."""
    concurrency: Positive | None = None
    """The most items at one time; as many as the run allows when left out."""
    on_item_error: OnItemError = "fail"
    """Whether a failed item fails the node, or is left out and collected."""
    failures: Filled | None = None
    """The field, a ``list[Failure]``, in which failed items are collected."""


@frozen(kw_only=True)
class RetryModel:
    """Run the node again when it fails."""

    __pydantic_config__ = CLOSED

    max_attempts: Positive
    """The most attempts, the first one included."""
    backoff_seconds: Amount = 0
    """The wait before the second attempt; it doubles for each one after."""
    max_backoff_seconds: Amount | None = None
    """The longest wait between two attempts."""
    on: Annotated[tuple[RetryOn, ...], Mark({"min_length": 1})] = RETRY_ON
    """What is tried again: ``error`` is everything that is none of the others."""


@frozen(kw_only=True)
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
    map: MapModel | None = None
    """Run the node once for each item of a list."""
    retry: RetryModel | None = None
    """Run the node again when it fails."""
    timeout_seconds: Duration | None = None
    """The longest time that one attempt, of a mapped node one item's, may take."""

    @property
    def kind_name(self) -> str:
        """The kind in use: as written, else the node's own name."""
        return self.name if self.kind is None else self.kind


@frozen(kw_only=True)
class LoopModel:
    """What bounds the rounds of the loop that an edge goes back in."""

    __pydantic_config__ = CLOSED

    max_rounds: Positive
    """The most runs of the header, the first one included, afresh at each entry."""
    progress: Texts = ()
    """Fields of which one must change from round to round."""
    patience: Positive = 1
    """Rounds without a change after which the loop ends."""
    exhausted: Filled = END
    """Where the way leads when the rounds are used up or nothing changes."""


@frozen(kw_only=True)
class EdgeModel(Remarks):
    """One edge."""

    source: Filled
    """The node that the edge leaves, or ``__start__``."""
    target: Filled
    """The node that the edge leads to, or ``__end__``."""
    when: Filled | None = None
    """A condition over the state: of a node's edges with one, the first that is true is taken."""
    otherwise: Literal[True] | None = None
    """Take the edge when no condition of its source is true."""
    on: Literal["error"] | None = None
    """Take the edge when the source still fails after its retries."""
    into: Filled | None = None
    """The field, a ``Failure | null``, that an error edge writes the failure to."""
    loop: LoopModel | None = None
    """The edge goes back to a node before it, and this bounds its rounds."""


@frozen(kw_only=True)
class ChainModel(Remarks):
    """Unconditional edges between neighbours of a list."""

    chain: Annotated[Texts, Mark({"min_length": 2})]
    """Nodes in order, sentinels included."""


Arrow: TypeAlias = EdgeModel | ChainModel


@frozen(kw_only=True)
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
