"""What graph, registry and manifest share: the tables that give something a type, and the head of every document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import ClassVar, Literal, TypeAlias

from grapharc.spec.documents.words import (
    CLOSED,
    Count,
    Default,
    FieldName,
    Filled,
    Number,
    PortName,
    Rows,
    Step,
    Texts,
    TypeName,
    key_of,
    table,
)
from grapharc.spec.frozen import defaults_of, field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Reducer
from grapharc.spec.types import MISSING


@frozen(kw_only=True)
class Constrained:
    """A type expression, narrowed by JSON Schema's words."""

    __pydantic_config__ = CLOSED
    __short__: ClassVar[str] = "type"

    type: Filled
    """A type expression: ``string``, ``list[Claim]``, ``"low" | "high"``, ``integer | null``."""
    default: Default = MISSING
    """The value when none is given; ``null`` is a value like any other."""
    description: str = ""
    """What it holds, for people; no part of the meaning."""
    minimum: Number | None = None
    """The least number allowed."""
    maximum: Number | None = None
    """The greatest number allowed."""
    exclusive_minimum: Number | None = None
    """Numbers must be greater than this."""
    exclusive_maximum: Number | None = None
    """Numbers must be less than this."""
    multiple_of: Step | None = None
    """Numbers must be a multiple of this."""
    min_length: Count | None = None
    """The least number of characters of a string."""
    max_length: Count | None = None
    """The greatest number of characters of a string."""
    pattern: str | None = None
    """A regular expression (RE2) that a string must match somewhere."""
    min_items: Count | None = None
    """The least number of items of a list."""
    max_items: Count | None = None
    """The greatest number of items of a list."""
    unique_items: bool | None = None
    """Whether no two items of a list may be equal."""
    min_properties: Count | None = None
    """The least number of keys of a map."""
    max_properties: Count | None = None
    """The greatest number of keys of a map."""

    @property
    def constraints(self) -> tuple[tuple[str, Json], ...]:
        """The constraints that were written, by JSON Schema's words, sorted."""
        limits = _limits_of(self)
        if limits == _NO_LIMITS:
            return ()
        written = zip(_CONSTRAINTS, limits, strict=True)
        return tuple(sorted((key_of(name), limit) for name, limit in written if limit is not None))


_CONSTRAINTS = tuple(defaults_of(Constrained))[3:]
_limits_of: Callable[[Constrained], tuple[Json, ...]] = attrgetter(*_CONSTRAINTS)
_NO_LIMITS: tuple[Json, ...] = (None,) * len(_CONSTRAINTS)


@frozen(kw_only=True)
class MemberModel(Constrained):
    """One field of a record."""


@frozen(kw_only=True)
class Suppression:
    """A lint finding that its owner accepts, and why."""

    __pydantic_config__ = CLOSED

    code: Filled
    """The code of the finding."""
    reason: str = ""
    """Why it may stand."""
    until: str = ""
    """The last day on which it may, as ``2027-03-01``."""


@frozen(kw_only=True)
class FieldModel(Constrained):
    """One field of the state."""

    input: bool = False
    """Whether a run is given this field's value; optional when there is a default."""
    output: bool = False
    """Whether a run hands this field's value out."""
    labels: Texts = ()
    """Labels put on whatever is written into the field."""
    reducer: Reducer = "last"
    """How a second write meets the first."""
    suppress: Rows[Suppression] = field(default_factory=table)
    """Lint findings about this that are accepted."""


@frozen(kw_only=True)
class PortModel(Constrained):
    """One input or output port of a kind."""

    format: str | None = None
    """What a string is: ``workspace-path``, ``document-path``, ``role``, ``template``, ``expression``, ``kind``.
    ``workspace-root`` is a folder from which the workspace's other paths are meant. ``store-path``, of an argument,
    is a file of the project that the registry alone names."""


Record: TypeAlias = Mapping[FieldName, MemberModel]
TypeModel: TypeAlias = Filled | Record
"""A string is an alias of a type expression, a table a record of its fields."""

Types: TypeAlias = Mapping[TypeName, TypeModel]
State: TypeAlias = Mapping[FieldName, FieldModel]
Inputs: TypeAlias = Mapping[PortName, PortModel]
Outputs: TypeAlias = Mapping[FieldName, PortModel]


@frozen(kw_only=True)
class Remarks:
    """What nodes, edges, rules and uses take besides their meaning."""

    __pydantic_config__ = CLOSED

    description: str = ""
    """What this is, for people."""
    rationale: str = ""
    """Why it is there, for people."""
    suppress: Rows[Suppression] = field(default_factory=table)
    """Lint findings about this that are accepted."""


@frozen(kw_only=True)
class Head:
    """What every document may say about itself."""

    __pydantic_config__ = CLOSED

    schema_: str = ""
    """The JSON Schema that editors check this document with."""
    format: Literal["1"] = "1"
    """The format of the documents that GraphARC reads."""
    version: str = ""
    """The owner's label for this state of the document."""
    description: str = ""
    """What the document is for."""
