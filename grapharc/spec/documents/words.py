"""The words that document models are spelt with: names, rows, shorthands, ranges; marks on types, and no more.

A mark changes nothing for a type checker. The baking of schemas reads it, and so does the schema generator. Keys
that Python cannot spell, or spells otherwise, are translated by :func:`key_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

from grapharc.spec.json_value import Json
from grapharc.spec.types import Missing

RowT = TypeVar("RowT")

_KEYS = {
    "schema_": "$schema",
    "as_": "as",
    "from_": "from",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique_items": "uniqueItems",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}


def key_of(attribute: str) -> str:
    """Return the key of a document that an attribute of a model stands for."""
    return _KEYS.get(attribute, attribute)


CLOSED: dict[str, object] = {"extra": "forbid", "alias_generator": key_of, "use_attribute_docstrings": True}
"""The pydantic configuration of every model: unknown keys are errors."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name that is declared here, under the rule for names, for fields or for nodes."""

    rule: Literal["name", "field", "node"]


@dataclass(frozen=True, slots=True)
class Short:
    """A table that may be written as its ``key``'s value alone: ``"string"`` for ``{type = "string"}``."""

    key: str


@dataclass(frozen=True, slots=True)
class Each:
    """A table that may be written as one value, which then holds for each of its keys."""


@dataclass(frozen=True, slots=True)
class One:
    """A list that may be written as its only item."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of tables, kept by index so that a row that had to be left out moves no other."""


@dataclass(frozen=True, slots=True)
class Within:
    """A number or a length between bounds, those included unless it must be ``above``."""

    least: int | None = None
    most: int | None = None
    above: int | None = None


@dataclass(frozen=True, slots=True)
class Free:
    """Any JSON value; what it must be, somebody else decides."""


Text: TypeAlias = str
Name: TypeAlias = Annotated[str, Named("name")]
FieldName: TypeAlias = Annotated[str, Named("field")]
NodeName: TypeAlias = Annotated[str, Named("node")]
Filled: TypeAlias = Annotated[str, Within(least=1)]
Count: TypeAlias = Annotated[int, Within(least=0)]
Positive: TypeAlias = Annotated[int, Within(least=1)]
Amount: TypeAlias = Annotated[float, Within(least=0)]
Duration: TypeAlias = Annotated[float, Within(above=0)]

Rows: TypeAlias = Annotated[Mapping[int, RowT], Listed()]
"""Tables by their index in the document's list."""

if TYPE_CHECKING:
    Anything: TypeAlias = Json
    Default: TypeAlias = Json | Missing
else:
    Anything = Annotated[object, Free()]
    Default = Annotated[object, Free()]


def table() -> dict[Any, Any]:
    """Return the empty table that stands for one that was not written."""
    return {}
