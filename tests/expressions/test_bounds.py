"""Worst cases that depend on sizes: the bound holds for every size up to the largest, and is met where it can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.expressions.bounds import highest
from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NUMBER, STRING, ListOf, Member, Record, Type

SCOPE: dict[str, Type] = {
    "args": Record("args", (Member("each", INTEGER), Member("deep", BOOLEAN), Member("factor", NUMBER))),
    "claims": ListOf(JSON),
    "text": STRING,
}
ARGS: dict[str, object] = {"each": 10, "deep": True, "factor": 0.5}
SIZES = {"claims": 4}


def cost(text: str) -> Checked:
    tree, faults = parse_expression(text, Memo())
    assert tree is not None, faults
    checked, faults = check(tree, text, SCOPE, NUMBER)
    assert checked is not None, faults
    return checked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("args.each * 100", 1000),
        ("size(claims) * args.each", 40),
        ("claims.size() + 1", 5),
        ("100 - size(claims) * 10", 100),
        ("(size(claims) - 2) * (size(claims) - 2)", 4),
        ("size(claims) / 3", 1),
        ("100 / (size(claims) + 1)", 100),
        ("size(claims) * args.factor", 2.0),
        ("args.deep ? size(claims) : 1000", 4),
        ("size(claims) > 2 ? size(claims) : 7", 7),
        ("max(size(claims), args.each) + min(size(claims), 2)", 12),
        ("int(size(claims) * 0.4)", 1),
        ("-size(claims)", 0),
        ("size(claims) % 3", 4),
        ("double(size(claims))", 4),
        ("args.deep ? 1 : size(text)", 1),
        ("size(claims) > 2 ? 1 : size(text)", None),
        ("-size(text)", None),
        ("max(1, size(text))", None),
        ("size(text) + 1", None),
        ("size(text)", None),
        ("100 / size(claims)", None),
        ("args.each / 0", None),
        ("args.factor / 0", None),
        ("size(claims.filter(c, c == 1))", None),
    ],
)
def test_the_highest_value_is_known(text: str, expected: float | None) -> None:
    assert highest(cost(text), {"args": ARGS}, SIZES) == expected


parts = st.recursive(
    st.sampled_from(["size(claims)", "args.each", "3", "args.factor", "0.25"]),
    lambda inner: (
        st.builds("({} + {})".format, inner, inner)
        | st.builds("({} - {})".format, inner, inner)
        | st.builds("({} * {})".format, inner, inner)
        | st.builds("({} / {})".format, inner, inner)
        | st.builds("max({}, {})".format, inner, inner)
        | st.builds("(size(claims) > 1 ? {} : {})".format, inner, inner)
        | st.builds("-{}".format, inner)
    ),
    max_leaves=6,
)


@given(parts, st.integers(0, 4))
def test_no_size_makes_it_higher(text: str, size: int) -> None:
    checked = cost(text)
    bound = highest(checked, {"args": ARGS}, SIZES)
    try:
        value = compile_expression(checked)({"args": ARGS, "claims": [1] * size})
    except EvaluationError:
        return
    assert isinstance(value, int | float)
    assert bound is None or value <= bound + abs(bound) * 1e-9 + 1e-9
