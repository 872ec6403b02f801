"""Amounts that may be unknown in; their sums and products, bounded, out."""

from __future__ import annotations

from typing import NamedTuple

MOST = 2**53
"""More than any ceiling can be; whatever would cost more is said to cost so much."""


class Amounts(NamedTuple):
    """What is spent at worst, in the order of the dimensions; None where nobody knows."""

    tokens: int | float | None = 0
    usd: int | float | None = 0
    seconds: int | float | None = 0
    iterations: int | float | None = 1


def times(one: int | float | None, other: int | float | None) -> int | float | None:
    """Multiply what may be unknown."""
    return None if one is None or other is None else at_most(one * other)


def at_most(amount: int | float) -> int | float:
    """Bound an amount, so that no product grows beyond what can be written down."""
    return min(amount, MOST)


def plus(one: int | float | None, other: int | float | None) -> int | float | None:
    """Add what may be unknown."""
    return None if one is None or other is None else one + other


NOISE = 1e-9
"""The part of a ceiling by which sums of fractions may miss it: three times 0.1 is within 0.3."""


def is_above(amount: int | float, ceiling: int | float) -> bool:
    """Tell whether an amount is more than a ceiling lets pass; what is no number is."""
    return not amount <= ceiling * (1 + NOISE)
