"""A type expression goes in as text; its tree comes out, and with a look-up of names the type it means.

The tree is plain JSON, so that a memo can keep it: ``["name", text, start, end]``, ``["string", value]``,
``["list", tree]``, ``["map", tree]``, ``["union", tree, ...]`` and ``["bounded", name, tree]``. lark is loaded only
for a text without an entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.finding import Value, no_values
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.memo import Memo
from grapharc.spec.package_data import package_data
from grapharc.spec.source import Span
from grapharc.spec.subtype import union_of
from grapharc.spec.suggest import suggest
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NULL, NUMBER, STRING, ListOf, MapOf, Singleton, Type, Variable

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

BUILT_IN: Mapping[str, Type] = {
    "string": STRING,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "json": JSON,
    "null": NULL,
}
APPLIED = ("list", "map")
_MEANT: Mapping[str, str] = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "none": "null",
    "any": "json",
    "list": "list[json]",
    "array": "list[json]",
    "map": "map[json]",
    "dict": "map[json]",
    "object": "map[json]",
}
"""What other languages call types of ours, and ours without what they are of."""

_PLAIN_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*")
_MAX_DEPTH = 32


@frozen
class TypeFault:
    """What is wrong with a type expression, and which part of its text is meant."""

    code: str
    span: Span
    values: Mapping[str, Value] = field(default_factory=no_values)


Lookup: TypeAlias = "Callable[[str, Span], Type | TypeFault]"
"""Finds what a name means; it answers for the names that are not built in."""


def meant(name: str) -> str:
    """Return the type that goes by another name elsewhere, or ""."""
    return _MEANT.get(name.lower(), "")


def parse_type(text: str, memo: Memo, lookup: Lookup) -> tuple[Type | None, tuple[TypeFault, ...]]:
    """Return the type that a text means, or None and every fault in it."""
    tree = type_tree(text, memo)
    if isinstance(tree, TypeFault):
        return None, (tree,)
    faults: list[TypeFault] = []
    meaning = _meaning(tree, lookup, faults)
    return (None if faults else meaning), tuple(faults)


def type_tree(text: str, memo: Memo) -> Json | TypeFault:
    """Return the tree of a type expression, from the memo if it is there."""
    if plain := _PLAIN_NAME.fullmatch(text):
        return ["name", plain[1], plain.start(1), plain.end(1)]
    known = memo.get("type", text)
    if known is None:
        known = _parse(text)
        if isinstance(known, TypeFault):
            return known
        memo.put("type", text, known)
    return known


def _meaning(tree: Json, lookup: Lookup, faults: list[TypeFault]) -> Type:
    match tree:
        case ["name", str(name), int(start), int(end)]:
            found = BUILT_IN.get(name) or lookup(name, Span(start, end))
            if isinstance(found, TypeFault):
                faults.append(found)
                return JSON
            return found
        case ["string", str(value)]:
            return Singleton(value)
        case ["bounded", str(name), bound]:
            return Variable(name, _meaning(bound, lookup, faults))
        case ["list", item]:
            return ListOf(_meaning(item, lookup, faults))
        case ["map", value]:
            return MapOf(_meaning(value, lookup, faults))
        case ["union", *options]:
            return union_of([_meaning(option, lookup, faults) for option in options])
        case _:
            raise ValueError(f"not a type tree: {tree!r}")


def _parse(text: str) -> Json | TypeFault:
    from lark.exceptions import UnexpectedInput

    if _depth(text) > _MAX_DEPTH:
        return TypeFault(
            "type_syntax", Span(0, len(text)), {"expected": f"at most {_MAX_DEPTH} brackets in each other"}
        )
    try:
        tree = _grammar().parse(text)  # pyright: ignore[reportUnknownMemberType] -- lark leaves a parameter untyped
    except UnexpectedInput as error:
        start = _fault_start(error, text)
        return TypeFault("type_syntax", Span(start, min(start + 1, len(text))), {"expected": _EXPECTED})
    faults: list[TypeFault] = []
    plain = _plain(tree.children[0], faults)
    return faults[0] if faults else plain


_EXPECTED = "a name, list[...], map[...] or a string in double quotes, joined by |"


def _fault_start(error: UnexpectedInput, text: str) -> int:
    from lark import Token

    token: object = getattr(error, "token", None)
    if isinstance(token, Token) and token.type == "$END":
        return len(text)
    return error.pos_in_stream or 0


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in text:
        depth += (character in "[(") - (character in "])")
        deepest = max(deepest, depth)
    return deepest


@cache
def _grammar() -> Lark:
    from lark import Lark

    grammar = package_data("spec/type_grammar.lark").decode()
    return Lark(grammar, parser="lalr", propagate_positions=False, maybe_placeholders=False)


def _plain(node: Tree[Token] | Token, faults: list[TypeFault]) -> Json:
    from lark import Token

    if isinstance(node, Token):
        raise TypeError(f"a token stands where a tree must: {node!r}")
    match node.data, node.children:
        case "union", [option]:
            return _plain(option, faults)
        case "union", options:
            return ["union", *_flat(_plain(option, faults) for option in options)]
        case "name", [Token() as name]:
            return ["name", str(name), *_range(name)]
        case "bounded", [Token() as name, Token() as bound]:
            return ["bounded", str(name), ["name", str(bound), *_range(bound)]]
        case "singleton", [Token() as text]:
            return ["string", _unquoted(text, faults)]
        case "applied", [Token() as name, item]:
            if name not in APPLIED:
                faults.append(_unknown_constructor(name))
            return [str(name), _plain(item, faults)]
        case _:
            raise ValueError(f"the grammar has no such rule: {node!r}")


def _flat(options: Iterator[Json]) -> Iterator[Json]:
    for option in options:
        if isinstance(option, Sequence) and option[0] == "union":
            yield from option[1:]
        else:
            yield option


def _unquoted(text: Token, faults: list[TypeFault]) -> str:
    try:
        value: object = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value):
        return value
    faults.append(TypeFault("type_syntax", Span(*_range(text)), {"expected": "a string with JSON's escapes"}))
    return ""


def _unknown_constructor(name: Token) -> TypeFault:
    values: dict[str, Value] = {"name": str(name), "suggestion": suggest(str(name), APPLIED)}
    return TypeFault("unknown_type", Span(*_range(name)), values)


def _range(token: Token) -> tuple[int, int]:
    start = token.start_pos or 0
    return start, start + len(token)
