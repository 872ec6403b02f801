"""An output of a run goes in; the lines that show it to a person come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json

_LEVELS = 8
"""How deep an output is laid out in lines; what lies deeper is no easier to read so, and stands as JSON."""


def output_lines(name: str, value: Json, *, colour: bool = False) -> Iterator[str]:
    """Yield the lines that show an output to a person: a text as it is, of what has parts each on a line of its own."""
    title = paint(name, "title", colour)
    if isinstance(value, str) and "\n" in value:
        yield f"{title}:"
        yield from (f"  {printable(line)}".rstrip() for line in value.splitlines())
    else:
        yield from _named(title, value, _LEVELS)


def _named(name: str, value: Json, levels: int) -> Iterator[str]:
    """A value behind its name; of what has parts, each on lines of its own beneath."""
    if not levels or not _has_parts(value):
        yield f"{name}: {_line(value)}"
        return
    yield f"{name}:"
    yield from (f"  {line}" for line in _parts(value, levels - 1))


def _parts(value: Json, levels: int) -> Iterator[str]:
    """The fields of a record by name, or the items of a list, each behind a dash."""
    match value:
        case Mapping():
            for key, inner in sorted(value.items()):
                yield from _named(printable(key), inner, levels)
        case list():
            for item in value:
                first, *more = _parts(item, levels - 1) if levels and _has_parts(item) else [_line(item)]
                yield f"- {first}"
                yield from (f"  {line}" for line in more)
        case _:
            pass


def _has_parts(value: Json) -> bool:
    return isinstance(value, Mapping | list) and bool(value)


def _line(value: Json) -> str:
    return printable(value if isinstance(value, str) else canonical(value))
