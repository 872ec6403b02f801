"""What exists here: kinds with their ports, roles, shared fields and types, as a registry offers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from grapharc.spec.document import Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.types import Missing, Type

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
SUBGRAPH_ENTRY = "grapharc.stdlib_kinds.control.control:run_graph"
"""The entry of the kind ``graph``, by which it is told from all others, whatever a manifest or a use calls it."""

FAIL_ENTRY = "grapharc.stdlib_kinds.control.control:fail"
"""The entry of the kind that does nothing but fail."""

SURE_ENTRIES = frozenset(
    {"grapharc.stdlib_kinds.control.control:hand_on", "grapharc.stdlib_kinds.control.control:set_value"}
)
"""The entries of kinds that do nothing which could go wrong; a value that does not fit ends the run, and is no failure.

No manifest can promise so much of its code: that a kind never fails is known of code of ours alone."""

REVIEW_ENTRY = "grapharc.stdlib_kinds.verification.claims:check_claims"
"""The entry of the kind that asks a reviewer about claims: who wrote them must be somebody else."""

_OURS = "grapharc.stdlib_kinds."
_VERIFICATION = f"{_OURS}verification."
_ACCEPTED = frozenset({"accepted"})

CAPABILITIES: tuple[Capability, ...] = get_args(Capability)
WORKSPACE_CAPABILITIES: tuple[Capability, ...] = ("read_files", "write_files", "run_command")
"""Those of which each gives a kind the workspace."""
Reducer: TypeAlias = Literal["last", "append", "union", "merge", "sum", "min", "max"]
Dimension: TypeAlias = Literal["tokens", "usd", "seconds", "iterations"]
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

    @property
    def is_ours(self) -> bool:
        """Whether its code is ours, and asks for models by our backends alone: an owner's code may know other ways."""
        return self.entry.startswith(_OURS)

    @property
    def is_graph(self) -> bool:
        """Whether nodes of it are subgraphs: their ports are the fields of the graph that they name."""
        return self.entry == SUBGRAPH_ENTRY

    @property
    def always_fails(self) -> bool:
        """Whether nothing but an error edge leads on from it."""
        return self.entry == FAIL_ENTRY

    @property
    def never_fails(self) -> bool:
        """Whether no error edge of it can be taken, but for a timeout or a list that is too long."""
        return self.entry in SURE_ENTRIES

    @property
    def passing(self) -> frozenset[str] | None:
        """The output ports by which alone it hands on what has passed it, None where each does.

        Our verifiers write what they rejected, too, and what they say of it.
        """
        return _ACCEPTED if self.entry.startswith(_VERIFICATION) else None


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
    path: str = ""
    """The document of the selection; empty where none is named, and every shipped kind exists."""
    shipped: frozenset[str] = frozenset()
    """The names of all shipped kinds, selected or not."""

    @property
    def where_to_add(self) -> Mapping[str, str]:
        """What a remedy says of where a kind or a role would be added: in the selection, or how one is named."""
        return {"registry": self.path} if self.path else {"project_file": "grapharc.toml"}
