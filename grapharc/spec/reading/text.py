"""The bytes of a document go in; its text, its value, where everything stands, and faults of the writing come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grapharc.spec.document import Syntax, Text
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.decoding import decode
from grapharc.spec.reading.faults import REPLACEMENT, Faults, Rules
from grapharc.spec.reading.hidden import find_hidden
from grapharc.spec.reading.layout import MarkedLayout
from grapharc.spec.source import Source

MAX_BYTES = 16 * 1024 * 1024
NOTHING = frozenset[Path]({()})
_MISREAD = ("syntax_error", "text_after_end")
"""What is said of a text that makes no sense; in one of another encoding it may be the encoding's doing."""

# The first line that begins like a value of JSON (the group) or like a statement of TOML; prose may stand before it.
_BEGINS = r"(?m)^[ \t]*(?:(\{|\[\s*[{\]])|\[|[\w\"'.-]+[ \t]*=)"


def read_text(
    data: bytes, path: str, syntax: Syntax | None = None, rules: Rules = "documents"
) -> tuple[Text, tuple[Finding, ...]]:
    """Read a document, in the syntax that is given, or that the suffix of the path it is shown under tells.

    Where neither tells, the first line that makes sense in one of them does. What could be made out is the value;
    ``holes`` of the result name the places where something is missing from it. ``rules`` is for reading all that a
    syntax's own specification allows.
    """
    faults = Faults(path, rules)
    if len(data) > MAX_BYTES:
        faults.add("document_too_large", 0, 0, {"size": len(data), "limit": MAX_BYTES})
        # An empty table stands for what was not read.
        value, layout = _read("", "toml", faults)
        return Text(
            Source(path, ""), syntax or choose_syntax(path, ""), value, layout, False, NOTHING
        ), faults.findings()
    text = decode(data, faults)
    is_wide = faults.has("utf16_encoding")
    if rules == "documents":
        find_hidden(text, faults)
    syntax = syntax or choose_syntax(path, text)
    value, layout = _read(text, syntax, faults)
    if is_wide and faults.has(*_MISREAD):
        # Bytes that were joined, cut or marked wrongly make characters that nobody wrote: they are not worth a word.
        faults = Faults(path, rules)
        decode(data, faults)
        _, layout = _read("", syntax, Faults(path))
        return Text(Source(path, text), syntax, {}, layout, False, NOTHING), faults.findings()
    holes = layout.paths(faults.holes)
    if faults.replaced:
        holes |= frozenset(_replaced(value))
    if faults.full:
        holes |= NOTHING
    return Text(Source(path, text), syntax, value, layout, not holes, holes), faults.findings()


def _replaced(value: Json) -> Iterator[Path]:
    """List the keys and strings in which a character stands for what could not be read: nobody knows what they are."""
    waiting: list[tuple[Path, Json]] = [((), value)]
    while waiting:
        path, inner = waiting.pop()
        match inner:
            case str() if REPLACEMENT in inner:
                yield path
            case Mapping():
                waiting.extend(((*path, key), entry) for key, entry in inner.items())
            case Sequence() if not isinstance(inner, str):
                waiting.extend(((*path, index), entry) for index, entry in enumerate(inner))
            case _:
                pass
        if path and isinstance(path[-1], str) and REPLACEMENT in path[-1]:
            yield path


def choose_syntax(path: str, text: str) -> Syntax:
    """Tell the syntax by the suffix of the path, else by the first line that makes sense in one."""
    match path.lower().rpartition(".")[2]:
        case "json":
            return "json"
        case "toml":
            return "toml"
        case _:
            begins = re.search(_BEGINS, text)
            return "json" if begins and begins[1] else "toml"


# Each reader is loaded when there is something for it to read: their patterns cost about a millisecond.
def _read(text: str, syntax: Syntax, faults: Faults) -> tuple[Json, MarkedLayout]:
    if syntax == "json":
        from grapharc.spec.reading.json_places import JsonPlaces
        from grapharc.spec.reading.json_reader import read_json

        value, mark = read_json(text, faults)
        return value, MarkedLayout(text, mark, JsonPlaces())
    from grapharc.spec.reading.toml_places import TomlPlaces
    from grapharc.spec.reading.toml_reader import read_toml

    value, mark = read_toml(text, faults)
    return value, MarkedLayout(text, mark, TomlPlaces())
