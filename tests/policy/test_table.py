"""Decisions of one policy: tiers, aliases, tenants, defaults, and agreement with a scan of the rules one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.policy.owner.policy import Rule
from grapharc.policy.owner.selectors import Glob
from grapharc.policy.owner.table import Table
from grapharc.spec.documents.policy import Effect
from grapharc.spec.linked import END, START
from grapharc.spec.offers import Offer
from tests.policy.offers import offer, policy, rule

DEPLOY = offer("deploy", capabilities=["network"], labels=["untrusted"])
ALIASED = offer("deploy", alias="ship")


def decided(rules: Sequence[Rule], subject: Offer, tenant: str | None = None) -> tuple[Effect, str]:
    decision = Table(policy(*rules), tenant).node(subject)
    return decision.effect, decision.rule.id if decision.rule else ""


def test_every_deny_comes_before_every_ask_before_every_allow() -> None:
    allow, ask, deny = rule("a", "allow", "*"), rule("b", "ask", "dep*"), rule("c", "deny", "deploy")
    assert decided([allow, ask, deny], DEPLOY) == ("deny", "c")
    assert decided([allow, ask], DEPLOY) == ("ask", "b")
    assert decided([allow], DEPLOY) == ("allow", "a")


def test_the_first_match_of_a_tier_is_named() -> None:
    assert decided([rule("x", "deny", "other"), rule("y", "deny", "*"), rule("z", "deny", "deploy")], DEPLOY)[1] == "y"


def test_what_no_rule_matches_is_denied_unless_the_default_says_otherwise() -> None:
    assert decided([], DEPLOY) == ("deny", "")
    assert Table(policy(defaults={"node": "allow"}), None).node(DEPLOY).effect == "allow"
    assert Table(policy(defaults={"node": "allow"}), None).edge(START, DEPLOY).effect == "deny"


@pytest.mark.parametrize(("effect", "expected"), [("deny", "deny"), ("ask", "ask"), ("allow", "deny")])
def test_an_alias_escapes_no_deny_and_borrows_no_allow(effect: Effect, expected: Effect) -> None:
    assert decided([rule("r", effect, "deploy")], ALIASED)[0] == expected
    assert decided([rule("r", effect, "ship")], ALIASED)[0] == effect


def test_a_capability_or_a_label_selects() -> None:
    assert decided([rule("r", "deny", "capability:network")], DEPLOY) == ("deny", "r")
    assert decided([rule("r", "deny", "label:untrusted")], DEPLOY) == ("deny", "r")
    assert decided([rule("r", "deny", "capability:network")], ALIASED) == ("deny", "")


def test_a_rule_of_one_tenant_says_nothing_to_another() -> None:
    rules = [rule("acme-only", "deny", "*", tenants=["acme*"]), rule("rest", "allow", "*")]
    assert decided(rules, DEPLOY, "acme-eu") == ("deny", "acme-only")
    assert decided(rules, DEPLOY, "other") == ("allow", "rest")


def test_a_request_without_a_tenant_is_the_default_tenants() -> None:
    assert decided([rule("d", "allow", "*", tenants=["default"])], DEPLOY) == ("allow", "d")


def test_a_star_on_an_edge_matches_sentinels() -> None:
    table = Table(policy(rule("in", "ask", "* -> deploy"), rule("all", "allow", "*->*")), None)
    assert table.edge(START, DEPLOY).effect == "ask"
    assert table.edge(DEPLOY, END).effect == "allow"


def test_both_ends_of_an_edge_must_match() -> None:
    table = Table(policy(rule("x", "deny", "a -> deploy"), defaults={"edge": "allow"}), None)
    assert table.edge(offer("a"), DEPLOY).effect == "deny"
    assert table.edge(offer("b"), DEPLOY).effect == "allow"
    assert table.edge(DEPLOY, offer("a")).effect == "allow"


KINDS = [offer("a"), offer("b"), offer("a.b"), offer("b", alias="c"), offer("a", alias="a.c")]
PATTERNS = st.sampled_from(["a", "b", "c", "*", "a*", "?", "*.c", "a.?", "z"])


def expected(rules: Sequence[Rule], *ends: Offer) -> tuple[Effect, str]:
    """A scan, tier by tier and rule by rule."""
    for effect in ("deny", "ask", "allow"):
        for row in rules:
            if row.effect == effect and any(_all_match(selectors, ends, effect) for selectors in _alternatives(row)):
                return effect, row.id
    return "deny", ""


def _alternatives(row: Rule) -> list[tuple[Glob, ...]]:
    return [(node,) for node in row.nodes] or [(edge.source, edge.target) for edge in row.edges]  # type: ignore[list-item]


def _all_match(selectors: Sequence[Glob], ends: Sequence[Offer], effect: str) -> bool:
    def one(selector: Glob, end: Offer) -> bool:
        names = {end.name} if effect == "allow" else {end.name, end.kind.name}
        return any(fnmatchcase(name, selector.pattern) for name in names)

    return len(selectors) == len(ends) and all(map(one, selectors, ends))


@given(
    st.lists(st.tuples(st.sampled_from(["deny", "ask", "allow"]), PATTERNS, st.none() | PATTERNS), max_size=8),
    st.sampled_from(KINDS),
    st.sampled_from(KINDS),
)
def test_a_table_answers_like_a_scan(rows: list[tuple[Effect, str, str | None]], first: Offer, second: Offer) -> None:
    rules = [rule(str(i), effect, a if b is None else f"{a} -> {b}") for i, (effect, a, b) in enumerate(rows)]
    table = Table(policy(*rules), None)
    for decision, ends in ((table.node(first), (first,)), (table.edge(first, second), (first, second))):
        assert (decision.effect, decision.rule.id if decision.rule else "") == expected(rules, *ends)
