"""Texts of expressions: what tree they make, where their faults are, and that the short cuts agree with the grammar."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.expressions.audit import MAX_DEPTH, MAX_LENGTH
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.grammar import parse_with_grammar
from grapharc.spec.expressions.parse import ROOM, parse_expression
from grapharc.spec.expressions.simple import parse_simple
from grapharc.spec.expressions.stored import restore
from grapharc.spec.expressions.syntax import Binary, Constant, Expression, Name, Unary, walk
from grapharc.spec.json_value import Json
from grapharc.spec.memo import Memo
from grapharc.spec.source import Span

FORMS = [
    "a.b.c == -1 && !ok",
    "(a + b) * -3 - c[0].d % 2 / x",
    "has(a.b) || xs.all(x, x > 1.5e3) && true",
    "xs.map(x, x != null, {'k': x, \"l\": [1, 'two', null,],})",
    'size(xs) in [0x1F, .5] ? min(1, 2) : a.`b-c`.f(x)["k"]',
    "a || b || c || d || (e || f)",
    "// why\n a\t<= b",
]


def tree(text: str) -> Expression:
    parsed, faults = parse_expression(text, Memo())
    assert parsed is not None, faults
    return parsed


def faults(text: str) -> list[tuple[str, str]]:
    """Each fault's code and the part of the text that it points at."""
    parsed, found = parse_expression(text, Memo())
    assert (parsed is None) == bool(found)
    return [(fault.code, text[fault.span.start : fault.span.end]) for fault in found]


@pytest.mark.parametrize("text", FORMS)
def test_every_node_has_a_span_of_its_own_that_lies_in_its_parent(text: str) -> None:
    spans = [node.span for node, _ in walk(tree(text))]
    assert len(set(spans)) == len(spans)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@pytest.mark.parametrize("text", FORMS)
def test_a_memo_gives_back_the_same_tree(text: str) -> None:
    memo = Memo()
    first = parse_expression(text, memo)
    assert memo.get(ROOM, text) is not None
    assert parse_expression(text, Memo(memo.tables)) == first


@pytest.mark.parametrize("text", ["a and b", "'a\\q' + 1u", "{'a': 1, 'a': 2}"])
def test_a_memo_gives_back_the_same_faults(text: str) -> None:
    memo = Memo()
    assert parse_expression(text, memo) == parse_expression(text, memo) != (None, ())


@pytest.mark.parametrize(
    "stored",
    [1, ["name"], ["name", 1, 0, 1], ["name", "a", "0", 1], ["record", [1], 0, 1], ["constant", [], 0, 1]],
)
def test_what_a_memo_never_kept_is_our_bug(stored: Json) -> None:
    with pytest.raises(ValueError, match="not a stored"):
        restore(stored)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("expression_incomplete", "")]),
        ("a.f(", [("expression_incomplete", "")]),
        ("a and b", [("expression_syntax", "and")]),
        ("not a", [("expression_syntax", "not")]),
        ("a = b", [("expression_syntax", "=")]),
        ("a b", [("expression_syntax", "b")]),
        ("a + 'b", [("unclosed_string", "'b")]),
        ("a + if", [("reserved_word", "if")]),
        ("xs.all(loop, loop)", [("reserved_word", "loop"), ("reserved_word", "loop")]),
        ("'a\\q' + '\\uD800'", [("unknown_escape", "\\q"), ("unknown_escape", "\\uD800")]),
        ("5u + b'x' + rb'y' + 0x1FU", [("unsupported_literal", part) for part in ("5u", "b'x'", "rb'y'", "0x1FU")]),
        ("9223372036854775808", [("literal_out_of_range", "9223372036854775808")]),
        ("-9223372036854775809", [("literal_out_of_range", "-9223372036854775809")]),
        ("[1e999]", [("literal_out_of_range", "1e999")]),
        ("{'a': 1, b: 2, 'a': 3}", [("record_key_not_constant", "b"), ("duplicate_record_key", "'a'")]),
        ("has(a) || has(a[0])", [("has_without_field", "has(a)"), ("has_without_field", "has(a[0])")]),
        ("xs.all(1, true)", [("macro_without_variable", "1")]),
        ("xs.all(i, x, true)", [("wrong_argument_count", "xs.all(i, x, true)")]),
        ("(" * 200 + "a" + ")" * 200, []),
        ("!" * MAX_DEPTH + "a", [("expression_too_deep", "a")]),
        ("a" + ".b" * MAX_DEPTH, [("expression_too_deep", "a")]),
        ("a" * (MAX_LENGTH + 1), [("expression_too_long", "a" * (MAX_LENGTH + 1))]),
        ("9" * 5000, [("literal_out_of_range", "9" * 5000)]),
        (" || ".join(["a"] * 1000), []),
    ],
)
def test_a_fault_points_at_the_part_that_is_wrong(text: str, expected: list[tuple[str, str]]) -> None:
    assert faults(text) == expected


def test_a_sign_belongs_to_its_literal() -> None:
    assert tree("-9223372036854775808") == Constant(-(2**63), Span(0, 20))
    assert tree("- a") == Unary("-", Name("a", Span(2, 3)), Span(0, 3))


def test_brackets_belong_to_what_is_round_them() -> None:
    assert tree("(a) + (b)") == Binary("+", Name("a", Span(1, 2)), Name("b", Span(7, 8)), Span(0, 9))


SIMPLE = ["a", " a.b_1.C ", "true", "null.a", "in", "a.true", "if", "7", "-7", "007", "9" * 19, "1.50", "-0.0", "'x'"]
NEARLY_SIMPLE = ['"y" ', "''", "'a\\n'", "1.", "a.", "a b", "''''''", "x.if"]


@pytest.mark.parametrize("text", [*SIMPLE, *NEARLY_SIMPLE])
def test_the_short_cut_agrees_with_the_grammar(text: str) -> None:
    simple = parse_simple(text)
    if simple is not None:
        assert repr(simple) == repr(parse_with_grammar(text))


@given(st.text(alphabet="abx.'\"\\ 01-+ \n(){}[],:?&|!=<>in", max_size=20))
def test_the_short_cut_agrees_with_the_grammar_on_any_text(text: str) -> None:
    simple = parse_simple(text)
    if simple is not None:
        assert repr(simple) == repr(parse_with_grammar(text))


@given(st.text(max_size=40) | st.text(alphabet="abx.'\"\\ 01-+\n(){}[],:?&|!=<>inurb%*/`", max_size=40))
def test_no_text_is_more_than_a_fault(text: str) -> None:
    parsed, found = parse_expression(text, Memo())
    assert (parsed is None) == bool(found)
    for fault in found:
        assert isinstance(fault, ExpressionFault)
        assert 0 <= fault.span.start <= fault.span.end <= len(text)


KNOWN = """
import sys
from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.condition import check_condition
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import BOOLEAN

memo = Memo({"expression": {"a && b": [["binary", "&&", ["name", "a", 0, 1], ["name", "b", 5, 6], 0, 6], []]}})
for text in ("a", "a && b"):
    tree, _ = parse_expression(text, memo)
    checked, _ = check_condition(tree, text, {"a": BOOLEAN, "b": BOOLEAN})
    assert compile_expression(checked)({"a": True, "b": True}) is True
print(sorted({"lark", "re2", "jsonschema", "langgraph", "pydantic"} & sys.modules.keys()))
"""


def test_a_text_that_is_known_needs_no_grammar() -> None:
    ran = subprocess.run([sys.executable, "-c", KNOWN], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
