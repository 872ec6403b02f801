"""One error of pydantic-core goes in; the finding in the document's terms comes out, and what is left out for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.documents.forms import Form, type_of
from grapharc.spec.finding import Edit, Finding, Fix, Place, Value
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path, is_dict, is_list
from grapharc.spec.suggest import suggest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Told: TypeAlias = "tuple[str, Mapping[str, Value]]"


@frozen
class Fault:
    """An error as data. ``hole`` is what is left out for it, ``meant`` the key that a misspelt one stood for."""

    finding: Finding
    hole: Path
    meant: Path | None = None


@frozen
class _Where:
    """A place that an error leads to: what should stand there, and the table that holds it."""

    path: Path
    form: Form
    table: Form | None
    hole: Path
    """What is left out: a list with a wrong item goes whole, since without the item it would say something else."""


def fault_of(error: ErrorDetails, form: Form, written: object, document: str, value: Json) -> Fault | None:
    """Tell what an error means; None when it is about an arm of a union that was not meant.

    ``written`` is the document's value with its shorthands written out, which the error's location leads into; the
    finding leads into ``value``, as people wrote it.
    """
    where = _trace(form, error["loc"], written)
    if where is None:
        return None
    match error["type"]:
        case "unexpected_keyword_argument":
            return _unknown_key(where, form, written, document)
        case "missing":
            holder = where.path[:-1]
            values: Mapping[str, Value] = {"key": str(where.path[-1])}
            place = Place(document, as_written(holder, value))
            return Fault(Finding("missing_key", place, values, subject=subject_at(holder, form, value)), holder)
        case kind:
            path = as_written(where.path, value)
            code, values = _told(kind, error.get("ctx", {}), where.form, _at(value, path))
            if not code:
                return None
            values = {"key": _key(path), "item": path[-1] + 1 if path and isinstance(path[-1], int) else "", **values}
            fixes = _requoted(values, document, path)
            finding = Finding(code, Place(document, path), values, subject=subject_at(path, form, value), fixes=fixes)
            return Fault(finding, where.hole)


def _trace(form: Form, location: tuple[str | int, ...], value: object) -> _Where | None:
    path: Path = ()
    hole: Path | None = None
    table: Form | None = None
    for step in location:
        if form.type == "union":
            chosen = form.choose(value)
            if step != str(chosen):
                return None
            # A value that no arm is for is told all that could stand there.
            form = form.arms[chosen] if form.arms[chosen].takes(value) else form
            continue
        if form.type == "list" and hole is None:
            hole = path
        table = form if form.type == "table" else None
        form = form.keys.get(str(step), _UNKNOWN) if form.type == "table" else form.item or _UNKNOWN
        path, value = (*path, step), _step_into(value, step)
    return _Where(path, form, table, path if hole is None else hole)


_UNKNOWN = Form("any")

_MEANT: Mapping[str, tuple[str, ...]] = {
    "from": ("source",),
    "to": ("target",),
    "id": ("name",),
    "type": ("kind",),
    "kind": ("match",),
    "action": ("effect",),
    "decision": ("effect",),
    "on": ("resource",),
    "model": ("spec",),
    "condition": ("when",),
    "if": ("when",),
    "else": ("otherwise",),
    "input": ("reads",),
    "inputs": ("reads",),
    "output": ("writes",),
    "outputs": ("writes",),
    "params": ("args",),
    "config": ("args",),
    "timeout": ("timeout_seconds",),
    "retries": ("retry",),
    "src": ("source",),
    "dst": ("target",),
    "tokens": ("max_tokens",),
    "steps": ("max_iterations",),
    "iterations": ("max_iterations",),
    "recursion_limit": ("max_iterations",),
    "seconds": ("max_seconds", "timeout_seconds"),
    "usd": ("max_usd",),
    "cost": ("max_usd",),
}
"""What other tools, and other documents of ours, call the keys of a table."""

_SOURCES, _TARGETS = ("source", "from", "src"), ("target", "to", "dst")
"""Keys that say one end each, where a rule says both in one."""


def _unknown_key(where: _Where, form: Form, written: object, document: str) -> Fault:
    key, holder = str(where.path[-1]), where.path[:-1]
    here = _at(written, holder)
    known = tuple(where.table.keys) if where.table else ()
    unused = [other for other in known if not (is_dict(here) and other in here)]
    values: dict[str, Value] = {"key": key, "known": known}
    if key in _SOURCES + _TARGETS and "match" in known:
        meant = "match" if "match" in unused else ""
        if meant:
            values["ends"] = f"{_end(here, _SOURCES)} -> {_end(here, _TARGETS)}"
    else:
        meant = next((name for name in _MEANT.get(key, ()) if name in unused), "") or suggest(key, unused)
        values["suggestion"] = meant
        if not meant and "args" in unused:
            values["holder"] = "args"
    finding = Finding(
        "unknown_key", Place(document, where.path, "key"), values, subject=subject_at(holder, form, written)
    )
    return Fault(finding, where.path, (*holder, meant) if meant else None)


def _end(rule: object, keys: tuple[str, ...]) -> str:
    """The end that a rule says by one of some keys; all where it says none."""
    said = [rule[key] for key in keys if key in rule] if is_dict(rule) else []
    return next((end for end in said if isinstance(end, str)), "*")


def _told(kind: str, context: Mapping[str, object], form: Form, found: object) -> Told:
    expected = form.expected if form.type == "literal" else ()
    match kind:
        case "literal_error" if form.takes(found):
            known = tuple(str(value) for value in expected)
            return "unknown_value", {"value": str(found), "known": known, "suggestion": suggest(str(found), known)}
        case "greater_than_equal" | "greater_than" if isinstance(found, int | float):
            bound = context["ge" if kind == "greater_than_equal" else "gt"]
            least = bound if isinstance(bound, int | float) else 0
            return "out_of_range", {"value": found, "least" if kind == "greater_than_equal" else "above": least}
        case "string_too_short":
            return "empty_value", {}
        case "too_short" if is_list(found):
            least = form.bounds["min_length"]
            if len(found) >= least:
                return "", {}  # It is too short only without the items that were wrong.
            return ("too_few_items", {"count": len(found), "least": least}) if found else ("empty_value", {})
        case "finite_number" if isinstance(found, float):
            return "out_of_range", {"value": found}
        case _:
            wanted = _types(form)
            bare = {"bare": str(found)} if type(found) is int and wanted == "string" else {}
            return "wrong_type", {"expected": wanted, "found": type_of(found), **bare}


def _requoted(values: Mapping[str, Value], document: str, path: Path) -> tuple[Fix, ...]:
    """Quotes around an integer where a string is wanted. Other numbers are not what they were written as any more."""
    bare = values.get("bare")
    return (Fix(document, (Edit("replace", path, bare),), safe=False),) if isinstance(bare, str) else ()


def _types(form: Form) -> str:
    return " | ".join(sorted(form.types - {"integer"} if "number" in form.types else form.types))


def as_written(path: Path, value: object) -> Path:
    """Return the part of a path that is there in a document as people wrote it, where shorthands have less."""
    for depth, step in enumerate(path):
        if not (is_dict(value) and step in value) and not (is_list(value) and step in range(len(value))):
            return path[:depth]
        value = _step_into(value, step)
    return path


def subject_at(path: Path, form: Form, value: object) -> str:
    """Name what a place belongs to: the row's own name, or the key in a map of named things; "" when neither."""
    match path:
        case (str(key), int(index), *_):
            row = _at(value, (key, index))
            names = [row.get(key) for key in ("name", "id")] if is_dict(row) else []
            return next((name for name in names if isinstance(name, str)), "")
        case (str(key), str(name), *_) if key in form.keys and form.keys[key].type == "map":
            return name
        case _:
            return ""


def _at(value: object, path: Path) -> object:
    for step in path:
        value = _step_into(value, step)
    return value


def _step_into(value: object, step: str | int) -> object:
    if is_dict(value):
        return value.get(step)
    return value[step] if is_list(value) and isinstance(step, int) and step < len(value) else None


def _key(path: Path) -> str:
    """The last key of a path, which an item of a list is told by too."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")
