"""The words that document models are spelt with: names, rows, ranges; marks on types, and nothing that runs.

A mark changes nothing for a type checker. It goes into the pydantic-core schema of its type, from which the validator,
the shorthands and the JSON Schema are made. Keys that Python spells otherwise are translated by :func:`key_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

from grapharc.spec.json_value import Json
from grapharc.spec.types import Missing

RowT = TypeVar("RowT")
NameRule: TypeAlias = Literal["name", "field", "node", "port", "type"]
Core: TypeAlias = dict[str, Any]
"""A pydantic-core schema: nested plain dicts."""

_KEYS = {
    "schema_": "$schema",
    "as_": "as",
    "from_": "from",
    "item_limit": "max_items",
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


CLOSED: dict[str, object] = {"extra": "forbid", "alias_generator": key_of}
"""The pydantic configuration of every model: unknown keys are errors.

A model's ``__short__`` is the key whose value may stand for the whole table (``"string"`` for ``{type = "string"}``),
or ``*`` where one value may stand for every key.
"""


class Mark:
    """Something that a type says besides itself, in words of pydantic-core or, under ``metadata``, in ours."""

    def __init__(self, words: Core) -> None:
        self.words = words

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Core]) -> Core:
        """Add the words to the schema of the marked type. pydantic calls this when schemas are baked."""
        return {**handler(source), **self.words}


class Free:
    """Marks what may be any JSON value; somebody else decides what it must be."""

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> Core:
        """Leave the value alone. pydantic calls this when schemas are baked."""
        return {"type": "any"}


def _named(rule: NameRule) -> Mark:
    return Mark({"metadata": {"name": rule}})


Name: TypeAlias = Annotated[str, _named("name")]
"""A kind, a role, a rule."""
NodeName: TypeAlias = Annotated[str, _named("node")]
FieldName: TypeAlias = Annotated[str, _named("field")]
PortName: TypeAlias = Annotated[str, _named("port")]
TypeName: TypeAlias = Annotated[str, _named("type")]

Filled: TypeAlias = Annotated[str, Mark({"min_length": 1})]
Count: TypeAlias = Annotated[int, Mark({"ge": 0})]
Positive: TypeAlias = Annotated[int, Mark({"ge": 1})]
Amount: TypeAlias = Annotated[float, Mark({"ge": 0})]
Duration: TypeAlias = Annotated[float, Mark({"gt": 0})]
Number: TypeAlias = int | float
Step: TypeAlias = Annotated[int, Mark({"gt": 0})] | Annotated[float, Mark({"gt": 0})]

Texts: TypeAlias = tuple[Filled, ...]
SomeTexts: TypeAlias = Annotated[Texts, Mark({"min_length": 1})]
OneOrMore: TypeAlias = Annotated[Texts, Mark({"min_length": 1, "metadata": {"one": True}})]
"""A list of texts, or the only one of them by itself."""

Rows: TypeAlias = Annotated[Mapping[int, RowT], Mark({"metadata": {"rows": True}})]
"""A list of tables, by index, so that a row that had to be left out moves no other."""

if TYPE_CHECKING:
    Anything: TypeAlias = Json
    Default: TypeAlias = Json | Missing
else:
    Anything = Annotated[object, Free()]
    Default = Annotated[object, Free()]

Arguments: TypeAlias = Annotated[Mapping[str, Anything], Mark({"metadata": {"arguments": True}})]
"""A JSON Schema whose properties are the arguments of a kind."""


_NOT_WRITTEN: dict[Any, Any] = {}


def table() -> dict[Any, Any]:
    """Return the empty table that stands for every one that was not written; nobody puts anything into it."""
    return _NOT_WRITTEN
