"""Texts made to hurt: each gets its findings in time linear in its length, and never a traceback."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grapharc.spec.reading.faults import MAX_FAULTS
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message, remedy
from grapharc.spec.source import Span

# Long enough for anything worse than linear to be noticed by whoever waits for the tests.
MANY = 20_000

PIECES = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    '"""',
    "\\",
    ",",
    "=",
    ":",
    "#",
    "\n",
    "\r",
    ".",
    " ",
    "a",
    "1",
    "//",
    "/*",
    "true",
    "\x00",
]


def codes(text: str, path: str) -> set[str]:
    """Read a text whatever it is, and word what is found."""
    _, findings = read_text(text.encode(errors="surrogatepass"), path)
    assert all(message(finding) and remedy(finding) for finding in findings)
    assert len(findings) <= MAX_FAULTS + 1
    return {finding.code for finding in findings}


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        '{"a":',
        '[{"":',
        '"',
        '"\\',
        "'",
        "\\",
        "]",
        "}",
        ",",
        ":",
        "/*",
        "//",
        "#\n",
        "-",
        "1",
        "1e",
        "e",
        '"",',
        "0 ",
        '"\n',
        '"\\"\n',
        '"a\n,',
        "[]",
        "{}",
        "[,",
        "{,",
        '{"a" ',
        "\x00",
        "\u202e",
        "[[[1]]]",
        '"a":1,',
        "nul ",
        "é",
        "}]",
        "([{",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "[{}", '{{"a": {}', "{}]}}"])
def test_json(unit: str, frame: str) -> None:
    assert codes(frame.format(unit * (MANY // len(unit))), "x.json")


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        "a=[",
        "a={",
        "a={b=",
        '"',
        '"""',
        "'",
        "'''",
        "\\",
        "]",
        "}",
        ",",
        "=",
        "#",
        "#\n",
        "a.",
        "a=1\n",
        "[a]\n",
        "[[a]]\n",
        "[a.b.c]\n",
        "a\n",
        "a=\n",
        "=\n",
        '"\n',
        "a=[\n",
        "a={\n",
        "a=[1,\n",
        '[a]\nb="\n',
        "\r",
        "\r\n",
        "\x00",
        "\u202e",
        "a='''\n",
        "1_",
        "0x",
        "1979-",
        "[[]]",
        'a = """\\\n',
        "x y ",
        "a=[1 # c\n",
        "[a\n",
        "a=[[\n",
        "é",
        "a.b=1\n",
        "{=}",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "a = [{}", "a = {{b = {}", "{}\n]", 'a = """{}'])
def test_toml(unit: str, frame: str) -> None:
    codes(frame.format(unit * (MANY // len(unit))), "x.toml")


@given(st.text(), st.sampled_from(["x.json", "x.toml", "-"]))
@example("[" * 65, "x.json")
@example('{"a":[{"a":\ud800', "x.json")
@example("a = [{a.b = [{", "x.toml")
def test_no_text_crashes_a_reader(text: str, path: str) -> None:
    codes(text, path)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from(["x.json", "x.toml"]))
def test_no_heap_of_brackets_and_quotes_crashes_a_reader(text: str, path: str) -> None:
    codes(text, path)


@given(st.binary(), st.sampled_from(["x.json", "x.toml"]))
def test_no_bytes_crash_a_reader(data: bytes, path: str) -> None:
    _, findings = read_text(data, path)
    assert all(message(finding) for finding in findings)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a": ' + "[" * 63 + "]" * 63 + "}", "x.json", set()),
        ('{"a": ' + "[" * 64 + "]" * 64 + "}", "x.json", {"nesting_too_deep"}),
        ('{"a": ' + '{"a":' * 100_000 + "1" + "}" * 100_001, "x.json", {"nesting_too_deep"}),
        ("a = " + "[" * 63 + "]" * 63, "x.toml", set()),
        ("a = " + "[" * 64 + "]" * 64, "x.toml", {"nesting_too_deep"}),
        ("a = " + "[" * 100_000, "x.toml", {"nesting_too_deep"}),
        ("a = " + "[{a = " * 100_000 + "1" + "}]" * 100_000, "x.toml", {"nesting_too_deep"}),
        (f"[{'a.' * 62}a]\nb = 1", "x.toml", set()),
        (f"[{'a.' * 62}a]\nb = {{}}", "x.toml", {"nesting_too_deep"}),
        (f"[{'a.' * 63}a]", "x.toml", {"nesting_too_deep"}),
        (f"[[{'a.' * 61}a]]", "x.toml", set()),
        (f"[[{'a.' * 62}a]]", "x.toml", {"nesting_too_deep"}),
        (f"{'a.' * 63}a = 1", "x.toml", set()),
        (f"{'a.' * 64}a = 1", "x.toml", {"nesting_too_deep"}),
        (f"{'a.' * 63}a = []", "x.toml", {"nesting_too_deep"}),
        ("a." * 100_000 + "a = 1", "x.toml", {"nesting_too_deep"}),
        ('{"a": ' + "9" * 5000 + "}", "x.json", {"number_out_of_range"}),
        ('{"a": -' + "9" * 5000 + ".5}", "x.json", {"number_out_of_range"}),
        ('{"a": 0.' + "9" * 5000 + "}", "x.json", set()),
        ('{"a": 1e-5000}', "x.json", set()),
        ('{"a": 1E400}', "x.json", {"number_out_of_range"}),
        ('{"a": 1e' + "9" * 5000 + "}", "x.json", {"number_out_of_range"}),
        ("a = " + "9" * 5000, "x.toml", {"number_out_of_range"}),
        ("a = 0x" + "f" * 5000, "x.toml", {"number_out_of_range"}),
        ("a = 0." + "9" * 5000, "x.toml", set()),
        ("a = -1e400", "x.toml", {"number_out_of_range"}),
        ('{"a": 9007199254740991, "b": -9007199254740991}', "x.json", set()),
        ('{"a": 9007199254740992}', "x.json", {"number_out_of_range"}),
        ("a = -9007199254740992", "x.toml", {"number_out_of_range"}),
        ("a = 0x1fffffffffffff", "x.toml", set()),
        ("a = 0x20000000000000", "x.toml", {"number_out_of_range"}),
        ('{"\\udfff": "\\ud800x"}', "x.json", {"lone_surrogate"}),
        ("\r" * 5000, "x.toml", {"raw_control_character", "too_many_faults"}),
        ("?," * 5000, "x.json", {"syntax_error"}),
        ("[" + "?," * 5000 + "]", "x.json", {"syntax_error", "too_many_faults"}),
        ("?\n" * 5000, "x.toml", {"syntax_error", "too_many_faults"}),
        ("\ufffe" * 5000, "x.toml", {"syntax_error"}),
    ],
)
def test_limits(text: str, path: str, expected: set[str]) -> None:
    assert codes(text, path) == expected


def test_what_is_too_much_is_cut_off_at_a_place() -> None:
    text, findings = read_text(("?\n" * 5000).encode(), "x.toml")
    assert len(findings) == MAX_FAULTS + 1
    assert findings[-1].place.span == Span(2 * MAX_FAULTS, 2 * MAX_FAULTS)
    assert text.holes == {()}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a = 9223372036854775807\nb = [inf, -nan]\nc = 1979-05-27\nd = 'x\u202e'", "x.toml"),
        ('{"a": ' + "9" * 400 + "}", "x.json"),
    ],
)
def test_what_a_language_allows_and_a_document_does_not_is_for_the_asking(text: str, path: str) -> None:
    assert read_text(text.encode(), path, rules="language")[1] == ()
    assert codes(text, path) <= {"number_out_of_range", "not_a_number", "date_or_time", "bidi_control"}
    assert codes(text, path)


@pytest.mark.parametrize(
    ("path", "data", "holes"),
    [
        ("a.json", b'{"name": "a\xff", "other": "b", "list": ["c", "\xfe"]}', {("name",), ("list", 1)}),
        ("a.json", b'{"k\xff": 1, "other": "b"}', {("k\ufffd",)}),
        ("a.json", b'{"name": "\\ud800", "other": "b"}', {("name",)}),
        ("a.toml", b'name = "a\xff"\nother = "b"\n', {("name",)}),
        ("a.toml", b'name = "\\ud800"\nother = "\\q"\n', {("name",)}),
        ("a.json", '{"name": "\ufffd"}'.encode(), set()),
    ],
)
def test_what_could_not_be_read_is_missing_and_nothing_is_said_of_what_stands_for_it(
    path: str, data: bytes, holes: set[tuple[str | int, ...]]
) -> None:
    text, _ = read_text(data, path)
    assert text.holes == holes
