"""A graph whose every name has been found: what ``link`` gives, and what judges and the compiler read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from grapharc.spec.document import Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.finding import Finding, Place, Placed, Related, Spot
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.offers import Capability, Field, Offer, Registry
from grapharc.spec.templates import Template
from grapharc.spec.types import Type

START = "__start__"
END = "__end__"
Form: TypeAlias = Literal["always", "arm", "error"]
"""How an edge is taken: always, as the arm of a branch, or when its source fails."""


@frozen
class Read(Placed):
    """An input port bound to an expression over state. ``fields`` are the state fields it reads, sorted.

    The port is one of the kind's, or stands in a template of the arguments; ``implicit`` when bound by its name alone.
    """

    port: str
    expression: Checked
    fields: tuple[str, ...]
    implicit: bool
    spot: Spot


@frozen
class Write(Placed):
    """An output port bound to a field; ``implicit`` when by its name alone."""

    port: str
    field: str
    implicit: bool
    spot: Spot


@frozen
class TemplateArg:
    """An argument that is a template: where it is in ``args``, and its parts. The kind gets the rendered text."""

    path: Path
    template: Template


@frozen
class ExpressionArg:
    """An argument that is an expression over state. The kind gets its value."""

    path: Path
    expression: Checked
    fields: tuple[str, ...]
    place: Place


RetryOn: TypeAlias = Literal["timeout", "unavailable", "rate_limited", "error"]
RETRY_ON: tuple[RetryOn, ...] = ("timeout", "unavailable", "rate_limited", "error")


@frozen
class Map:
    """A node that runs once for each item of a list; ``item`` is what its expressions call one.

    A write of a port whose name is in ``joined`` lands concatenated, every other one as a list of what items wrote.
    """

    over: Checked
    item: str
    item_type: Type
    max_items: int
    concurrency: int | None
    collect: bool
    failures: str | None
    joined: tuple[str, ...]
    place: Place


@frozen
class Retry:
    """How often a node that fails is tried, and after which kinds of failure. Waits are seconds."""

    max_attempts: int
    backoff_seconds: float
    max_backoff_seconds: float | None
    on: tuple[RetryOn, ...]
    place: Place


@frozen
class Node(Placed):
    """A node with its kind found, its arguments complete (pins, defaults, texts of files) and its ports bound.

    ``held`` are the kinds that its arguments let it use, in the order of their names. ``subgraph`` is the graph that a
    node of the kind ``graph`` runs; its kind then has the ports that this graph's fields make.
    """

    name: str
    offer: Offer
    args: Mapping[str, Json]
    templates: tuple[TemplateArg, ...]
    expressions: tuple[ExpressionArg, ...]
    held: tuple[Offer, ...]
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    variables: Mapping[str, Type]
    """What the kind's type variables stand for here."""
    roles: tuple[str, ...]
    """Roles named by its arguments, sorted."""
    map: Map | None
    retry: Retry | None
    timeout_seconds: float | None
    spot: Spot
    subgraph: LinkedGraph | None = None

    @property
    def max_attempts(self) -> int:
        """How often it is tried at most."""
        return 1 if self.retry is None else self.retry.max_attempts

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """What the node may touch, itself, by a kind that it holds or by a node of its subgraph."""
        if self.subgraph is not None:
            inside: set[Capability] = {c for node in self.subgraph.nodes.values() for c in node.capabilities}
            return tuple(sorted(inside.union(self.offer.capabilities)))
        if not self.held:
            return self.offer.capabilities
        together: set[Capability] = {c for offer in (self.offer, *self.held) for c in offer.capabilities}
        return tuple(sorted(together))

    @property
    def labels(self) -> tuple[str, ...]:
        """What is added to all that the node writes, by itself, by a kind that it holds or within its subgraph."""
        if self.subgraph is not None:
            return tuple(sorted({*self.offer.labels, *self.subgraph.labels}))
        if not self.held:
            return self.offer.labels
        return tuple(sorted({label for offer in (self.offer, *self.held) for label in offer.labels}))

    @property
    def fields_read(self) -> tuple[str, ...]:
        """The state fields that it reads, sorted."""
        if not self.expressions and len(self.reads) < 2 and self.map is None:
            return self.reads[0].fields if self.reads else ()
        fields = {field for read in (*self.reads, *self.expressions) for field in read.fields}
        return tuple(sorted(fields if self.map is None else {*fields, *self.map.over.reads}))

    @property
    def fields_written(self) -> tuple[str, ...]:
        """The state fields that it writes if it succeeds, sorted."""
        if len(self.writes) < 2 and self.map is None:
            return (self.writes[0].field,) if self.writes else ()
        fields = {write.field for write in self.writes}
        if self.map is not None and self.map.failures is not None:
            fields.add(self.map.failures)
        return tuple(sorted(fields))


@frozen
class Loop:
    """What bounds the rounds of a loop: runs of the header, and rounds without a change of the progress fields.

    ``named`` tells whether this edge says where a used up loop leads: only then is an end there a regular one.
    """

    max_rounds: int
    progress: tuple[str, ...]
    patience: int
    exhausted: str
    place: Place
    named: bool = True


@frozen
class Edge(Placed):
    """One edge between two nodes or sentinels; its place is where its target is written.

    An ``arm`` has a ``condition``, or none if it is the one for when no condition is true. ``into`` is the field that
    an ``error`` edge writes the failure to. ``loop`` makes it an edge that goes back.
    """

    source: str
    target: str
    spot: Spot
    form: Form = "always"
    condition: Checked | None = None
    into: str | None = None
    loop: Loop | None = None

    @property
    def fields_read(self) -> tuple[str, ...]:
        """The state fields that are read to tell whether it is taken, sorted."""
        condition = () if self.condition is None else self.condition.reads
        if self.loop is None or not self.loop.progress:
            return condition
        return tuple(sorted({*condition, *self.loop.progress}))

    @property
    def used_up(self) -> Edge | None:
        """The edge that is taken when its loop is used up, which is an edge to every rule; None without a loop."""
        if self.loop is None:
            return None
        spot = (self.loop.place.document, *self.loop.place.path, "exhausted")
        return Edge(self.source, self.loop.exhausted, spot, self.form)

    def part(self, *keys: str | int) -> Place:
        """Return the place of another key of the edge, such as ``when``."""
        return Place(self.place.document, (*self.place.path[:2], *keys))


@frozen
class Budget:
    """Ceilings of a run; None where nobody set one."""

    max_tokens: int | None = None
    max_iterations: int | None = None
    max_seconds: float | None = None
    max_usd: float | None = None
    max_concurrency: int | None = None


@frozen(slots=False)
class LinkedGraph:
    """A graph with all that its names mean. ``findings`` are those of reading and linking it and its registry.

    What could not be linked is named, so that nobody reports what merely follows from it: ``unlinked`` are nodes that
    are written down and not in ``nodes``, ``unbound`` those in ``nodes`` whose reads, writes or arguments are not all
    there, ``missing_fields`` declared fields that are not in ``fields``; ``missing_edges`` tells whether an edge is
    written down and not in ``edges``, or a node whose name could not be made out.
    """

    name: str
    version: str
    document: Text
    registry: Registry
    fields: Mapping[str, Field]
    types: Mapping[str, Type]
    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]
    budget: Budget
    files: Mapping[str, str]
    """Texts of the files that arguments name, by path."""
    texts: Mapping[str, Text]
    """Every document that took part, by path, for showing findings."""
    unlinked: frozenset[str]
    unbound: frozenset[str]
    missing_fields: frozenset[str]
    missing_edges: bool
    findings: tuple[Finding, ...]
    failed: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """By node, the fields that surely hold a failure there: all ways to it lead over an error edge that writes one."""
    led_by: tuple[Related, ...] = ()
    """Of a subgraph, the nodes that lead to it, the outermost first, where they name it; by the first way there is."""

    @cached_property
    def subgraphs(self) -> tuple[tuple[str, LinkedGraph], ...]:
        """The nodes that are subgraphs, with the graphs that they run."""
        return tuple((name, node.subgraph) for name, node in self.nodes.items() if node.subgraph is not None)

    @cached_property
    def fields_read(self) -> frozenset[str]:
        """The state fields that any node or edge reads."""
        by_nodes = {field for node in self.nodes.values() for field in node.fields_read}
        return frozenset(by_nodes.union(field for edge in self.edges for field in edge.fields_read))

    @cached_property
    def writers(self) -> Mapping[str, int]:
        """How many nodes write each state field, and how many error edges."""
        found = Counter(field for node in self.nodes.values() for field in node.fields_written)
        found.update(edge.into for edge in self.edges if edge.into is not None)
        return found

    @property
    def every_edge(self) -> tuple[Edge, ...]:
        """The edges, and for each one with a loop that which is taken when the loop is used up."""
        looping = [edge.used_up for edge in self.edges if edge.loop is not None]
        return (*self.edges, *(edge for edge in looping if edge is not None))

    @property
    def path(self) -> str:
        """The path of the graph's own document."""
        return self.document.source.path

    @property
    def labels(self) -> tuple[str, ...]:
        """What its nodes and its fields add to what is written, sorted."""
        of_nodes = {label for node in self.nodes.values() for label in node.labels}
        return tuple(sorted(of_nodes | {label for field in self.fields.values() for label in field.labels}))
