"""A condition and what it came out as go in; what is then known about the ways it looked at comes out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grapharc.spec.expressions.overlap import equal_to, unequal_to
from grapharc.spec.expressions.syntax import Binary, Constant, Expression, ListOfItems, Select, Unary, Way, way_of
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.source import Span
from grapharc.spec.subtype import join
from grapharc.spec.types import ListOf, Type, bare

_NOTHING: Mapping[Way, Type] = MappingProxyType({})


def _nothing() -> Mapping[Way, Type]:
    return _NOTHING


@frozen
class Facts:
    """Types of ways that are narrower than declared, and ways that are known to be there."""

    types: Mapping[Way, Type] = field(default_factory=_nothing)
    present: frozenset[Way] = frozenset()

    def also(self, other: Facts) -> Facts:
        """Return what is known when ``other``, found out later, holds too."""
        if not other.types and not other.present:
            return self
        return Facts({**self.types, **other.types}, self.present | other.present)

    def either(self, other: Facts) -> Facts:
        """Return what is known when one of the two holds."""
        both = self.types.keys() & other.types.keys()
        types = {way: join(self.types[way], other.types[way]) for way in self.types if way in both}
        return Facts(types, self.present & other.present)

    def without(self, name: str) -> Facts:
        """Return what is known where a name means something else."""
        types = {way: type_ for way, type_ in self.types.items() if way[0] != name}
        return replace(self, types=types)


NO_FACTS = Facts()


def assume(condition: Expression, holds: bool, types: Mapping[Span, Type]) -> Facts:
    """Return what follows from a condition's outcome. ``types`` are those that its nodes were found to have."""
    match condition:
        case Unary("!", operand):
            return assume(operand, not holds, types)
        case Binary("&&" | "||" as operator, left, right):
            ends_early = operator == "||"
            if holds != ends_early:
                return assume(left, holds, types).also(assume(right, holds, types))
            later = assume(left, not holds, types).also(assume(right, holds, types))
            return assume(left, holds, types).either(later)
        case Binary("==" | "!=" as operator, left, right):
            return _comparison(left, right, (operator == "==") == holds, types)
        case Binary("in", left, right):
            return _membership(left, right, holds, types)
        case Select(has=True):
            way = way_of(replace(condition, has=False))
            return Facts(present=frozenset({way})) if holds and way else NO_FACTS
        case _:
            return NO_FACTS


def _comparison(left: Expression, right: Expression, equal: bool, types: Mapping[Span, Type]) -> Facts:
    found: dict[Way, Type] = {}
    for side, other in ((left, right), (right, left)):
        way = way_of(side)
        if way is not None:
            narrow = equal_to if equal else unequal_to
            found[way] = narrow(types[side.span], types[other.span])
    return Facts(found)


def _membership(left: Expression, right: Expression, holds: bool, types: Mapping[Span, Type]) -> Facts:
    way, right_type = way_of(left), bare(types[right.span])
    if way is None or not isinstance(right_type, ListOf):
        return NO_FACTS
    if holds:
        return Facts({way: equal_to(types[left.span], right_type.item)})
    if not isinstance(right, ListOfItems) or not all(isinstance(item, Constant) for item in right.items):
        return NO_FACTS
    remaining = types[left.span]
    for item in right.items:
        remaining = unequal_to(remaining, types[item.span])
    return Facts({way: remaining})
