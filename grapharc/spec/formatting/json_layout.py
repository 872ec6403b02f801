"""A JSON document goes in; the same in canonical order and layout comes out: what fits on a line stands on one."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.spec.document import Text
from grapharc.spec.documents.forms import Form
from grapharc.spec.formatting.inline import inline
from grapharc.spec.formatting.order import beneath, in_canonical_order
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Array, Mark, Table

WIDEST = 100
_STEP = 2


def json_layout(text: Text, form: Form) -> str:
    """Lay a document out. It must have been read without a fault."""
    return "".join(_value(text, (), text.layout.root, text.value, form, 0, 0)) + "\n"


def _value(text: Text, path: Path, mark: Mark, value: Json, form: Form | None, indent: int, used: int) -> Iterator[str]:
    """Write a value; ``used`` is how much of its line is taken. The document and its lists are always spread out."""
    short = inline(text, path, mark, value, form)
    if short is not None and indent + used + len(short) < WIDEST and (len(path) > 1 or not _holds_tables(value)):
        yield short
        return
    if form is not None and form.type == "union":
        form = form.arms[form.choose(value)]
    match mark:
        case Table() if isinstance(value, dict) and value:
            yield "{\n"
            keys = in_canonical_order(value, form)
            for key in keys:
                span = text.layout.span((*path, key), "key")
                written = text.source.text[span.start : span.end]
                yield f"{' ' * (indent + _STEP)}{written}: "
                inner = beneath(form, key, value)
                yield from _value(
                    text, (*path, key), mark.marks[key], value[key], inner, indent + _STEP, len(written) + 3
                )
                yield "\n" if key == keys[-1] else ",\n"
            yield f"{' ' * indent}}}"
        case Array() if isinstance(value, list) and value:
            yield "[\n"
            for index, inner in enumerate(value):
                yield " " * (indent + _STEP)
                item = beneath(form, index, value)
                yield from _value(text, (*path, index), mark.marks[index], inner, item, indent + _STEP, 1)
                yield "\n" if index == len(value) - 1 else ",\n"
            yield f"{' ' * indent}]"
        case _:
            span = text.layout.span(path)
            yield short or text.source.text[span.start : span.end]


def _holds_tables(value: Json) -> bool:
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and any(isinstance(inner, dict) for inner in value)
