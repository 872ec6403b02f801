"""A baked schema goes in, the form of its documents comes out: what stands where, seen from the document's side.

Shorthands are written out along a form, faults are traced back along it, and the JSON Schema is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from grapharc.spec.documents.words import Core
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import is_dict
from grapharc.spec.suggest import suggest

FormType: TypeAlias = Literal["any", "bool", "float", "int", "list", "literal", "map", "rows", "str", "table", "union"]


@frozen(slots=False)
class Form:
    """What one place of a document holds. Which attributes say something depends on ``type``."""

    type: FormType
    name: str = ""
    """A table's dataclass."""
    keys: Mapping[str, Form] = field(default_factory=dict[str, "Form"])
    """A table's keys, in the order of its dataclass."""
    required: frozenset[str] = frozenset()
    short: tuple[str, ...] = ()
    """The keys of a table that a text by itself stands for."""
    item: Form | None = None
    """What a list, a map or rows hold."""
    one: bool = False
    """Whether a text by itself stands for a list of it."""
    arguments: bool = False
    """Whether a map is a JSON Schema whose properties are names that are declared."""
    rule: str = ""
    """The rule for a text that is a name, or for the keys of a map."""
    arms: tuple[Form, ...] = ()
    """What a union chooses from."""
    expected: tuple[str | bool, ...] = ()
    """The values that a literal takes."""
    bounds: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of values that may stand here, in the documents' words."""
        match self.type:
            case "union":
                return frozenset(name for arm in self.arms for name in arm.types)
            case "literal":
                return frozenset(type_of(value) for value in self.expected)
            case other:
                return _TYPES[other] | _TYPES["str"] if self.short or self.one else _TYPES[other]

    @cached_property
    def idle(self) -> bool:
        """Whether no shorthand and no name can stand here or beneath."""
        if self.type == "rows" or self.arguments or self.rule or self.short or self.one or self.busy:
            return False
        return all(arm.idle for arm in self.arms) and (self.item is None or self.item.idle)

    @cached_property
    def busy(self) -> tuple[tuple[str, Form], ...]:
        """The keys of a table that are not idle."""
        return tuple((key, form) for key, form in self.keys.items() if not form.idle)

    def takes(self, value: object) -> bool:
        """Tell whether a value is of a type that may stand here."""
        return type_of(value) in self.types

    def choose(self, value: object) -> int:
        """Return the arm of a union that a value is meant for.

        That is one for its type, and among tables the one most of whose required keys it has, or seems to mean. A
        value for none of them counts as meant for the first.
        """
        type_ = type_of(value)
        fitting = [index for index, arm in enumerate(self.arms) if type_ in arm.types]
        if len(fitting) < 2 or not is_dict(value):
            return fitting[0] if fitting else 0
        shares = {index: _share(self.arms[index], value) for index in fitting}
        if not any(shares.values()):
            shares = {index: _seems(self.arms[index], value) for index in fitting}
        return max(fitting, key=lambda index: shares[index])


def type_of(value: object) -> str:
    """Name the type of a value in the words of documents."""
    return _NAMES.get(type(value), type(value).__name__)


_NAMES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "list",
    dict: "table",
}


_TYPES: Mapping[FormType, frozenset[str]] = {
    "any": frozenset({"any"}),
    "bool": frozenset({"boolean"}),
    "float": frozenset({"integer", "number"}),
    "int": frozenset({"integer"}),
    "list": frozenset({"list"}),
    "map": frozenset({"table"}),
    "rows": frozenset({"list"}),
    "str": frozenset({"string"}),
    "table": frozenset({"table"}),
}


def _share(arm: Form, table: dict[object, object]) -> float:
    """The share of its required keys that a table has."""
    return len(arm.required & table.keys()) / max(len(arm.required), 1)


def _seems(arm: Form, table: dict[object, object]) -> float:
    """Whether a required key of an arm seems to be there, misspelt."""
    return float(any(suggest(str(key), arm.required) for key in table.keys() - arm.keys.keys()))


def form_of(core: Core, tables: Mapping[str, Core]) -> Form:
    """Read the form of what a baked schema describes."""
    match core["type"]:
        case "definition-ref":
            return _table(tables[core["schema_ref"]], tables)
        case "default":
            return form_of(core["schema"], tables)
        case "dict":
            rows = core.get("metadata", {}).get("rows", False)
            rule = core["keys_schema"].get("metadata", {}).get("name", "")
            item, arguments = form_of(core["values_schema"], tables), core.get("metadata", {}).get("arguments", False)
            return Form("rows" if rows else "map", item=item, rule=rule, arguments=arguments)
        case "tuple":
            one = core.get("metadata", {}).get("one", False)
            return Form("list", item=form_of(core["items_schema"][0], tables), one=one, bounds=_bounds(core))
        case "union":
            return Form("union", arms=tuple(form_of(arm, tables) for arm, _ in core["choices"]))
        case "literal":
            return Form("literal", expected=tuple(core["expected"]))
        case scalar:
            return Form(scalar, rule=core.get("metadata", {}).get("name", ""), bounds=_bounds(core))


def _table(core: Core, tables: Mapping[str, Core]) -> Form:
    fields = {row.get("validation_alias", row["name"]): row["schema"] for row in core["schema"]["fields"]}
    keys = {key: form_of(schema, tables) for key, schema in fields.items()}
    required = frozenset(key for key, schema in fields.items() if schema["type"] != "default")
    short = core.get("metadata", {}).get("short", "")
    all_of = tuple(keys) if short == "*" else (short,) if short else ()
    return Form("table", name=core["cls"], keys=keys, required=required, short=all_of)


_BOUNDS = ("ge", "gt", "min_length")


def _bounds(core: Core) -> Mapping[str, int]:
    return {bound: core[bound] for bound in _BOUNDS if bound in core}
