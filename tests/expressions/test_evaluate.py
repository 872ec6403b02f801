"""What expressions come out as: values, and errors at the part of the text that failed."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.constant import Known, constant, partly_known
from grapharc.spec.expressions.cost import MAX_COST
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.functions import show_double
from tests.expressions.scope import checked, said

VALUES: dict[str, object] = {
    "b": True,
    "claim": {"text": "t", "citation": None},
    "claims": [{"text": "a", "citation": None}, {"text": "b", "citation": "c"}],
    "count": 5,
    "few": [1, 2],
    "j": {"one": 1, "half": 0.5, "list": [1, "a", None], "true": True, "null": None, "map": {"k": "v"}},
    "level": "low",
    "limits": {"daily": 3},
    "maybe": None,
    "mixed": 7,
    "ns": [3, 1, 2],
    "score": 5,
    "text": "héllo😀",
    "xs": [1, 2.5],
}


def sound(text: str) -> Checked:
    found, faults = checked(text)
    assert found is not None, said(text, faults)
    return found


def value(text: str) -> object:
    return compile_expression(sound(text))(VALUES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count / 2", 2),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("score / 2", 2.5),
        ("score + 1", 6.0),
        ("count / 2.0", 2.5),
        ("count * 0.1", 0.5),
        ("xs[0] + xs[1]", 3.5),
        ("score / 0", float("inf")),
        ("min(ns) + max(1, 2)", 3),
        ("max(xs)", 2.5),
        ("min(3, 2.5)", 2.5),
        ("size(text)", 6),
        ("text.endsWith('😀') && text.contains('éll')", True),
        ("[1, 2] + [count]", [1, 2, 5]),
        ("{'a': count, 'b': [text]}", {"a": 5, "b": ["héllo😀"]}),
        ("claims.filter(c, c.citation != null).map(c, c.text)", ["b"]),
        ("claims.map(c, c.citation == null, c.text)", ["a"]),
        ("limits.map(k, k)", ["daily"]),
        ("ns.exists_one(n, n > 2)", True),
        ("few.all(f, ns.exists(n, n >= f))", True),
        ("claim == {'citation': null, 'text': 't'}", True),
        ("count in [1.0, 5.0]", True),
        ("score == 5 && score == 5.0", True),
        ("[1, 2] == [1.0, 2.0]", True),
        ("j.one == 1 && j.one == 1.0", True),
        ("j.true == 1", False),
        ("j.list == [1, 'a', null]", True),
        ("j.list == [true, 'a', null]", False),
        ("1 in j.list && !(true in j.list)", True),
        ("'k' in j.map && !(1 in j.map)", True),
        ("j.one + j.half", 1.5),
        ("j.one + 1", 2),
        ("j.list[j.half + j.half]", "a"),
        ("size(j.list) + size(j.map)", 4),
        ("j.map.all(k, k == 'k')", True),
        ("has(j.map.k) && !has(j.map.x)", True),
        ("j.nope == 1 || true", True),
        ("false && j.one", False),
        ("maybe == null ? 'none' : maybe", "none"),
        ("string(1e6) + ' ' + string(0.5) + ' ' + string(score)", "1e+06 0.5 5"),
        ("int('-12') + int(2.9)", -10),
        ("double('2.5e1')", 25.0),
        ("bool('f') || bool(true)", True),
        ("int(count) + int(score)", 10),
        ("string(0.0 / 0.0) + string(-1.0 / 0)", "nan-inf"),
        ("j.half < count && 1 > j.half", True),
        ("min(j.list.filter(x, x == 1))", 1),
        ("xs.map(x, x * 2)", [2.0, 5.0]),
        ("b ? ns : few", [3, 1, 2]),
    ],
)
def test_an_expression_has_a_value(text: str, expected: object) -> None:
    assert repr(value(text)) == repr(expected)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("1 + count / 0", "count / 0", "division by zero"),
        ("count % 0 > 1", "count % 0", "division by zero"),
        ("9223372036854775807 + count", "9223372036854775807 + count", "the result does not fit in 64 bits"),
        ("-(-9223372036854775807 - 1)", "-(-9223372036854775807 - 1)", "the result does not fit in 64 bits"),
        ("ns[count]", "ns[count]", "index 5 of a list of 3"),
        ("ns[-1]", "ns[-1]", "index -1 of a list of 3"),
        ("limits.weekly > 1", "limits.weekly", "there is no key 'weekly'"),
        ("limits[text]", "limits[text]", "there is no key 'héllo😀'"),
        ("int(text)", "int(text)", "int() cannot convert 'héllo😀'"),
        ("int(1e19)", "int(1e19)", "int() cannot convert 1e+19"),
        ("int('9223372036854775808')", "int('9223372036854775808')", "int() cannot convert '9223372036854775808'"),
        ("double('1_0')", "double('1_0')", "double() cannot convert '1_0'"),
        ("double(' 1')", "double(' 1')", "double() cannot convert ' 1'"),
        ("int('\u0661')", "int('\u0661')", "int() cannot convert '\u0661'"),
        ("bool('yes')", "bool('yes')", "bool() cannot convert 'yes'"),
        ("text.matches('(' + text)", "text.matches('(' + text)", None),
        ("min(ns.filter(n, n > 9))", "min(ns.filter(n, n > 9))", "min() of an empty list"),
        ("j.one.two", "j.one.two", "'.two' does not take integer"),
        ("j.list + 1 == j", "j.list + 1", "'+' does not take integer"),
        ("j.one && true", "j.one", "'&&' does not take integer"),
        ("true && j.one", "j.one", "'&&' does not take integer"),
        ("!j.one", "!j.one", "'!' does not take integer"),
        ("j.null ? 1 : 2", "j.null", "'?:' does not take null"),
        ("j.one < 'a'", "j.one < 'a'", "'<' does not take string"),
        ("j.true < 1", "j.true < 1", None),
        ("size(j.one)", "size(j.one)", "'size' does not take integer"),
        ("1 in j.one", "1 in j.one", "'in' does not take integer"),
        ("j.one.all(x, true)", "j.one.all(x, true)", "'all' does not take integer"),
        ("ns.all(n, j.one)", "j.one", "'all' does not take integer"),
        ("ns.filter(n, j.one) == []", "j.one", "'filter' does not take integer"),
        ("string(j.list)", "string(j.list)", "'string' does not take list"),
        ("max(j.list)", "max(j.list)", "'max' does not take string"),
        ("j.list['a']", "j.list['a']", "'[]' does not take string"),
        ("-j.true", "-j.true", "'-' does not take boolean"),
        ("j.true + 1", "j.true + 1", "'+' does not take boolean"),
        ("has(j.one.x)", "has(j.one.x)", "'has' does not take integer"),
        ("j.list.startsWith('a')", "j.list.startsWith('a')", "'startsWith' does not take list"),
        ("int(j.true)", "int(j.true)", "'int' does not take boolean"),
        ("int(j.list)", "int(j.list)", "'int' does not take list"),
        ("double(j.true)", "double(j.true)", "'double' does not take boolean"),
        ("double(j.null)", "double(j.null)", "'double' does not take null"),
        ("bool(j.one)", "bool(j.one)", "'bool' does not take integer"),
        ("j.one.matches('a')", "j.one.matches('a')", "'matches' does not take integer"),
        ("max(j.one)", "max(j.one)", "'max' does not take integer"),
        ("-9223372036854775808 % -1", "-9223372036854775808 % -1", "the result does not fit in 64 bits"),
        ("ns.map(n, 1 / (n - 2))", "1 / (n - 2)", "division by zero"),
        ("maybe_level == null", "maybe_level", "'maybe_level' has no value"),
    ],
)
def test_an_error_points_at_the_part_that_failed(text: str, place: str, words: str | None) -> None:
    with pytest.raises(EvaluationError) as caught:
        value(text)
    span = caught.value.span
    assert text[span.start : span.end] == place
    assert words is None or str(caught.value) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 / 0 > 0 || true", True),
        ("1 / 0 > 0 && false", False),
        ("ns.exists(n, 1 / (n - 3) == 1 || n == 2)", True),
        ("ns.all(n, 1 / (n - 3) > 9)", False),
        ("true ? 1 : 1 / 0", 1),
    ],
)
def test_an_error_that_does_not_matter_does_not_show(text: str, expected: object) -> None:
    assert value(text) == expected


def test_an_evaluation_that_takes_too_many_steps_is_stopped() -> None:
    evaluate = compile_expression(sound("few.all(x, ns.all(n, n != x))"))
    rounds = [0] * 500
    assert evaluate({"few": [1, 2], "ns": rounds}) is True
    with pytest.raises(EvaluationError, match=f"more than {MAX_COST} steps"):
        evaluate({"few": [1] * 500, "ns": rounds * 4})
    assert evaluate({"few": [1, 2], "ns": rounds}) is True


def test_a_value_that_is_not_of_its_type_is_an_error_and_no_crash() -> None:
    with pytest.raises(EvaluationError, match="'/' does not take string"):
        compile_expression(sound("score / 2"))({"score": "5"})


@pytest.mark.parametrize(
    ("text", "known", "expected"),
    [
        ("b && text.startsWith('a')", {"b": False}, Known(False)),
        ("text.startsWith('a') && b", {"b": False}, Known(False)),
        ("text.startsWith('a') || b", {"b": False}, None),
        ("b ? 1 : count", {"b": True}, Known(1)),
        ("maybe == null", {"maybe": None}, Known(True)),
    ],
)
def test_what_is_decided_by_some_values_is_known_without_the_others(
    text: str, known: dict[str, object], expected: Known | None
) -> None:
    assert partly_known(sound(text), known) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("1 + 2 * 3", Known(7)), ("[1].map(x, x)", Known([1])), ("1 / 0", None), ("count", None)]
)
def test_a_constant_is_known(text: str, expected: Known | None) -> None:
    assert constant(sound(text).tree) == expected


def test_nothing_that_is_given_is_changed() -> None:
    before = copy.deepcopy(VALUES)
    for text in ("ns + [1]", "claims.filter(c, c.text == 'a')", "ns.map(n, n + 1)", "{'a': ns}"):
        value(text)
    assert before == VALUES


def test_each_evaluation_makes_its_own_list() -> None:
    evaluate = compile_expression(sound("['a', 'b']"))
    first = evaluate({})
    assert isinstance(first, list)
    first.append("c")
    assert evaluate({}) == ["a", "b"]


@given(st.floats(allow_nan=False))
def test_a_double_is_written_so_that_it_reads_back(number: float) -> None:
    assert float(show_double(number)) == number
