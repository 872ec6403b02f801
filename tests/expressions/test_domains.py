"""What the conditions of a branch cover: exact where cases can be tried, silent elsewhere."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.domains import Arm, Coverage, always, coverage
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import BOOLEAN, JSON, NULL, OneOf, Singleton, Type
from tests.expressions.scope import SCOPE, checked_condition


def trees(*texts: str) -> list[Expression]:
    parsed = [parse_expression(text, Memo())[0] for text in texts]
    return [tree for tree in parsed if tree is not None]


def covered(*texts: str) -> Coverage:
    return coverage(trees(*texts), SCOPE)


@pytest.mark.parametrize(
    "texts",
    [
        ("b", "!b"),
        ("b", "b == false"),
        ("b == (count > 3)", "b != (count > 3)"),
        ("level == 'low'", "level == 'high'"),
        ("level in ['low', 'high']",),
        ("level != 'low'", "level != 'high'"),
        ("maybe_level == null", "maybe_level == 'low'", "maybe_level == 'high'"),
        ("maybe == null", "maybe != null && maybe.startsWith('a')", "maybe != null && !maybe.startsWith('a')"),
        ("maybe_claim == null", "maybe_claim != null"),
        ("count > 5", "count <= 5"),
        ("count > 5", "count < 6"),
        ("score > 5", "score == 5", "5 > score"),
        ("size(ns) > 0", "ns.size() == 0"),
        ("size(few) > 2", "size(few) == 2", "size(few) == 1", "size(few) < 1"),
        ("text == 'a'", "text != 'a'"),
        ("b ? level == 'low' : level == 'high'", "!b ? level == 'low' : level == 'high'"),
        ("j == 1", "j != 1"),
        ("count < size(ns)", "count >= size(ns)"),
        ("size(ns) > count", "size(ns) <= count"),
        ("ns.all(n, n > 0)", "!(ns.all(n, (n > 0)))"),
        ("claim.text == text", "text != claim['text']"),
        ("has(j.a)", "!has(j.a)"),
        ("int(score) == 1", "1 != int(score)"),
        ("{'a': count} == {'a': 1}", "{'a': count} != {'a': 1}"),
        ("count in ns", "!(count in ns)"),
        ("count in [1, few[0]]", "!(count in [1, few[0]])"),
        ("xs.map(x, x > 1, x) == xs", "xs != xs.map(x, x > 1, x)"),
        ("(b ? count : 1) > size(ns) + 2", "(b ? count : 1) <= size(ns) + 2"),
        ("b == !b", "true"),
        ("false", "true"),
        ("1 + 1 == 2",),
    ],
)
def test_a_branch_covers_every_value(texts: tuple[str, ...]) -> None:
    assert covered(*texts).exhaustive == "yes"


@pytest.mark.parametrize(
    ("texts", "witness"),
    [
        (("b",), {"b": "false"}),
        (("level == 'low'",), {"level": '"high"'}),
        (("maybe_level == 'low'", "maybe_level == null"), {"maybe_level": '"high"'}),
        (("maybe_level == 'low'", "maybe_level == 'high'"), {"maybe_level": "null"}),
        (("count > 5", "count < 5"), {"count": "5"}),
        (("score > 5", "score < 5"), {"score": "5"}),
        (("score >= 5", "score < 4"), {"score": "4"}),
        (("size(ns) > 0",), {"size(ns)": "0"}),
        (("size(few) < 3", "size(few) == 3"), {"size(few)": "4"}),
        (("text == ''", "text == 'other'"), {"text": '"other0"'}),
        (("maybe_claim == null", "maybe_claim != null && maybe_claim.text == 'a'"), None),
        (("b && level == 'low'", "!b"), {"b": "true", "level": '"high"'}),
        (("claim.citation == null", "claim.citation == ''"), {"claim.citation": '"other"'}),
        (("j == 1", "j == 'a'"), {"j": "true"}),
        ((), {}),
    ],
)
def test_a_value_that_falls_through_is_shown(texts: tuple[str, ...], witness: dict[str, str] | None) -> None:
    found = covered(*texts)
    assert found.exhaustive == "no"
    assert witness is None or dict(found.witness) == witness


@pytest.mark.parametrize(
    "texts",
    [
        ("text.contains('x')", "b"),
        ("count > size(ns)", "count < size(ns)"),
        ("count + 1 > 5", "count + 1 < 5"),
        ("xs[0] > 1", "xs[0] <= 1"),
        ("score * 1.0 > count", "score * 1.0 <= count"),
        ("text < 'm'", "text == 'm'"),
    ],
)
def test_where_cases_cannot_be_tried_nothing_is_claimed(texts: tuple[str, ...]) -> None:
    found = covered(*texts)
    assert found.exhaustive == "unknown"
    assert all(arm.reachable != "no" for arm in found.arms)


@pytest.mark.parametrize(
    ("texts", "unreachable"),
    [
        (("b", "!b", "level == 'low'"), {2: (0, 1)}),
        (("level == 'low'", "b", "level == 'low' && b"), {2: (1,)}),
        (("level in ['low', 'high']", "b"), {1: (0,)}),
        (("count > 5", "count > 6"), {1: (0,)}),
        (("size(few) > 5", "b"), {0: ()}),
        (("b && !b", "b"), {0: ()}),
        (("text.contains('x')", "text.contains('x') && b"), {1: (0,)}),
        (("b", "level == 'low'", "level == 'high'", "count > 1"), {3: (1, 2)}),
        (("count > 5", "count < 7", "b"), {2: (0, 1)}),
        (("true", "b"), {1: (0,)}),
    ],
)
def test_an_arm_that_is_never_reached_says_which_arms_take_it_all(
    texts: tuple[str, ...], unreachable: dict[int, tuple[int, ...]]
) -> None:
    arms = covered(*texts).arms
    assert {index: arm.covered_by for index, arm in enumerate(arms) if arm.reachable == "no"} == unreachable


def test_what_json_may_be_is_shown() -> None:
    assert covered("j == true", "j == false", "j == null").witness == (("j", "something else"),)


def test_one_condition_alone_can_be_asked() -> None:
    assert [always(tree, SCOPE) for tree in trees("b || !b", "b && !b", "b", "text.contains('x')")] == [
        True,
        False,
        None,
        None,
    ]


def test_a_branch_over_too_much_is_answered_with_unknown() -> None:
    names = [f"b{index}" for index in range(30)]
    scope: dict[str, Type] = dict.fromkeys(names, BOOLEAN)
    text = " || ".join(f"({left} != {right})" for left, right in zip(names[::2], names[1::2], strict=True))
    found = coverage(trees(text, f"!({text})"), scope)
    assert found == Coverage("unknown", (), (Arm("unknown"), Arm("unknown")))


FINITE: dict[str, Type] = {
    "p": BOOLEAN,
    "q": OneOf((BOOLEAN, NULL)),
    "e": OneOf((Singleton("x"), Singleton("y"), Singleton("z"))),
    "f": OneOf((Singleton("x"), NULL)),
}
DOMAINS = {"p": [True, False], "q": [True, False, None], "e": ["x", "y", "z"], "f": ["x", None]}
ATOMS = [
    "p",
    "q == true",
    "q == null",
    "q != null && q",
    "e == 'x'",
    "e in ['y', 'z']",
    "f == null",
    "e == f",
    "p == false",
]
conditions = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: (
        st.builds("!({})".format, inner)
        | st.builds("({} && {})".format, inner, inner)
        | st.builds("({} || {})".format, inner, inner)
        | st.builds("({} ? {} : {})".format, inner, inner, inner)
    ),
    max_leaves=5,
)


@given(st.lists(conditions, min_size=1, max_size=4))
def test_on_finite_domains_it_is_what_trying_every_value_says(texts: list[str]) -> None:
    """A brute-force oracle: every combination of values, evaluated."""
    parsed = trees(*texts)
    steps = [compile_expression(Checked("", tree, JSON, (), (), {}, 0)) for tree in parsed]
    firsts = [
        next((index for index, step in enumerate(steps) if step(dict(zip(DOMAINS, values, strict=True)))), None)
        for values in product(*DOMAINS.values())
    ]
    found = coverage(parsed, FINITE)
    assert found.exhaustive == ("no" if None in firsts else "yes")
    assert [arm.reachable for arm in found.arms] == ["yes" if index in firsts else "no" for index in range(len(texts))]


def nested(depth: int, form: str) -> str:
    text = "b"
    for level in range(depth):
        text = form.format(text, "&&" if level % 2 else "||")
    return text


@pytest.mark.parametrize(
    "text",
    [
        nested(90, "({} {} maybe != null)"),
        nested(90, "(b == {})"),
        nested(90, "({} ? b : b)"),
        nested(90, "({} {} (count > 3 && count < 9))"),
        " || ".join(f"score > {number}.5" for number in range(400)),
        f"[{'1,' * 300}].all(x, [{'1,' * 300}].all(y, 1 / (x - y) == y))",
    ],
)
def test_no_condition_holds_the_checker_up(text: str) -> None:
    """Each of these would take longer than anyone lives if one part of the checker looked at things twice."""
    checked_condition(text)
    covered(text, f"!({text})")
