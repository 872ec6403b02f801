"""From bytes to text: encodings, byte order marks, the choice of a syntax, and characters that hide."""

from __future__ import annotations

import pytest

from grapharc.spec.document import Syntax
from grapharc.spec.json_value import Json
from grapharc.spec.reading.text import MAX_BYTES, read_text


def said(data: bytes, path: str = "x.toml", syntax: Syntax | None = None) -> tuple[Json, list[str]]:
    text, findings = read_text(data, path, syntax)
    told: list[str] = []
    for finding in findings:
        assert finding.place.span is not None
        place = text.source.position(finding.place.span.start)
        shown = " ".join(str(value) for value in finding.values.values())
        told.append(f"{place.line}:{place.column} {finding.code} {shown}".strip())
    return text.value, told


@pytest.mark.parametrize(
    ("path", "begins", "syntax"),
    [
        ("graph.json", "", "json"),
        ("graph.toml", "", "toml"),
        ("GRAPH.JSON", "a = 1", "json"),
        ("dir.json/graph.toml", "{", "toml"),
        ("-", ' \n{"a": 1}', "json"),
        ("-", "```json\n{", "json"),
        ("-", "Here is the graph you asked for:\n\n  {", "json"),
        ("-", "```toml\n[state]\n", "toml"),
        ("-", "# {\nname = '{'", "toml"),
        ("-", "a.b = {", "toml"),
        ("-", "[\n  {}]", "json"),
        ("-", "[{}]", "json"),
        ("-", "[ ]", "json"),
        ("-", "[[nodes]]", "toml"),
        ("-", "[state]", "toml"),
        ("-", "a = 1", "toml"),
        ("-", "", "toml"),
        ("graph.yaml", "{}", "json"),
        ("graph", '"a" = 1', "toml"),
    ],
)
def test_the_syntax_is_told_by_the_suffix_else_by_the_beginning(path: str, begins: str, syntax: Syntax) -> None:
    text, _ = read_text(begins.encode(), path)
    assert text.syntax == syntax


def test_a_syntax_that_is_given_counts() -> None:
    assert said(b"[]", "-", "toml") == ({}, ["1:2 syntax_error ']' a key"])
    assert said(b"{}", "x.toml", "json") == ({}, [])


@pytest.mark.parametrize("path", ["x.toml", "x.json"])
def test_a_byte_order_mark_is_no_part_of_the_text(path: str) -> None:
    data = b'{"a": NaN}' if path == "x.json" else b"aaaa: nan"
    _, plain = said(data, path)
    text, _ = read_text(b"\xef\xbb\xbf" + data, path)
    assert said(b"\xef\xbb\xbf" + data, path)[1] == plain
    assert not text.source.text.startswith("\ufeff")


@pytest.mark.parametrize(
    ("encoding", "mark", "shown"),
    [
        ("utf-16-le", b"\xff\xfe", "UTF-16-LE"),
        ("utf-16-be", b"\xfe\xff", "UTF-16-BE"),
        ("utf-16-le", b"", "UTF-16-LE"),
        ("utf-16-be", b"", "UTF-16-BE"),
        ("utf-32-le", b"\xff\xfe\0\0", "UTF-32-LE"),
        ("utf-32-be", b"", "UTF-32-BE"),
    ],
)
def test_wide_encodings_are_named_and_what_they_hold_is_read(encoding: str, mark: bytes, shown: str) -> None:
    value, told = said(mark + "a = 'ü'\nb = nan\n".encode(encoding))
    assert value == {"a": "ü"}
    assert told == [f"1:1 utf16_encoding {shown}", "2:5 not_a_number nan"]


@pytest.mark.parametrize("path", ["x.toml", "x.json"])
@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe" + b"name = 3",  # marked as what it is not
        "[[nodes]]\nname = 'a'\n".encode("utf-16") + b"\n",  # a tool has added its own end of line
        '{"nodes": []}\n'.encode("utf-16-be") + b"\n",
        "a = 1\n".encode("utf-16-le") + b"b = 2\n",
    ],
)
def test_of_a_wide_encoding_that_makes_no_sense_nothing_else_is_told(data: bytes, path: str) -> None:
    text, findings = read_text(data, path)
    assert [finding.code for finding in findings] == ["utf16_encoding"]
    assert (text.value, text.holes, text.complete) == ({}, {()}, False)


def test_each_run_of_bad_bytes_is_told_at_its_place() -> None:
    data = b'a = "\xff"\r\nb = "\xc3\xa4\xed\xa0\x80"\r\nc = 1\r\n# \xc0\xaf\xf5\x80\x80\x80\n'
    value, told = said(data)
    assert value == {"a": "\ufffd", "b": "ä\ufffd\ufffd\ufffd", "c": 1}
    assert told == [
        "1:6 invalid_utf8 ff",
        "2:7 invalid_utf8 ed a0 80",
        "4:3 invalid_utf8 c0 af f5 80",
    ]


@pytest.mark.parametrize("bad", [b"\xff ", "\u202e ".encode(), b"\r a"])
def test_one_kind_of_fault_over_and_over_is_cut_off(bad: bytes) -> None:
    _, told = said(b"# " + bad * 3000 + b"\n")
    assert len(told) == 1001
    assert "too_many_faults" in told[-1]


def test_a_text_cut_off_within_a_character() -> None:
    assert said(b'{"a": "\xe2\x82"}', "x.json") == ({"a": "\ufffd\ufffd"}, ["1:8 invalid_utf8 e2 82"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = 'x \u202eyz\u202c'", ["1:8 bidi_control U+202E", "1:11 bidi_control U+202C"]),
        ("# \u2066\u2067", ["1:3 bidi_control U+2066 U+2067"]),
        ("a = 'x\u200by'", ["1:7 invisible_character U+200B"]),
        ("a = '\ufeff\u00ad'", ["1:6 invisible_character U+FEFF U+00AD"]),
        ("a = 'hi\U000e0068\U000e0069'", ["1:8 invisible_character U+E0068 U+E0069"]),
        ("a = '❤\ufe0f \ufe0fx'", []),
        ("a = '❤\ufe0f\ufe01\U000e0100'", ["1:8 invisible_character U+FE01 U+E0100"]),
        ("a = '👩\u200d🔬 \u0645\u06cc\u200c\u062e \u05e9\u05dc'", []),
        ('a = "\\u202e\\u200b"', []),
    ],
)
def test_what_hides_is_told(text: str, told: list[str]) -> None:
    assert said(text.encode())[1] == told


def test_a_document_has_a_size() -> None:
    comment = b"#" * (MAX_BYTES - 1) + b"\n"
    assert said(comment) == ({}, [])
    text, findings = read_text(comment + b"\n", "x.toml")
    assert [(finding.code, dict(finding.values)) for finding in findings] == [
        ("document_too_large", {"size": MAX_BYTES + 1, "limit": MAX_BYTES})
    ]
    assert (text.value, text.holes, text.complete) == ({}, {()}, False)
