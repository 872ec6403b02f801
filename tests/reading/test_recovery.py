"""Every fault of a document in one run, each at its place, and none that only follows from another."""

from __future__ import annotations

import pytest

from grapharc.spec.json_value import Json
from grapharc.spec.reading.text import read_text


def said(document: str, path: str) -> str:
    """What is found, as ``line:column code``."""
    text, findings = read_text(document.encode(), path)
    told: list[str] = []
    for finding in findings:
        assert finding.place.span is not None
        place = text.source.position(finding.place.span.start)
        told.append(f"{place.line}:{place.column} {finding.code}")
    return ", ".join(told)


SIX_IN_TOML = """\
name = "cited-answer
version = 3.

[[nodes]]
name = "draft"
kind = model.extract
args = { role = "writer", prompt = "x" max_tokens = 5 }

[[nodes]
name = "check"
name = "again"
writes = { accepted = "accepted" }
"""

SIX_IN_JSON = """\
{
  "name": "cited-answer,
  "nodes": [
    {"name": "draft", "kind": model.extract, "retry": 03},
    {"name": "check", "name": "again"}
    {"name": "last", "args": {"x": [1, 2,]}}
  ]
}
"""


def test_a_toml_document_with_six_faults_gives_six_findings_and_keeps_the_rest() -> None:
    assert said(SIX_IN_TOML, "graph.toml") == (
        "1:8 unterminated_string, 2:11 invalid_number, 6:8 unquoted_string, 7:39 missing_comma, "
        "9:1 unclosed_bracket, 11:1 duplicate_key"
    )
    text, _ = read_text(SIX_IN_TOML.encode(), "graph.toml")
    assert text.value == {
        "nodes": [
            {"name": "draft", "kind": "model.extract", "args": {"role": "writer", "prompt": "x", "max_tokens": 5}},
            {"name": "check", "writes": {"accepted": "accepted"}},
        ]
    }
    assert text.holes == {("name",), ("version",)}


def test_a_json_document_with_six_faults_gives_six_findings_and_keeps_the_rest() -> None:
    assert said(SIX_IN_JSON, "graph.json") == (
        "2:11 unterminated_string, 4:31 unquoted_string, 4:55 invalid_number, 5:23 duplicate_key, "
        "5:39 missing_comma, 6:41 trailing_comma"
    )
    text, _ = read_text(SIX_IN_JSON.encode(), "graph.json")
    assert text.value == {
        "nodes": [
            {"name": "draft", "kind": "model.extract"},
            {"name": "check"},
            {"name": "last", "args": {"x": [1, 2]}},
        ]
    }
    assert text.holes == {("name",), ("nodes", 0, "retry")}


IN_TOML = [
    ("a = 1\nb = [1, 2\nc = 3\n", "2:5 unclosed_bracket"),
    ('a = [\n  "x",\n  "y"\n[t]\nb = 1\n', "1:5 unclosed_bracket"),
    ('a = [\n  "x",\n[[t]]\nb = 1\n', "1:5 unclosed_bracket"),
    ('a = [\n  "x",\n  "y\n]\nb = 1\n', "3:3 unterminated_string"),
    ('a = ["x, "y"]\nb = 1\n', "1:11 syntax_error"),
    ('a = { b = "x, c = 1 }\nd = 1\n', "1:11 unterminated_string"),
    ("a = { b = 1\nc = 2\n", "1:5 unclosed_bracket"),
    ("a = {\n  b = 1,\n  c = 2,\n}\nd = 1\n", "1:6 newline_in_braces, 3:8 trailing_comma"),
    ("a = { b = 1, }\nd=1\n", "1:12 trailing_comma"),
    ("a = { b 1, c = 2 }\nd=1\n", "1:9 syntax_error"),
    ("a = { b = , c = 2 }\nd=1\n", "1:11 syntax_error"),
    ("a = { = 1, c = 2 }\nd=1\n", "1:7 syntax_error"),
    ("a =\nb = 1\n", "1:4 syntax_error"),
    ("= 1\nb = 1\n", "1:1 syntax_error"),
    ("hello world\nb = 1\n", "1:7 syntax_error"),
    ("a: 1\nb = 1\n", "1:2 syntax_error"),
    ('a = """x\nb = 1\n', "1:5 unterminated_string"),
    ("a = 1 b = 2\nc=3\n", "1:7 text_after_end"),
    ("[a\nb = 1\n", "1:1 unclosed_bracket"),
    ("[a.]\nb = 1\n[c]\nd = 1\n", "1:4 syntax_error"),
    ("[]\nb = 1\n", "1:2 syntax_error"),
    ("a = 01\n", "1:5 invalid_number"),
    ("a = 1.\n", "1:5 invalid_number"),
    ("a = .5\n", "1:5 invalid_number"),
    ("a = 1__0\n", "1:5 invalid_number"),
    ("a = 0x\n", "1:5 invalid_number"),
    ("a = 1e999\n", "1:5 number_out_of_range"),
    ("a = 9007199254740992\n", "1:5 number_out_of_range"),
    ("a = -9007199254740991\n", ""),
    ("a = nan\n", "1:5 not_a_number"),
    ("a = -inf\n", "1:5 not_a_number"),
    ("a = 1979-05-27\n", "1:5 date_or_time"),
    ("a = 07:32:00\n", "1:5 date_or_time"),
    ("a = 1979-05-27 07:32:00Z # x\n", "1:5 date_or_time"),
    ("a = yes\n", "1:5 unquoted_string"),
    ("a = null\n", "1:5 unknown_literal"),
    ("a = True\n", "1:5 unknown_literal"),
    ('a."b c".d = 1\n"x y" = 2\n', ""),
    ("naïve = 1\n", "1:1 unquoted_key"),
    ('$schema = "x"\n', "1:1 unquoted_key"),
    ("a/b = 1\n", "1:1 unquoted_key"),
    ('a = "\\ud800"\n', "1:6 lone_surrogate"),
    ('a = "\\q\\u12"\n', "1:6 invalid_escape, 1:8 invalid_escape"),
    ('a = "tab\there\x01"\n', "1:14 raw_control_character"),
    ("a = [1, 2}\nb = 1\n", "1:10 syntax_error"),
    ("a = (1, 2)\nb = 1\n", "1:5 unquoted_string, 1:7 text_after_end"),
    ("a = 'it's'\nb = 1\n", "1:9 text_after_end"),
    ("a = “x”\nb = 1\n", "1:5 unquoted_string"),
    ("a = [1 2 3]\n", "1:7 missing_comma, 1:9 missing_comma"),
    ("a = [1,,2]\n", "1:8 syntax_error"),
    ("a = [,]\n", "1:6 syntax_error"),
    ('a = {"x": 1}\n', "1:9 syntax_error"),
    ('a = ["x" "y"]\n', "1:9 missing_comma"),
    ("# comment \x00 x\na = 1\n", "1:11 raw_control_character"),
    ("a = 1 # \x01\nb = 2\n", "1:9 raw_control_character"),
    ("a = 1\r\nb = \r\nc = 2\r\n", "2:5 syntax_error"),
    ("[a]\nx=1\n[a]\nx=2\ny=3\n", "3:2 duplicate_key, 4:1 duplicate_key"),
    ("[[a]]\nx=1\n[a]\nx=2\n", "3:1 table_array_mismatch"),
    ("[a]\n[[a]]\nx=1\n", "2:3 duplicate_key"),
    ("a=1\n[a.b]\nc=1\n", "2:2 not_a_table"),
    ("a={}\n[a.b]\nc=1\n", "2:2 closed_table"),
    ("a={}\na.b=1\n", "2:1 closed_table"),
    ("[a.b]\n[a]\nb.c=1\n", "3:1 closed_table"),
    ("```toml\na = 1\n```\n", "1:1 syntax_error, 3:1 syntax_error"),
    ('{"nodes": []}\n', "1:1 syntax_error"),
    (
        "nodes:\n  - name: x\n    kind: y\n",
        "1:6 syntax_error, 1:7 syntax_error, 2:5 syntax_error, 3:9 syntax_error, 3:11 unquoted_string",
    ),
    ("a = [[1, 2], [3, 4\nb = 1\n", "1:14 unclosed_bracket"),
    ("<html>\n<body>x</body>\n", "1:1 syntax_error, 2:1 syntax_error"),
    ("import x\n\ndef f(a):\n    return 1\n", "1:8 syntax_error, 3:5 syntax_error, 4:12 syntax_error"),
    ("a = {b = [1, 2, c = 3}\nd = 1\n", "1:10 unclosed_bracket"),
    ("a = [{b = 1}, {b = 2]\nd = 1\n", "1:15 unclosed_bracket"),
    ('a = "x" "y"\n', "1:9 text_after_end"),
    ('a = "x"y\n', "1:8 text_after_end"),
    ("a = 'x\\'\n", ""),
    ('a = """\nx\n""" z\nb=1\n', "3:5 text_after_end"),
]

IN_JSON = [
    ('{"a": 1,}', "1:8 trailing_comma"),
    ('{"a": [1, 2,], "b": 1}', "1:12 trailing_comma"),
    ('{"a": 1 "b": 2}', "1:8 missing_comma"),
    ('{"a": 1\n "b": 2}', "1:8 missing_comma"),
    ('{"a" 1, "b": 2}', "1:6 syntax_error"),
    ('{"a": , "b": 2}', "1:7 syntax_error"),
    ('{"a": 1, , "b": 2}', "1:10 syntax_error"),
    ('{a: 1, "b": 2}', "1:2 unquoted_key"),
    ("{'a': 'x', \"b\": 2}", "1:2 single_quotes, 1:7 single_quotes"),
    ('{"a": "x, "b": 2}', "1:12 syntax_error"),
    ('{"a": "x\n "b": 2}', "1:7 unterminated_string"),
    ('{"a": "x\ny", "b": 2}', "1:9 newline_in_string"),
    ('{"a": [1, 2, "b": 2}', "1:7 unclosed_bracket"),
    ('{"a": {"x": 1, "b": 2]', "1:1 unclosed_bracket, 1:22 syntax_error"),
    ('{"a": [1, 2}, "b": 2}', "1:12 syntax_error"),
    ('{"a": [{"x": 1], "b": 2}', "1:8 unclosed_bracket"),
    ('{"a": 1} {"b": 2}', "1:10 text_after_end"),
    ('{"a": 1}}', "1:9 text_after_end"),
    ("[1, 2", "1:1 unclosed_bracket"),
    ('{"a": 1, "b": [1, {"c": "d', "1:25 unterminated_string"),
    ('// hi\n{"a": 1}\n', "1:1 json_comment"),
    ('{"a": 1} // bye', "1:10 json_comment"),
    ('{"a": /* x */ 1}', "1:7 json_comment"),
    (
        '{"a": True, "b": None, "c": NaN, "d": -Infinity}',
        "1:7 unknown_literal, 1:18 unknown_literal, 1:29 not_a_number, 1:39 not_a_number",
    ),
    ('```json\n{"a": 1}\n```', "1:1 syntax_error"),
    ('Here is it:\n{"a": 1,}', "1:1 syntax_error, 2:8 trailing_comma"),
    (
        '{"a": 01, "b": +1, "c": .5, "e": 0x10, "f": 1_000}',
        "1:7 invalid_number, 1:16 invalid_number, 1:25 invalid_number, 1:34 invalid_number, 1:45 invalid_number",
    ),
    ('{"a": 1e999, "b": 9007199254740993}', "1:7 number_out_of_range, 1:19 number_out_of_range"),
    ('{"a": "\\x", "b": "\\ud800", "c": "\t"}', "1:8 invalid_escape, 1:19 lone_surrogate, 1:34 raw_control_character"),
    ('{"a": 1, "a": 2, "a": 3}', "1:10 duplicate_key, 1:18 duplicate_key"),
    ('{"a": tru, "b": model.extract}', "1:7 unquoted_string, 1:17 unquoted_string"),
    ('{"a"; 1}', "1:5 syntax_error"),
    ('{"a" = 1}', "1:6 syntax_error"),
    ('{"a", "b": 1}', "1:5 syntax_error"),
    ('{1: 2, "b": 3}', "1:2 unquoted_key"),
    ('{"a": 1; "b": 2}', "1:8 syntax_error"),
    ('{"a": "x"y, "b": 1}', "1:10 syntax_error"),
    ('{"a": (1), "b": 1}', "1:7 syntax_error"),
    ('name = "x"\n', "1:1 syntax_error"),
    ("", "1:1 empty_document"),
    ("  \n", "2:1 empty_document"),
    ("{", "1:1 unclosed_bracket"),
    ('{"a"', "1:1 unclosed_bracket"),
    ('{"a":', "1:1 unclosed_bracket"),
    ('{"a":1', "1:1 unclosed_bracket"),
    ('{"a":1,', "1:1 unclosed_bracket"),
    ('"x"', ""),
    ("[1 2]", "1:3 missing_comma"),
    ('{"a": “x”, "b": 1}', "1:7 syntax_error"),
    ('{\xa0"a": 1}', "1:2 syntax_error"),
    ('{"a": {"b": }, "c": 1}', "1:13 syntax_error"),
    ('{"nodes": [{"name": "x", "kind": "y"\n{"name": "z"}]}', "2:1 syntax_error"),
    ('{"a": [1, 2\n"b": 3}', "1:7 unclosed_bracket"),
    ('{"a": ["x"\n, "y"]]}', "2:7 syntax_error"),
]


@pytest.mark.parametrize(("document", "findings"), IN_TOML)
def test_in_toml(document: str, findings: str) -> None:
    assert said(document, "x.toml") == findings


@pytest.mark.parametrize(("document", "findings"), IN_JSON)
def test_in_json(document: str, findings: str) -> None:
    assert said(document, "x.json") == findings


@pytest.mark.parametrize(
    ("document", "path", "value", "holes"),
    [
        ("a = 1\nb = [1, 2\nc = 3\n", "x.toml", {"a": 1, "b": [1, 2], "c": 3}, {("b",)}),
        ("a =\nb = 1\n", "x.toml", {"b": 1}, {("a",)}),
        ("= 1\nb = 1\n", "x.toml", {"b": 1}, {()}),
        ("[t]\n= 1\nb = 1\n", "x.toml", {"t": {"b": 1}}, {("t",)}),
        ("[[t]]\n[[t]]\nu.v.w =\n", "x.toml", {"t": [{}, {"u": {"v": {}}}]}, {("t", 1, "u", "v", "w")}),
        ("[a.]\nb = 1\n[c]\nd = 1\n", "x.toml", {"c": {"d": 1}}, {()}),
        ("a = 1\n[a.b]\nc = 1\n", "x.toml", {"a": 1}, {("a",)}),
        ('a = """x\nb = 1\n', "x.toml", {}, {(), ("a",)}),
        ('{"a": [1], "a": [2], "b": 1, "b": 2}', "x.json", {"a": [1], "b": 1}, {("a",)}),
        ("a = [1]\na = [2]\nb = 1\nb = 2\n", "x.toml", {"a": [1], "b": 1}, {("a",)}),
        ("[a]\nb = 1\n[a]\nc = 1\n", "x.toml", {"a": {"b": 1, "c": 1}}, set()),
        ("a = True\n", "x.toml", {"a": True}, set()),
        ('{"a": , "b": [1, x y, 2]}', "x.json", {"b": [1, "x", "y", 2]}, {("a",)}),
        ('{"a": {"b": NaN}, "c": [{"d": 1e999}]}', "x.json", {"a": {}, "c": [{}]}, {("a", "b"), ("c", 0, "d")}),
        ('{"a": {"b": 1', "x.json", {"a": {"b": 1}}, {(), ("a",)}),
        ("", "x.json", None, {()}),
    ],
)
def test_a_hole_says_where_something_is_missing(document: str, path: str, value: Json, holes: set[object]) -> None:
    text, _ = read_text(document.encode(), path)
    assert (text.value, text.holes, text.complete) == (value, holes, not holes)
