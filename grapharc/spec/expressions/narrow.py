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


@frozen
class Outcomes:
    """What is known where a condition is true, and where it is false."""

    true: Facts = NO_FACTS
    false: Facts = NO_FACTS


NO_OUTCOMES = Outcomes()


def assume(condition: Expression, types: Mapping[Span, Type], known: dict[Span, Outcomes]) -> Outcomes:
    """Return what follows from each outcome of a condition.

    ``types`` are those that its nodes were found to have; ``known`` keeps what was found out, for the conditions
    round this one.
    """
    found = known.get(condition.span)
    if found is None:
        found = known[condition.span] = _assume(condition, types, known)
    return found


def _assume(condition: Expression, types: Mapping[Span, Type], known: dict[Span, Outcomes]) -> Outcomes:
    match condition:
        case Unary("!", operand):
            inner = assume(operand, types, known)
            return Outcomes(inner.false, inner.true)
        case Binary("&&", left, right):
            one, two = assume(left, types, known), assume(right, types, known)
            return Outcomes(one.true.also(two.true), one.false.either(one.true.also(two.false)))
        case Binary("||", left, right):
            one, two = assume(left, types, known), assume(right, types, known)
            return Outcomes(one.true.either(one.false.also(two.true)), one.false.also(two.false))
        case Binary("==", left, right):
            return Outcomes(_comparison(left, right, True, types), _comparison(left, right, False, types))
        case Binary("!=", left, right):
            return Outcomes(_comparison(left, right, False, types), _comparison(left, right, True, types))
        case Binary("in", left, right):
            return _membership(left, right, types)
        case Select(has=True):
            way = way_of(replace(condition, has=False))
            return Outcomes(Facts(present=frozenset({way}))) if way else NO_OUTCOMES
        case _:
            return NO_OUTCOMES


def _comparison(left: Expression, right: Expression, equal: bool, types: Mapping[Span, Type]) -> Facts:
    found: dict[Way, Type] = {}
    for side, other in ((left, right), (right, left)):
        way = way_of(side)
        if way is not None:
            narrow = equal_to if equal else unequal_to
            found[way] = narrow(types[side.span], types[other.span])
    return Facts(found)


def _membership(left: Expression, right: Expression, types: Mapping[Span, Type]) -> Outcomes:
    way, right_type = way_of(left), bare(types[right.span])
    if way is None or not isinstance(right_type, ListOf):
        return NO_OUTCOMES
    found = Facts({way: equal_to(types[left.span], right_type.item)})
    if not isinstance(right, ListOfItems) or not all(isinstance(item, Constant) for item in right.items):
        return Outcomes(found)
    remaining = types[left.span]
    for item in right.items:
        remaining = unequal_to(remaining, types[item.span])
    return Outcomes(found, Facts({way: remaining}))
