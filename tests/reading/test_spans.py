"""Where things stand: the text at each span reads again to the value, in drawn documents and in the suites."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.document import Text
from grapharc.spec.json_value import MAX_INTEGER, Json
from grapharc.spec.json_value import Path as Way
from grapharc.spec.reading.text import read_text
from grapharc.spec.reading.toml_dates import Moment
from grapharc.spec.source import Span

STRINGS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=12)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | STRINGS
)


def tables(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    return st.dictionaries(STRINGS, inner, max_size=4)


VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | tables(inner), max_leaves=20)


def ways(value: Json, way: Way = ()) -> Iterator[tuple[Way, Json]]:
    """Every path of a value and what it leads to."""
    yield way, value
    match value:
        case dict():
            for key, inner in value.items():
                yield from ways(inner, (*way, key))
        case list():
            for index, inner in enumerate(value):
                yield from ways(inner, (*way, index))
        case _:
            pass


def without_null(value: Json) -> Json:
    match value:
        case dict():
            return {key: without_null(inner) for key, inner in value.items() if inner is not None}
        case list():
            return [without_null(inner) for inner in value if inner is not None]
        case _:
            return value


def toml(value: Json, chance: Iterator[bool]) -> str:
    """Write a value in TOML, strings in one of their four forms."""
    match value:
        case dict():
            return f"{{{', '.join(f'{toml_key(key)} = {toml(inner, chance)}' for key, inner in value.items())}}}"
        case list():
            return f"[{', '.join(toml(inner, chance) for inner in value)}]"
        case str() if "'" not in value and value.isprintable():
            return f"'''\n{value}'''" if next(chance) else f"'{value}'"
        case str():
            return f'""{toml_key(value)}""' if next(chance) else toml_key(value)
        case _:
            return json.dumps(value)


def toml_key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def again(text: Text, span: Span) -> Json:
    """Read what stands at a span."""
    part = text.source.text[span.start : span.end]
    source = part if text.syntax == "json" else f"x = {part}"
    reread, findings = read_text(source.encode(), f"part.{text.syntax}", rules="language")
    assert not findings, part
    return reread.value["x"] if text.syntax == "toml" and isinstance(reread.value, dict) else reread.value


def key_again(text: Text, span: Span) -> object:
    """Read the key that stands at a span."""
    part = text.source.text[span.start : span.end]
    source = f"{{{part}: 0}}" if text.syntax == "json" else f"{part} = 0"
    reread, findings = read_text(source.encode(), f"part.{text.syntax}", rules="language")
    assert not findings, part
    return next(iter(reread.value)) if isinstance(reread.value, dict) else None


def check_spans(text: Text, *, written_out: bool) -> None:
    """Hold each span to what stands there. Tables with headers stand in many places and have no text of their own."""
    for way, value in ways(text.value):
        if not way:
            continue
        if written_out or not isinstance(value, (dict, list)):
            assert repr(again(text, text.layout.span(way))) == repr(value), way
        if isinstance(way[-1], str):
            assert key_again(text, text.layout.span(way, "key")) == way[-1], way
        if isinstance(value, str) and not isinstance(value, Moment):
            check_inside(text, way, value)


def check_inside(text: Text, way: Way, value: str) -> None:
    """Hold each character of a string to its own place: they follow each other, and each reads again."""
    at = text.layout.span(way).start
    for index, character in enumerate(value):
        span = text.layout.inner(way, Span(index, index + 1))
        assert at < span.end, way
        assert span.start >= at
        at = span.end
        part = text.source.text[span.start : span.end]
        if part != character:
            assert part == "\r\n" or part.startswith("\\"), (way, part)
    whole = text.layout.span(way)
    assert text.layout.inner(way, Span(len(value), len(value))).end < whole.end


@given(tables(VALUES), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_in_json(value: dict[str, Json], indent: int | str | None, ascii_only: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    text, findings = read_text(written.encode(), "x.json", rules="language")
    assert (findings, repr(text.value)) == ((), repr(value))
    check_spans(text, written_out=True)


@given(tables(VALUES), st.lists(st.booleans(), min_size=1))
def test_in_toml(value: dict[str, Json], forms: list[bool]) -> None:
    chance = iter(forms * 1000)
    kept = without_null(value)
    assert isinstance(kept, dict)
    written = "".join(f"{toml_key(key)} = {toml(inner, chance)}\n" for key, inner in kept.items())
    text, findings = read_text(written.encode(), "x.toml", rules="language")
    assert (findings, repr(text.value)) == ((), repr(kept))
    check_spans(text, written_out=True)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_in_the_suites(conformance: Path, end: str) -> None:
    listed = (conformance / "toml" / "tests" / "files-toml-1.0.0").read_text("utf-8").split()
    valid = [name for name in listed if name.startswith("valid/") and name.endswith(".toml")]
    for path in (
        *(conformance / "json" / "test_parsing").glob("y_*.json"),
        *map((conformance / "toml/tests").joinpath, valid),
    ):
        data = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", end.encode())
        text, _ = read_text(data, path.name, rules="language")
        check_spans(text, written_out=False)
