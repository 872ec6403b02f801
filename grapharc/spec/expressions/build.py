"""What the grammar recognised goes in, rule by rule; the nodes of the tree come out. Loaded together with lark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from lark import Token, Transformer

from grapharc.spec.expressions.literals import number_value, string_value
from grapharc.spec.expressions.syntax import (
    MACROS,
    OPERATORS,
    Binary,
    BinaryOperator,
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
)
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.source import Span


@frozen
class Group:
    """An expression in round brackets; only the nodes round it need to know."""

    inner: Expression
    span: Span


@frozen
class Entry:
    """``key: value`` in a record."""

    key: Expression
    value: Expression


Part: TypeAlias = "Token | Expression | Group | Entry"

_KEYWORDS = {"TRUE": True, "FALSE": False, "NULL": None}


class Build(Transformer[Token, Expression]):
    """One method for each rule. None of them refuses anything: `audit` says what is wrong, with all nodes at once."""

    def start(self, parts: Sequence[Part]) -> Expression:
        return _node(parts[0])

    def conditional(self, parts: Sequence[Part]) -> Expression:
        condition, _, then, _, otherwise = parts
        return Conditional(_node(condition), _node(then), _node(otherwise), _over(parts))

    def chain(self, parts: Sequence[Part]) -> Expression:
        return _balanced(OPERATORS[_word(parts[1])], parts[::2])

    def binary(self, parts: Sequence[Part]) -> Expression:
        left, operator, right = parts
        return Binary(OPERATORS[_word(operator)], _node(left), _node(right), _over(parts))

    def negation(self, parts: Sequence[Part]) -> Expression:
        return Unary("!", _node(parts[1]), _over(parts))

    def negative(self, parts: Sequence[Part]) -> Expression:
        match parts[1]:
            case Constant(int() | float() as value) if not isinstance(value, bool):
                # The smallest integer has no positive twin, so the sign belongs to the literal.
                return Constant(-value, _over(parts))
            case operand:
                return Unary("-", _node(operand), _over(parts))

    def select(self, parts: Sequence[Part]) -> Expression:
        operand, _, field = parts
        return Select(_node(operand), _word(field).strip("`"), False, _over(parts), _range(field))

    def method(self, parts: Sequence[Part]) -> Expression:
        receiver, _, name, _, *rest = parts
        arguments = rest[:-1:2]
        if macro := _macro(_word(name), receiver, arguments, _over(parts)):
            return macro
        operands = (_node(receiver), *map(_node, arguments))
        return Call(_word(name), operands, True, _over(parts), _range(name))

    def call(self, parts: Sequence[Part]) -> Expression:
        name, _, *rest = parts
        arguments = tuple(map(_node, rest[:-1:2]))
        match _word(name), arguments:
            case "has", [Select(has=False) as field]:
                return replace(field, has=True, span=_over(parts))
            case function, _:
                return Call(function, arguments, False, _over(parts), _range(name))

    def index(self, parts: Sequence[Part]) -> Expression:
        operand, _, index, _ = parts
        return Index(_node(operand), _node(index), _over(parts))

    def name(self, parts: Sequence[Part]) -> Expression:
        return Name(_word(parts[0]), _range(parts[0]))

    def group(self, parts: Sequence[Part]) -> Group:
        return Group(_node(parts[1]), _over(parts))

    def list(self, parts: Sequence[Part]) -> Expression:
        items = tuple(_node(part) for part in parts if not isinstance(part, Token))
        return ListOfItems(items, _over(parts))

    def record(self, parts: Sequence[Part]) -> Expression:
        entries = [part for part in parts if isinstance(part, Entry)]
        return RecordOfItems(tuple((_key(e.key), e.key.span, e.value) for e in entries), _over(parts))

    def entry(self, parts: Sequence[Part]) -> Entry:
        return Entry(_node(parts[0]), _node(parts[2]))

    def literal(self, parts: Sequence[Part]) -> Expression:
        token = parts[0]
        return Constant(_value(token) if isinstance(token, Token) else None, _range(token))


def _value(token: Token) -> bool | int | float | str | None:
    match token.type:
        case "STRING":
            return string_value(token)[0]
        case "BYTES":
            return ""
        case "INTEGER" | "FLOAT":
            return number_value(token)
        case "UNSIGNED":
            return number_value(token[:-1])
        case keyword:
            return _KEYWORDS[keyword]


def _macro(name: str, receiver: Part, arguments: Sequence[Part], span: Span) -> Macro | None:
    macro = MACROS.get(name)
    if macro is None or not arguments:
        return None
    match [_node(argument) for argument in arguments]:
        case [Name(variable), body]:
            return Macro(macro, _node(receiver), variable, None, body, span, _range(arguments[0]))
        case [Name(variable), condition, body] if macro == "map":
            return Macro(macro, _node(receiver), variable, condition, body, span, _range(arguments[0]))
        case _:
            return None


def _balanced(operator: BinaryOperator, operands: Sequence[Part]) -> Expression:
    """``a && b && c`` means the same however it is bracketed; halving keeps a long chain from being a deep tree."""
    if len(operands) == 1:
        return _node(operands[0])
    middle = (len(operands) + 1) // 2
    left, right = _balanced(operator, operands[:middle]), _balanced(operator, operands[middle:])
    return Binary(operator, left, right, _over(operands))


def _key(key: Expression) -> str:
    return key.value if isinstance(key, Constant) and isinstance(key.value, str) else ""


def _node(part: Part) -> Expression:
    if isinstance(part, Group):
        return part.inner
    if isinstance(part, Token | Entry):
        raise TypeError(f"a token stands where an expression must: {part!r}")
    return part


def _word(part: Part) -> str:
    if not isinstance(part, Token):
        raise TypeError(f"an expression stands where a token must: {part!r}")
    return str(part)


def _range(part: Part) -> Span:
    if isinstance(part, Token):
        start = part.start_pos or 0
        return Span(start, start + len(part))
    return Span(part.key.span.start, part.value.span.end) if isinstance(part, Entry) else part.span


def _over(parts: Sequence[Part]) -> Span:
    return Span(_range(parts[0]).start, _range(parts[-1]).end)
