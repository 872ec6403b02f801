"""A typed tree goes in; a bound on the steps of one evaluation comes out, and the part that takes most of them.

A step is the evaluation of one node. What goes through a text, a list or a map takes further steps by its size, for
which the type's ``maxLength``, ``maxItems`` and ``maxProperties`` stand. Where a type sets no limit, the sizes below
are assumed: one macro over an unlimited list is then within bounds, and one inside another is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.expressions.overlap import options
from grapharc.spec.expressions.syntax import (
    Binary,
    Call,
    Conditional,
    Expression,
    ListOfItems,
    Macro,
    RecordOfItems,
    children,
)
from grapharc.spec.frozen import frozen
from grapharc.spec.source import Span
from grapharc.spec.types import (
    STRING,
    Constrained,
    ListOf,
    MapOf,
    Record,
    Scalar,
    Singleton,
    Type,
    Variable,
    bare,
)

MAX_COST = 2_000_000
"""Steps that one evaluation may take; an expression that may need more is refused, and stopped if it gets there."""

ASSUMED_ITEMS = 1_000
"""Items of a list or keys of a map without a limit."""

ASSUMED_LENGTH = 100_000
"""Code points of a string without a limit."""

LIMITS = ("maxItems", "maxLength", "maxProperties")
"""The constraints that limit how large a value is."""

CHARACTERS_A_STEP = 10_000
"""How much of a text is gone through in one step."""


def cost(tree: Expression, types: Mapping[Span, Type]) -> tuple[int, Expression]:
    """Return the most steps that an evaluation may take, and the range of the macro that takes most of them."""
    found = _cost(tree, types)
    return found.steps, found.dearest or tree


@frozen
class _Cost:
    steps: int
    dearest: Expression | None = None


_LEAF = _Cost(1)


def _cost(node: Expression, types: Mapping[Span, Type]) -> _Cost:
    if isinstance(node, Macro):
        return _macro(node, types)
    parts = children(node)
    if not parts:
        return _LEAF
    inner = [_cost(part, types) for part in parts]
    dearest, most, steps = None, -1, _own(node, types)
    for each in inner:
        steps += each.steps
        if each.steps > most:
            dearest, most = each.dearest, each.steps
    return _Cost(steps, dearest)


def _macro(node: Macro, types: Mapping[Span, Type]) -> _Cost:
    range_ = _cost(node.range, types)
    inner = [_cost(part, types) for part in (node.condition, node.body) if part is not None]
    rounds = size(node.range, types)
    steps = 1 + range_.steps + rounds * (1 + sum(each.steps for each in inner))
    nested = max(inner, key=lambda each: each.steps).dearest
    return _Cost(steps, nested or node.range)


def _own(node: Expression, types: Mapping[Span, Type]) -> int:
    """The steps of a node itself: one, and more for what it has to go through."""
    match node:
        case Binary("==" | "!=" | "<" | "<=" | ">" | ">=", left, right):
            return 1 + min(_extent(left, types), _extent(right, types))
        case Binary("in" | "+", left, right):
            return 1 + _extent(left, types) + _extent(right, types)
        case Call("size"):
            return 1
        case Call(_, arguments):
            return 1 + sum(_extent(argument, types) for argument in arguments)
        case _:
            return 1


def _extent(node: Expression, types: Mapping[Span, Type]) -> int:
    """The steps that going once through a value takes."""
    found = size(node, types)
    return found // CHARACTERS_A_STEP if _is_text(types[node.span]) else found


def _is_text(type_: Type) -> bool:
    return all(bare(option) == STRING or isinstance(bare(option), Singleton) for option in options(type_))


def size(node: Expression, types: Mapping[Span, Type]) -> int:
    """Return how many items, keys or code points a value has at most; 0 for a value that has none."""
    match node:
        case ListOfItems(items) | RecordOfItems(items):
            return len(items)
        case Binary("+", left, right):
            return size(left, types) + size(right, types)
        case Macro("filter" | "map", range_):
            return size(range_, types)
        case Conditional(_, then, otherwise):
            return max(size(then, types), size(otherwise, types))
        case _:
            return max((_limit(option) for option in options(types[node.span])), default=0)


def _limit(type_: Type) -> int:
    match type_:
        case Constrained(base, constraints):
            limits = [value for word, value in constraints if word in LIMITS and isinstance(value, int)]
            return min(limits) if limits else _limit(base)
        case Singleton(value):
            return len(value)
        case Scalar("string"):
            return ASSUMED_LENGTH
        case ListOf() | MapOf() | Variable() | Scalar("json"):
            return ASSUMED_ITEMS
        case Record(_, members):
            return len(members)
        case _:
            return 0
