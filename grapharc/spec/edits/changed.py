"""A value and an edit go in, the value after the edit comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from grapharc.spec.finding import Edit
from grapharc.spec.json_value import Json, Path

Change: TypeAlias = "Callable[[Json], Json]"


class NoSense(Exception):
    """An edit leads to nothing: the document is another than the one it was made for."""


def changed(value: Json, edit: Edit) -> Json:
    """Return what a value is after an edit. Raises NoSense."""
    if edit.op == "append":
        return _at(value, edit.path, lambda found: _appended(found, edit.value))
    if not edit.path:
        raise NoSense
    *way, last = edit.path
    return _at(value, tuple(way), lambda holder: _entry(holder, last, edit))


def _at(value: Json, path: Path, change: Change) -> Json:
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        if step not in value and rest:
            raise NoSense
        return {**value, step: _at(value.get(step), rest, change)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [*value[:step], _at(value[step], rest, change), *value[step + 1 :]]
    raise NoSense


def _appended(found: Json, value: Json) -> Json:
    if found is None:
        return [value]
    if isinstance(found, list):
        return [*found, value]
    raise NoSense


def _entry(holder: Json, last: str | int, edit: Edit) -> Json:
    if isinstance(holder, dict) and isinstance(last, str):
        if edit.op == "set" or (edit.op == "replace" and last in holder):
            return {**holder, last: edit.value}
        if edit.op == "remove" and last in holder:
            return {key: entry for key, entry in holder.items() if key != last}
    if isinstance(holder, list) and isinstance(last, int) and last < len(holder):
        entries = [edit.value] if edit.op == "replace" else [] if edit.op == "remove" else None
        if entries is not None:
            return [*holder[:last], *entries, *holder[last + 1 :]]
    raise NoSense
