"""A graph whose every name has been found: what ``link`` gives, and what judges and the compiler read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from grapharc.spec.document import Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.templates import Template
from grapharc.spec.types import Missing, Type

START = "__start__"
END = "__end__"

Capability: TypeAlias = Literal[
    "model",
    "network",
    "read_files",
    "write_files",
    "run_command",
    "memory_read",
    "memory_write",
    "human",
    "clock",
    "random",
]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)
Reducer: TypeAlias = Literal["last", "append", "union", "merge", "sum", "min", "max"]
Dimension: TypeAlias = Literal["tokens", "usd", "seconds", "iterations"]
Form: TypeAlias = Literal["always", "arm", "error"]
"""How an edge is taken: always, as the arm of a branch, or when its source fails."""
Amount: TypeAlias = "int | float | Checked"
"""A worst case: a number, or an expression over ``args``, ``timeout_seconds`` and ``size(port)``."""


@frozen
class Port:
    """One input or output of a kind. ``default`` is MISSING for a required input and for every output."""

    name: str
    type: Type
    default: Json | Missing
    format: str | None
    place: Place


@frozen
class Kind:
    """A row of a manifest. ``entry`` is text here: nothing is imported before ``compile``."""

    name: str
    version: str
    summary: str
    entry: str
    manifest: str
    capabilities: tuple[Capability, ...]
    labels: tuple[str, ...]
    endorses: tuple[str, ...]
    idempotent: bool
    tool: bool
    reads: Mapping[str, Port]
    writes: Mapping[str, Port]
    args: Mapping[str, Json]
    """The JSON Schema of its arguments."""
    cost: Mapping[Dimension, Amount]
    env: tuple[str, ...]
    place: Place


@frozen
class Offer:
    """A kind as a registry offers it: the name in use, what is pinned, and what the owner added or overrode."""

    name: str
    kind: Kind
    pins: Mapping[str, Json]
    capabilities: tuple[Capability, ...]
    labels: tuple[str, ...]
    endorses: tuple[str, ...]
    cost: Mapping[Dimension, Amount]
    place: Place


@frozen
class Price:
    """Usd for a million tokens."""

    input: float
    output: float


@frozen
class Role:
    """A model role. ``spec`` is ``backend/model``; a role without a known price cannot be held to a usd ceiling.

    Of ``mock/FILE``, ``file`` is the path of the file; what a mock says costs nothing.
    """

    name: str
    spec: str
    file: str | None
    price: Price | None
    max_tokens: int | None
    place: Place


@frozen
class Field:
    """One field of the state."""

    name: str
    type: Type
    default: Json | Missing
    input: bool
    output: bool
    labels: tuple[str, ...]
    reducer: Reducer
    place: Place


@frozen
class Registry:
    """What exists here. ``types`` are the registry's own and those its kinds export under one meaning.

    ``findings`` are all of reading its documents and opening it. What is written down but could not be made out is
    left out and named, so that nobody reports that it is missing: ``missing_offers`` holds globs over names of kinds.
    """

    name: str
    version: str
    offers: Mapping[str, Offer]
    roles: Mapping[str, Role]
    fields: Mapping[str, Field]
    types: Mapping[str, Type]
    ambiguous: Mapping[str, tuple[str, ...]]
    """Type names that two kinds export differently, with the kinds: an error only where the name is used."""
    texts: Mapping[str, Text]
    """Every document that took part, by path."""
    findings: tuple[Finding, ...]
    missing_offers: tuple[str, ...]
    missing_roles: frozenset[str]
    missing_fields: frozenset[str]
    missing_types: frozenset[str]


@frozen
class Read:
    """An input port bound to an expression over state. ``fields`` are the state fields it reads, sorted.

    The port is one of the kind's, or stands in a template of the arguments; ``implicit`` when bound by its name alone.
    """

    port: str
    expression: Checked
    fields: tuple[str, ...]
    implicit: bool
    place: Place


@frozen
class Write:
    """An output port bound to a field; ``implicit`` when by its name alone."""

    port: str
    field: str
    implicit: bool
    place: Place


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
class Node:
    """A node with its kind found, its arguments complete (pins, defaults, texts of files) and its ports bound.

    ``held`` are the kinds that its arguments let it use, in the order of their names.
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
    place: Place

    @property
    def max_attempts(self) -> int:
        """How often it is tried at most."""
        return 1 if self.retry is None else self.retry.max_attempts

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """What the node may touch, itself or by a kind that it holds."""
        if not self.held:
            return self.offer.capabilities
        together: set[Capability] = {c for offer in (self.offer, *self.held) for c in offer.capabilities}
        return tuple(sorted(together))

    @property
    def labels(self) -> tuple[str, ...]:
        """What is added to all that the node writes, by itself or by a kind that it holds."""
        if not self.held:
            return self.offer.labels
        return tuple(sorted({label for offer in (self.offer, *self.held) for label in offer.labels}))

    @property
    def fields_read(self) -> tuple[str, ...]:
        """The state fields that it reads, sorted."""
        if not self.expressions and len(self.reads) == 1 and self.map is None:
            return self.reads[0].fields
        fields = {field for read in (*self.reads, *self.expressions) for field in read.fields}
        return tuple(sorted(fields if self.map is None else {*fields, *self.map.over.reads}))

    @property
    def fields_written(self) -> tuple[str, ...]:
        """The state fields that it writes if it succeeds, sorted."""
        if len(self.writes) == 1 and self.map is None:
            return (self.writes[0].field,)
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
class Edge:
    """One edge between two nodes or sentinels; ``place`` is where its target is written.

    An ``arm`` has a ``condition``, or none if it is the one for when no condition is true. ``into`` is the field that
    an ``error`` edge writes the failure to. ``loop`` makes it an edge that goes back.
    """

    source: str
    target: str
    place: Place
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
        place = Place(self.loop.place.document, (*self.loop.place.path, "exhausted"))
        return Edge(self.source, self.loop.exhausted, place, self.form)

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


@frozen
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

    @property
    def every_edge(self) -> tuple[Edge, ...]:
        """The edges, and for each one with a loop that which is taken when the loop is used up."""
        return (*self.edges, *(edge.used_up for edge in self.edges if edge.used_up is not None))

    @property
    def path(self) -> str:
        """The path of the graph's own document."""
        return self.document.source.path
