"""A form and a key go in; where the key belongs among those beside it comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grapharc.spec.documents.forms import Form
from grapharc.spec.json_value import Json

_FIRST = ("$schema", "format", "name", "id", "version", "description")
_LAST = ("rationale", "suppress")


def in_canonical_order(keys: Iterable[str], form: Form | None) -> list[str]:
    """Order the keys of a table: as its form has them, what names it first, what only people read of it last.

    Keys that nobody but the author chose, such as arguments and names of fields, keep their order.
    """
    if form is None or form.type != "table":
        return list(keys)
    known = [key for key in form.keys if key not in _FIRST and key not in _LAST]
    places = {key: place for place, key in enumerate((*_FIRST, *known, *_LAST))}
    return sorted(keys, key=lambda key: places.get(key, len(places)))


def beneath(form: Form | None, step: str | int, value: Json) -> Form | None:
    """Return the form of an entry of a value; None where it has none of its own."""
    if form is None:
        return None
    if form.type == "union":
        return beneath(form.arms[form.choose(value)], step, value)
    return form.keys.get(str(step)) if form.type == "table" else form.item


def form_at(form: Form | None, value: Json, path: Sequence[str | int]) -> Form | None:
    """Return the form of what a path leads to."""
    for step in path:
        form = beneath(form, step, value)
        value = entry(value, step)
    if form is not None and form.type == "union":
        return form.arms[form.choose(value)]
    return form


def entry(value: Json, step: str | int) -> Json:
    """Return an entry of a value; None where there is none."""
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int):
        return value[step] if step < len(value) else None
    return None
