"""A TOML document goes in; the same in canonical order and layout comes out.

Statements stand above tables, in the order of the kind of document; so do tables, each after a blank line. A value
that its author spread over lines stays so.
"""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.spec.document import Text
from grapharc.spec.documents.forms import Form
from grapharc.spec.formatting.inline import inline
from grapharc.spec.formatting.order import entry, form_at, in_canonical_order
from grapharc.spec.formatting.outline import Item, Outline, Section, is_addressed, outline
from grapharc.spec.json_value import Json, Path


def toml_layout(text: Text, form: Form) -> str:
    """Lay a document out. It must have been read without a fault."""
    return "".join(f"{line}\n" for line in _document(text, form, outline(text)))


def _document(text: Text, form: Form, taken: Outline) -> Iterator[str]:
    sections = _in_order(taken.sections, text.value, form)
    if head := taken.head or _left_on_top(text, form, taken, sections):
        yield from head
        yield ""
    first = True
    for section in sections:
        lines = list(_section(text, section, form))
        if not lines:
            continue
        if not first:
            yield ""
        first = False
        yield from lines


def _left_on_top(text: Text, form: Form, taken: Outline, sections: list[Section]) -> list[str]:
    """Take the comments at the top of the text off what moves down: they are the document's, as ``#:schema`` is."""
    begins = next(_items(text, form, taken.sections, as_written=True), None)
    if begins is None or begins is next(_items(text, form, sections), None):
        return []
    end = next((number for number, line in enumerate(begins.above) if is_addressed(line)), len(begins.above))
    head, begins.above = begins.above[:end], begins.above[end:]
    begins.loose = begins.loose and bool(begins.above)
    return head


def _items(text: Text, form: Form, sections: list[Section], *, as_written: bool = False) -> Iterator[Item]:
    for section in sections:
        if section.header is not None:
            yield section.header
        yield from section.statements if as_written else _ordered(text, section, form)


def _section(text: Text, section: Section, form: Form) -> Iterator[str]:
    if section.header is not None:
        yield from _comments(section.header)
        yield _behind(_header(text, section.header), section.header)
    for number, item in enumerate(_ordered(text, section, form)):
        if number and item.above and item.apart:
            yield ""
        yield from _comments(item)
        yield from _statement(text, item, form)
    if section.below:
        yield ""
        yield from section.below


def _ordered(text: Text, section: Section, form: Form) -> list[Item]:
    own = form_at(form, text.value, section.path)
    names = in_canonical_order(dict.fromkeys(_name(section, item) for item in section.statements), own)
    places = {name: place for place, name in enumerate(names)}
    return sorted(section.statements, key=lambda item: places[_name(section, item)])


def _name(section: Section, item: Item) -> str:
    """The key of a section's table that a statement is about: the first part of a dotted one."""
    return str(item.path[len(section.path)])


def _comments(item: Item) -> Iterator[str]:
    yield from item.above
    if item.above and item.loose:
        yield ""


def _behind(line: str, item: Item) -> str:
    return f"{line}  {item.behind}" if item.behind else line


def _header(text: Text, item: Item) -> str:
    written = text.source.text[item.start : item.end]
    brackets = 2 if written.startswith("[[") else 1
    inner = written[brackets:-brackets].strip()
    return f"{'[' * brackets}{inner}{']' * brackets}"


def _statement(text: Text, item: Item, form: Form) -> Iterator[str]:
    span = text.layout.span(item.path)
    written = text.source.text[item.start : span.start].rstrip().removesuffix("=").rstrip()
    value = _value(text, item.path, form)
    first, *more = f"{written} = {value}".split("\n")
    lines = [first, *more]
    lines[-1] = _behind(lines[-1], item)
    yield from lines


def _value(text: Text, path: Path, form: Form) -> str:
    value = text.value
    for step in path:
        value = entry(value, step)
    span = text.layout.span(path)
    written = text.source.text[span.start : span.end]
    if "\n" in written:
        return written
    mark = text.layout.mark(path)
    short = None if mark is None else inline(text, path, mark, value, form_at(form, text.value, path))
    return written if short is None else short


def _in_order(sections: list[Section], value: Json, form: Form) -> list[Section]:
    """Order tables by the keys that lead to them. What leads on from an array's table stays behind it."""

    def place(section: Section) -> tuple[tuple[int, int], ...]:
        found: list[tuple[int, int]] = []
        for depth, step in enumerate(section.path):
            if isinstance(step, int):
                found.append((1, step))
                continue
            above = section.path[:depth]
            holder = value
            for up in above:
                holder = entry(holder, up)
            keys = in_canonical_order(holder, form_at(form, value, above)) if isinstance(holder, dict) else [step]
            found.append((0, keys.index(step)))
        return tuple(found)

    return sorted(sections, key=place)
