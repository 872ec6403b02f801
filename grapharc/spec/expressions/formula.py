"""Formulas over cases of terms, and how they are decided.

A formula is what a condition asks: of terms whose values are divided into cases, or opaquely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.expressions.comparison import equal
from grapharc.spec.frozen import frozen

Outcome: TypeAlias = "bool | None"
"""True, false, or None for an error."""


@frozen
class Fixed:
    """The same in every case."""

    outcome: Outcome


@frozen
class Test:
    """A question about one term."""

    term: str
    test: Callable[[object], Outcome]


@frozen
class Same:
    """Whether two terms of few values are equal."""

    left: str
    right: str


@frozen
class Not:
    inner: Formula


@frozen
class Either:
    """``left || right`` if ``decisive`` is true, ``left && right`` if it is false."""

    decisive: bool
    left: Formula
    right: Formula


@frozen
class Choice:
    """``condition ? then : otherwise``."""

    condition: Formula
    then: Formula
    otherwise: Formula


@frozen
class Alike:
    """Whether two conditions come out the same."""

    left: Formula
    right: Formula


Formula: TypeAlias = Fixed | Test | Same | Not | Either | Choice | Alike


def decide(formula: Formula, known: Mapping[str, object]) -> Outcome | str:
    """Return a formula's outcome with the terms known so far, or the term that must be known next."""
    match formula:
        case Fixed(outcome):
            return outcome
        case Test(term, test):
            return test(known[term]) if term in known else term
        case Same(left, right):
            missing = next((term for term in (left, right) if term not in known), None)
            return missing or equal(known[left], known[right])
        case Not(inner):
            outcome = decide(inner, known)
            return not outcome if isinstance(outcome, bool) else outcome
        case Either(decisive, left, right):
            first = decide(left, known)
            if first is decisive or isinstance(first, str):
                return first
            second = decide(right, known)
            return second if second is decisive or isinstance(second, str) or first is not None else None
        case Choice(condition, then, otherwise):
            outcome = decide(condition, known)
            return decide(then if outcome else otherwise, known) if isinstance(outcome, bool) else outcome
        case Alike(left, right):
            return _alike(decide(left, known), decide(right, known))


def _alike(left: Outcome | str, right: Outcome | str) -> Outcome | str:
    if isinstance(left, str) or isinstance(right, str):
        return left if isinstance(left, str) else right
    return None if left is None or right is None else left is right


def extent(formula: Formula) -> int:
    """Count the parts of a formula."""
    match formula:
        case Fixed() | Test() | Same():
            return 1
        case Not(inner):
            return 1 + extent(inner)
        case Either(_, left, right) | Alike(left, right):
            return 1 + extent(left) + extent(right)
        case Choice(condition, then, otherwise):
            return 1 + extent(condition) + extent(then) + extent(otherwise)
