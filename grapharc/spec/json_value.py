"""The values that a document can hold, as both syntaxes read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeGuard

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A JSON value. Readers make plain ``list`` and ``dict``; nobody changes them afterwards."""

Path: TypeAlias = "tuple[str | int, ...]"
"""A way into a document's value: keys and list indexes from the root."""

MAX_INTEGER = 2**53 - 1
"""Integers of documents lie within plus and minus this (I-JSON, RFC 7493)."""


def pointer(path: Path) -> str:
    """Write a path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Tell whether a value is a list, as type checkers can follow it."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeGuard[dict[object, object]]:
    """Tell whether a value is a dict, as type checkers can follow it."""
    return isinstance(value, dict)


def value_at(value: Json, path: Path) -> Json:
    """Return what stands at a path, None where nothing does."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def item_path(value: Json, path: Path, number: int) -> Path:
    """Return where one of several items stands: at ``path`` itself where it is written without a list."""
    return (*path, number) if isinstance(value_at(value, path), list) else path
