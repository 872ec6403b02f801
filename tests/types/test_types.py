"""Type expressions, subtyping and the checks of values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.memo import Memo
from grapharc.spec.source import Span
from grapharc.spec.subtype import fits, is_subtype, join, solve, substitute, union_of, without_null
from grapharc.spec.type_text import TypeFault, parse_type
from grapharc.spec.types import (
    BOOLEAN,
    INTEGER,
    JSON,
    NULL,
    NUMBER,
    STRING,
    Constrained,
    ListOf,
    MapOf,
    Member,
    OneOf,
    Record,
    Singleton,
    Type,
    Variable,
    show,
)
from grapharc.spec.values import Misfit, conform

CLAIM = Record("Claim", (Member("text", STRING), Member("citation", STRING)))
SCORED = Record("Scored", (*CLAIM.members, Member("score", NUMBER, 0.5)))


def lookup(name: str, span: Span) -> Type | TypeFault:
    return {"Claim": CLAIM, "listing": STRING}.get(name) or TypeFault("unknown_type", span, {"name": name})


def parsed(text: str) -> Type:
    found, faults = parse_type(text, Memo(), lookup)
    assert not faults
    assert found is not None
    return found


def why_not(type_: Type, value: object) -> str | None:
    """Return None for a value that is of the type, else what was expected where and what was found."""
    try:
        conform(type_)(value)
    except Misfit as misfit:
        return str(misfit)
    return None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("string", STRING),
        (" list[ Claim ] ", ListOf(CLAIM)),
        ("list[map[list[integer]]]", ListOf(MapOf(ListOf(INTEGER)))),
        ("Claim | null", OneOf((CLAIM, NULL))),
        ('"low" | "high"', OneOf((Singleton("low"), Singleton("high")))),
        ('"a\\"b\\u00e9"', Singleton('a"b\u00e9')),
        ("(string | null) | (boolean | string)", OneOf((STRING, NULL, BOOLEAN))),
        ("list[string | null]", ListOf(OneOf((STRING, NULL)))),
        ("json | string", JSON),
        ("listing", STRING),
    ],
)
def test_a_type_expression_means_its_type(text: str, meaning: Type) -> None:
    assert parsed(text) == meaning


@pytest.mark.parametrize(
    ("text", "code", "start"),
    [
        ("list[Clam]", "unknown_type", 5),
        ("lst[string]", "unknown_type", 0),
        ("list[", "type_syntax", 5),
        ("", "type_syntax", 0),
        ("string |", "type_syntax", 8),
        ("string string", "type_syntax", 7),
        ("'low'", "type_syntax", 0),
        ('"\\q"', "type_syntax", 0),
        ('"\\ud800"', "type_syntax", 0),
        ("list[" * 5000, "type_syntax", 0),
        ("\x00", "type_syntax", 0),
    ],
)
def test_a_wrong_type_expression_is_a_fault_at_its_place(text: str, code: str, start: int) -> None:
    found, faults = parse_type(text, Memo(), lookup)
    assert found is None
    assert [(fault.code, fault.span.start) for fault in faults] == [(code, start)]


def test_every_unknown_name_is_reported() -> None:
    _, faults = parse_type("list[A] | map[B]", Memo(), lookup)
    assert [fault.values["name"] for fault in faults] == ["A", "B"]


def test_a_known_text_needs_no_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    memo = Memo()
    meaning = parse_type("list[Claim | null]", memo, lookup)
    monkeypatch.setattr("grapharc.spec.type_text._parse", None)
    assert parse_type("list[Claim | null]", memo, lookup) == meaning


TYPES = st.recursive(
    st.sampled_from([STRING, INTEGER, NUMBER, BOOLEAN, NULL, JSON, CLAIM, SCORED, Singleton("a"), Singleton("b")]),
    lambda inner: inner.map(ListOf) | inner.map(MapOf) | st.lists(inner, min_size=1, max_size=3).map(union_of),
    max_leaves=6,
)


@given(TYPES)
def test_every_type_is_a_subtype_of_itself_and_of_json(type_: Type) -> None:
    assert is_subtype(type_, type_)
    assert is_subtype(type_, JSON)


@given(TYPES, TYPES, TYPES)
def test_subtyping_is_transitive(low: Type, middle: Type, high: Type) -> None:
    if is_subtype(low, middle) and is_subtype(middle, high):
        assert is_subtype(low, high)


@given(TYPES, TYPES)
def test_a_join_is_above_both(left: Type, right: Type) -> None:
    assert is_subtype(left, join(left, right))
    assert is_subtype(right, join(left, right))


VALUES = st.recursive(
    st.sampled_from([None, True, 0, 7, 0.5, "a", "b", "text", {"text": "t", "citation": "c"}]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["x", "text"]), inner, max_size=2),
    max_leaves=5,
)


@given(VALUES, TYPES, TYPES)
def test_a_value_of_a_subtype_is_a_value_of_its_supertypes(value: object, low: Type, high: Type) -> None:
    if is_subtype(low, high) and why_not(low, value) is None:
        assert why_not(high, conform(low)(value)) is None


@pytest.mark.parametrize(
    ("sub", "sup", "expected"),
    [
        (INTEGER, NUMBER, True),
        (NUMBER, INTEGER, False),
        (JSON, STRING, False),
        (Singleton("green"), OneOf((Singleton("green"), Singleton("red"))), True),
        (STRING, OneOf((Singleton("green"), Singleton("red"))), False),
        (SCORED, CLAIM, True),
        (CLAIM, SCORED, True),
        (Record("", (Member("text", STRING),)), CLAIM, False),
        (Variable("T", CLAIM), CLAIM, True),
        (CLAIM, Variable("T", CLAIM), False),
        (STRING, Constrained(STRING, (("maxLength", 3),)), False),
        (Constrained(STRING, (("maxLength", 2),)), Constrained(STRING, (("maxLength", 3),)), True),
        (Singleton("abcd"), Constrained(STRING, (("maxLength", 3),)), False),
        (Constrained(STRING, (("maxLength", 2),)), STRING, True),
    ],
)
def test_subtypes(sub: Type, sup: Type, *, expected: bool) -> None:
    assert is_subtype(sub, sup) is expected


def test_constraints_of_a_target_are_left_to_the_write() -> None:
    assert fits(STRING, Constrained(STRING, (("maxLength", 3),)))
    assert not fits(INTEGER, Constrained(STRING, (("maxLength", 3),)))


def test_a_variable_is_solved_without_null() -> None:
    solution: dict[str, Type] = {}
    solve(ListOf(Variable("T", CLAIM)), union_of((ListOf(SCORED), NULL)), solution)
    assert solution == {"T": SCORED}
    assert substitute(ListOf(Variable("T")), solution) == ListOf(SCORED)
    assert without_null(NULL) == NULL


@pytest.mark.parametrize(
    ("type_", "value", "why"),
    [
        (INTEGER, True, "expected integer, found true"),
        (INTEGER, 1.0, "expected integer, found number 1.0"),
        (NUMBER, float("nan"), "expected number, found number nan"),
        (INTEGER, 2**63, "expected integer, found an integer beyond 64 bits"),
        (STRING, b"x", "expected string, found a Python bytes"),
        (ListOf(CLAIM), [{"text": "a", "citation": 1}], "expected string at [0].citation, found integer 1"),
        (ListOf(CLAIM), [{"text": "a"}], "expected Claim with 'citation' at [0], found a record without it"),
        (MapOf(STRING), {1: "a"}, "expected string keys, found the key 1"),
        (JSON, {"a": [object()]}, "expected json at .a[0], found a Python object"),
        (OneOf((Singleton("a"), NULL)), "b", "expected \"a\" | null, found string 'b'"),
        (Constrained(STRING, (("pattern", "^a+$"),)), "ab", "expected a value a match of '^a+$', found string 'ab'"),
        (Constrained(INTEGER, (("minimum", 1),)), 0, "expected a value at least 1, found integer 0"),
    ],
)
def test_a_value_that_is_not_of_its_type_is_told_where_and_why(type_: Type, value: object, why: str) -> None:
    assert why_not(type_, value) == why


def test_what_is_written_is_a_copy_with_defaults() -> None:
    given_value = [{"text": "t", "citation": "c", "extra": [1]}]
    made = conform(ListOf(SCORED))(given_value)
    assert made == [{"text": "t", "citation": "c", "score": 0.5, "extra": [1]}]
    given_value[0]["extra"].append(2)
    assert made[0]["extra"] == [1]


def test_a_misfit_is_an_exception_with_values() -> None:
    with pytest.raises(Misfit) as caught:
        conform(ListOf(INTEGER))([1, "x"])
    assert (caught.value.where, caught.value.expected, caught.value.found) == ("[1]", "integer", "string 'x'")


@given(TYPES)
def test_a_type_is_shown_as_it_is_written(type_: Type) -> None:
    text = show(type_)
    assert "Scored" in text or show(parsed(text)) == text


def test_a_bound_of_a_variable_is_read_where_the_variable_stands() -> None:
    assert parsed("list[T: Claim] | null") == OneOf((ListOf(Variable("T", CLAIM)), NULL))
