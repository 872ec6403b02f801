"""A checked expression goes in; a function that evaluates it comes out, made of closures, one for each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from grapharc.spec.expressions.arithmetic import arithmetic, negative
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.comparison import NO_CONSTANT, equality, membership, ordering
from grapharc.spec.expressions.cost import MAX_COST
from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.expressions.functions import call
from grapharc.spec.expressions.macros import Parts, macro
from grapharc.spec.expressions.report import is_open
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
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.source import Span
from grapharc.spec.types import NUMBER, Type, bare


def compile_expression(checked: Checked) -> Callable[[Mapping[str, object]], object]:
    """Return a function from the values of the names that an expression reads to its value.

    It raises :class:`EvaluationError`, with the part of the text that failed, where CEL has an error: an overflow,
    a division by zero, a key or an index that is not there, a ``json`` value of a type that an operation does not
    take. It changes nothing that it is given, and may give back parts of it.
    """
    slots = sum(isinstance(node, Macro) for node, _ in walk(checked.tree))
    step = _compile(checked.tree, _Room(checked.types, {}))
    if slots == 0:
        none = Variables(0, 0)
        return lambda scope: step(scope, none)
    return lambda scope: step(scope, Variables(slots, MAX_COST))


@dataclass(frozen=True, slots=True)
class _Room:
    """What a node needs to know to be compiled: the types of all nodes, and the slots of variables round it."""

    types: Mapping[Span, Type]
    slots: Mapping[str, int]


def _compile(node: Expression, room: _Room) -> Step:
    match node:
        case Constant(value):
            return lambda _scope, _variables: value
        case Name():
            return _name(node, room)
        case Select():
            return _select(node, _compile(node.operand, room))
        case Index(operand, index, span):
            return _index(_compile(operand, room), _compile(index, room), span)
        case Call():
            return _call(node, room)
        case Macro():
            return _macro(node, room)
        case ListOfItems(items):
            return _list([_compile(item, room) for item in items])
        case RecordOfItems(items):
            return _record([(key, _compile(value, room)) for key, _, value in items])
        case Unary(operator, operand, span):
            return (_not if operator == "!" else negative)(_compile(operand, room), span)
        case Binary(operator):
            return (_logic if operator in ("&&", "||") else _binary)(node, room)
        case Conditional():
            return _conditional(node, room)


def _name(node: Name, room: _Room) -> Step:
    name, span = node.name, node.span
    if name in room.slots:
        slot = room.slots[name]
        return lambda _scope, variables: variables.values[slot]

    def run(scope: Scope, _variables: Variables) -> object:
        try:
            return scope[name]
        except KeyError:
            raise EvaluationError("name_not_set", span, name=name) from None

    return run


def _select(node: Select, operand: Step) -> Step:
    field, span = node.field, node.span

    def has(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if is_dict(value):
            return field in value
        raise wrong_type("has", value, span)

    def read(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if not is_dict(value):
            raise wrong_type(f".{field}", value, span)
        try:
            return value[field]
        except KeyError:
            raise EvaluationError("no_such_key", span, key=field) from None

    return has if node.has else read


def _index(operand: Step, index: Step, span: Span) -> Step:
    def run(scope: Scope, variables: Variables) -> object:
        value, position = operand(scope, variables), index(scope, variables)
        if is_dict(value) and isinstance(position, str):
            if position in value:
                return value[position]
            raise EvaluationError("no_such_key", span, key=position)
        if isinstance(position, float) and position.is_integer():
            position = int(position)
        if not (is_list(value) and type(position) is int):
            raise wrong_type("[]", position if is_list(value) or is_dict(value) else value, span)
        if 0 <= position < len(value):
            return value[position]
        raise EvaluationError("index_out_of_range", span, index=position, size=len(value))

    return run


def _call(node: Call, room: _Room) -> Step:
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


def _not(operand: Step, span: Span) -> Step:
    def run(scope: Scope, variables: Variables) -> object:
        value = operand(scope, variables)
        if isinstance(value, bool):
            return not value
        raise wrong_type("!", value, span)

    return run


def _logic(node: Binary, room: _Room) -> Step:
    """``&&`` is false as soon as one side is, ``||`` true as soon as one side is, whatever fails on the other side."""
    operator, decisive = node.operator, node.operator == "||"
    left, right = _compile(node.left, room), _compile(node.right, room)

    def run(scope: Scope, variables: Variables) -> object:
        try:
            first = left(scope, variables)
        except EvaluationError:
            if right(scope, variables) is decisive:
                return decisive
            raise
        if first is decisive:
            return decisive
        second = right(scope, variables)
        if second is decisive:
            return decisive
        if isinstance(first, bool) and isinstance(second, bool):
            return second
        if isinstance(first, bool):
            raise wrong_type(operator, second, node.right.span)
        raise wrong_type(operator, first, node.left.span)

    return run


def _binary(node: Binary, room: _Room) -> Step:
    left, right = _compile(node.left, room), _compile(node.right, room)
    constant = node.right.value if isinstance(node.right, Constant) else NO_CONSTANT
    match node.operator:
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


def _conditional(node: Conditional, room: _Room) -> Step:
    condition, span = _compile(node.condition, room), node.condition.span
    then, otherwise = _compile(node.then, room), _compile(node.otherwise, room)

    def run(scope: Scope, variables: Variables) -> object:
        chosen = condition(scope, variables)
        if chosen is True:
            return then(scope, variables)
        if chosen is False:
            return otherwise(scope, variables)
        raise wrong_type("?:", chosen, span)

    return run
