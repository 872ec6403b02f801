"""The form of a kind of document goes in; documents of it come out: with every key, or drawn at random."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.forms import Form
from grapharc.spec.documents.validation import rules_of
from grapharc.spec.json_value import Path
from grapharc.spec.read import (
    read_approvals,
    read_graph,
    read_manifest,
    read_policy,
    read_project,
    read_registry,
    read_test,
)

Wrap: TypeAlias = Callable[[Any], Any]

KINDS: tuple[DocumentKind, ...] = ("graph", "policy", "registry", "manifest", "project", "test", "approvals")

READERS = {
    "graph": read_graph,
    "policy": read_policy,
    "registry": read_registry,
    "manifest": read_manifest,
    "project": read_project,
    "test": read_test,
    "approvals": read_approvals,
}


def form_of(kind: DocumentKind) -> Form:
    return rules_of(kind).form


def full(form: Form, only_required: bool = False) -> Any:
    """A value of a form, with all keys of every table, or with those that it needs."""
    match form.type:
        case "table":
            keys = sorted(form.required) if only_required else form.keys
            return {key: full(form.keys[key], only_required) for key in keys}
        case "map":
            return {"some": full(form.item, only_required)} if form.item else {}
        case "rows":
            return [full(form.item, only_required)] if form.item else []
        case "list":
            return [full(form.item), full(form.item)] if form.item else []
        case "union":
            return full(form.arms[0], only_required)
        case "literal":
            return form.expected[0]
        case "str":
            return "name_1"
        case "bool":
            return True
        case "int" | "any":
            return 1
        case "float":
            return 1.5


def places(form: Form, path: Path = (), wrap: Wrap = lambda value: value) -> Iterator[tuple[Path, Form, Wrap]]:
    """Each place of a document, what stands there, and how a value there becomes a whole document."""
    yield path, form, wrap
    match form.type:
        case "table":
            for key, inner in form.keys.items():
                yield from places(inner, (*path, key), _beside(wrap, full(form, only_required=True), key))
        case "map" if form.item:
            yield from places(form.item, (*path, "some"), _beside(wrap, {}, "some"))
        case "rows" | "list" if form.item:
            beside = full(form.item, only_required=True)
            yield from places(form.item, (*path, 0), lambda value: wrap([value, beside]))
        case "union":
            for arm in form.arms:
                yield from places(arm, path, wrap)
        case _:
            pass


def _beside(wrap: Wrap, rest: dict[str, Any], key: str) -> Wrap:
    return lambda value: wrap({**rest, key: value})


_letters = st.characters(codec="utf-8", exclude_categories=["C", "M", "Zl", "Zp"])
_texts = st.text(_letters, max_size=6)
_names = st.sampled_from(["a", "b_c", "Some", "x1", "_y", "A9_"])
_numbers = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
_scalars = st.booleans() | _numbers | _texts
_anything = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_texts, inner, max_size=2), max_leaves=4
)


@cache
def documents(kind: DocumentKind) -> st.SearchStrategy[Any]:
    """Documents of a kind without a fault."""
    return values(form_of(kind))


def values(form: Form) -> st.SearchStrategy[Any]:
    """Values of a form, shorthands among them."""
    match form.type:
        case "table":
            needed = {key: values(inner) for key, inner in form.keys.items() if key in form.required}
            others = {key: values(inner) for key, inner in form.keys.items() if key not in form.required}
            tables: st.SearchStrategy[Any] = st.fixed_dictionaries(needed, optional=others)
            return tables | values(form.keys[form.short[0]]) if form.short else tables
        case "map" if form.item:
            return st.dictionaries(_names if form.rule else _texts, values(form.item), max_size=3)
        case "rows" if form.item:
            return st.lists(values(form.item), max_size=3)
        case "list" if form.item:
            least = form.bounds.get("min_length", 0)
            lists = st.lists(values(form.item), min_size=least, max_size=least + 2)
            return lists | values(form.item) if form.one else lists
        case "union":
            return st.one_of([values(arm) for arm in form.arms])
        case "literal":
            return st.sampled_from(form.expected)
        case "str" if form.rule:
            return _names
        case "str":
            return st.text(_letters, min_size=1, max_size=8)
        case "bool":
            return st.booleans()
        case "int":
            return st.integers(form.bounds.get("ge", form.bounds.get("gt", 0) + 1), 2**53 - 1)
        case "float":
            low = form.bounds.get("ge", form.bounds.get("gt", -1e9))
            numbers = st.floats(low, 1e9, exclude_min="gt" in form.bounds, allow_subnormal=False)
            return numbers | st.integers(max(int(low), 0) + 1, 1000)
        case _:
            return _anything


def json_text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def toml_text(table: dict[str, Any]) -> bytes:
    """Write a document in TOML, everything beneath the first keys inline."""
    return "".join(f"{_quoted(key)} = {_inline(value)}\n" for key, value in table.items()).encode()


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(key)} = {_inline(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(inner) for inner in value) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
