"""A name goes in, what is wrong with it comes out: the rules for the names that documents declare."""

from __future__ import annotations

import re
from keyword import kwlist

from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path

NAME = r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"
"""Nodes, kinds, roles, rules."""
FIELD = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
"""Fields, ports, arguments, types."""

_CEL_FIRST = {"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let"}
CEL_KEYWORDS = _CEL_FIRST | {"loop", "namespace", "null", "package", "return", "true", "var", "void", "while"}
KEYWORDS = frozenset(kwlist) | CEL_KEYWORDS
SENTINELS = frozenset({"__start__", "__end__"})
TYPE_WORDS = frozenset({"boolean", "integer", "json", "list", "map", "null", "number", "string"})

RESERVED = {
    "name": frozenset[str](),
    "node": SENTINELS,
    "field": KEYWORDS,
    "port": KEYWORDS | {"ctx"},
    "type": KEYWORDS | TYPE_WORDS,
}
_NAMES = ("name", "node")
"""The rules by which points and dashes may stand in a name."""
_NAME = re.compile(NAME)
_FIELD = re.compile(FIELD)


@frozen
class Naming:
    """A name that a document declares: the rule it stands under, and where, as a value or as a key."""

    path: Path
    name: str
    rule: str
    is_key: bool


def is_allowed(name: str, rule: str) -> bool:
    """Tell whether a name is spelt as its rule wants it and not reserved."""
    if name in RESERVED[rule]:
        return False
    if rule in _NAMES:
        return _NAME.fullmatch(name) is not None
    return _FIELD.fullmatch(name) is not None and not name.startswith("__")


def check_name(document: str, naming: Naming) -> Finding | None:
    """Return what is wrong with a name that a document declares."""
    name, rule = naming.name, naming.rule
    if is_allowed(name, rule):
        return None
    pattern = _NAME if rule in _NAMES else _FIELD
    place = Place(document, naming.path, "key" if naming.is_key else "value")
    if not pattern.fullmatch(name):
        values = {"name": name, "pattern": pattern.pattern, "suggestion": _mended(name, pattern)}
        return Finding("invalid_name", place, values, subject=name)
    language = "CEL" if name in CEL_KEYWORDS else "Python" if name in KEYWORDS else ""
    end = {"end": name} if rule == "node" else {}
    return Finding("reserved_name", place, {"name": name, "language": language, **end}, subject=name)


def _mended(name: str, pattern: re.Pattern[str]) -> str:
    """Put underscores where a name must not have what it has."""
    mended = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")[:64]
    return mended if pattern.fullmatch(mended) and mended not in KEYWORDS else ""
