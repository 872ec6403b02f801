"""A selector of a rule and a kind or sentinel go in; whether it selects that comes out.

An alias must not slip past a deny or an ask, nor borrow what was allowed to the kind behind it: an allow looks at the
name in use alone.
"""

from __future__ import annotations

from typing import TypeAlias

from grapharc.policy.owner.selectors import Glob, HasCapability, HasLabel, HasRole, Selector
from grapharc.spec.documents.policy import Effect
from grapharc.spec.globs import matches
from grapharc.spec.offers import Offer

Sentinel: TypeAlias = str
"""``__start__`` or ``__end__``, which an edge may join beside kinds."""


def selects(selector: Selector, subject: Offer | Sentinel, effect: Effect) -> bool:
    """Tell whether a selector selects a kind, or on an edge a sentinel."""
    match selector:
        case Glob():
            return any(matches(selector.pattern, name) for name in names_of(subject, effect))
        case HasCapability():
            return not isinstance(subject, str) and selector.name in subject.capabilities
        case HasLabel():
            return not isinstance(subject, str) and selector.name in subject.labels
        case HasRole():
            return False  # a role is what a node is given, not what its kind is


def names_of(subject: Offer | Sentinel, effect: Effect = "deny") -> tuple[str, ...]:
    """Return the names by which a rule of an effect knows a kind or a sentinel, the one in use first."""
    return (subject,) if isinstance(subject, str) else known_as(subject.name, subject.kind.name, effect)


def known_as(name: str, kind: str, effect: Effect) -> tuple[str, ...]:
    """Return the same of a kind by its name in use and the one in its manifest."""
    return (name,) if effect == "allow" or name == kind else (name, kind)
