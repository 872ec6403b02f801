"""A checked expression goes in; a function that evaluates it comes out, made of closures, one for each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grapharc.spec.expressions import access
from grapharc.spec.expressions.arithmetic import arithmetic, negative
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.comparison import NO_CONSTANT, equality, membership, ordering
from grapharc.spec.expressions.cost import MAX_COST
from grapharc.spec.expressions.evaluation import Step, Variables
from grapharc.spec.expressions.logic import choice, logic, negation
from grapharc.spec.expressions.macros import Parts, macro
from grapharc.spec.expressions.open_types import is_open
from grapharc.spec.expressions.syntax import (
    Binary,
    Call,
    Conditional,
    Constant,
    Expression,
    Index,
    ListOfItems,
    Macro,
    Name,
    RecordOfItems,
    Select,
    Unary,
    walk,
)
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.source import Span
from grapharc.spec.types import NUMBER, Type, bare


def compile_expression(checked: Checked, most: int = MAX_COST) -> Callable[[Mapping[str, object]], object]:
    """Return a function from the values of the names that an expression reads to its value.

    It raises :class:`EvaluationError`, with the part of the text that failed, where CEL has an error: an overflow,
    a division by zero, a key or an index that is not there, a ``json`` value of a type that an operation does not
    take; and where macros take more than ``most`` steps. It changes nothing that it is given, and may give back
    parts of it.
    """
    slots = sum(isinstance(node, Macro) for node, _ in walk(checked.tree))
    step = _compile(checked.tree, _Room(checked.types, {}))
    if slots == 0:
        none = Variables(0, 0)
        return lambda scope: step(scope, none)
    return lambda scope: step(scope, Variables(slots, most))


@frozen
class _Room:
    """What a node needs to know to be compiled: the types of all nodes, and the slots of variables round it."""

    types: Mapping[Span, Type]
    slots: Mapping[str, int]


def _compile(node: Expression, room: _Room) -> Step:
    match node:
        case Constant(value):
            return lambda _scope, _variables: value
        case Name():
            return access.read_variable(room.slots[node.name]) if node.name in room.slots else access.read_name(node)
        case Select():
            return access.select(node, _compile(node.operand, room))
        case Index(operand, position, span):
            return access.index(_compile(operand, room), _compile(position, room), span)
        case Call():
            return _call(node, room)
        case Macro():
            return _macro(node, room)
        case ListOfItems(items):
            return _list([_compile(item, room) for item in items])
        case RecordOfItems(items):
            return _record([(key, _compile(value, room)) for key, _, value in items])
        case Unary(operator, operand, span):
            return (negation if operator == "!" else negative)(_compile(operand, room), span)
        case Binary():
            return _binary(node, room)
        case Conditional(condition, then, otherwise):
            parts = _compile(condition, room), _compile(then, room), _compile(otherwise, room)
            return choice(*parts, condition.span)


def _call(node: Call, room: _Room) -> Step:
    from grapharc.spec.expressions.functions import call  # many expressions call nothing

    pattern = None
    match node.arguments:
        case [_, Constant(str() as value)]:
            pattern = value
        case _:
            pass
    return call(node.function, [_compile(argument, room) for argument in node.arguments], pattern, node.span)


def _list(items: Sequence[Step]) -> Step:
    return lambda scope, variables: [item(scope, variables) for item in items]


def _record(items: Sequence[tuple[str, Step]]) -> Step:
    return lambda scope, variables: {key: value(scope, variables) for key, value in items}


def _macro(node: Macro, room: _Room) -> Step:
    slot = len(room.slots)
    inner = replace(room, slots={**room.slots, node.variable: slot})
    parts = [part for part in (node.condition, node.body) if part is not None]
    return macro(
        node.name,
        Parts(
            range=_compile(node.range, room),
            condition=None if node.condition is None else _compile(node.condition, inner),
            body=_compile(node.body, inner),
            slot=slot,
            steps=1 + sum(1 for part in parts for _ in walk(part)),
            span=node.span,
            body_span=node.body.span,
        ),
    )


def _binary(node: Binary, room: _Room) -> Step:
    left, right = _compile(node.left, room), _compile(node.right, room)
    constant = node.right.value if isinstance(node.right, Constant) else NO_CONSTANT
    match node.operator:
        case "&&" | "||" as operator:
            return logic(operator, left, right, node.left.span, node.right.span)
        case "==" | "!=" as operator:
            return equality(operator, left, right, constant)
        case "<" | "<=" | ">" | ">=" as operator:
            return ordering(operator, left, right, constant, node.span)
        case "in":
            return membership(left, right, node.span)
        case operator:
            return arithmetic(operator, left, right, node.span, _as_doubles(node, room.types))


def _as_doubles(node: Binary, types: Mapping[Span, Type]) -> bool:
    """Where the checker saw a number and no json, an integer is taken as that number: ``5 / 2.0`` is ``2.5``."""
    sides = [bare(types[side.span]) for side in (node.left, node.right) if side.span in types]
    return len(sides) == 2 and types.get(node.span) == NUMBER and not any(map(is_open, sides))
