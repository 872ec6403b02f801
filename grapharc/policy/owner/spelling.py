"""A selector goes in; what a policy spells it like comes out."""

from __future__ import annotations

from grapharc.policy.owner.selectors import ARROW, EdgeSelector, Glob, HasCapability, HasLabel, HasRole, Selector


def spelt(selector: Selector) -> str:
    """Return a selector as a policy spells it."""
    match selector:
        case Glob():
            return selector.pattern
        case HasCapability():
            return f"capability:{selector.name}"
        case HasLabel():
            return f"label:{selector.name}"
        case HasRole():
            return f"role:{selector.name}"


def ends_spelt(edge: EdgeSelector) -> str:
    """Return both ends as a policy spells them."""
    return f"{spelt(edge.source)} {ARROW} {spelt(edge.target)}"
