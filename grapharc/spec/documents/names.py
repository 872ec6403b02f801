"""A name goes in, what is wrong with it comes out: the rules for the names that documents declare."""

from __future__ import annotations

import re
from keyword import kwlist

from grapharc.spec.documents.shorthands import Naming
from grapharc.spec.finding import Finding, Place

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
_NAME = re.compile(NAME)
_FIELD = re.compile(FIELD)


def check_name(document: str, naming: Naming) -> Finding | None:
    """Return what is wrong with a name that a document declares."""
    name, rule = naming.name, naming.rule
    is_name = rule in ("name", "node")
    pattern = _NAME if is_name else _FIELD
    is_spelt = pattern.fullmatch(name) is not None
    is_reserved = name in RESERVED[rule] or (not is_name and name.startswith("__"))
    if is_spelt and not is_reserved:
        return None
    place = Place(document, naming.path, "key" if naming.is_key else "value")
    if not is_spelt:
        values = {"name": name, "pattern": pattern.pattern, "suggestion": _mended(name, pattern)}
        return Finding("invalid_name", place, values, subject=name)
    language = "CEL" if name in CEL_KEYWORDS else "Python" if name in KEYWORDS else ""
    end = {"end": name} if rule == "node" else {}
    return Finding("reserved_name", place, {"name": name, "language": language, **end}, subject=name)


def _mended(name: str, pattern: re.Pattern[str]) -> str:
    """Put underscores where a name must not have what it has."""
    mended = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")[:64]
    return mended if pattern.fullmatch(mended) and mended not in KEYWORDS else ""
