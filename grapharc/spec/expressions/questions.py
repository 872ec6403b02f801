"""Checked conditions go in; formulas over cases of terms come out, which can be decided for every case.

A term is a way (``claim.level``) or its size, compared with constants. What else a condition asks is opaque: it may
be true or false, but the same question, however it is written, has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from grapharc.spec.expressions.comparison import ORDERS, equal
from grapharc.spec.expressions.constant import constant
from grapharc.spec.expressions.cost import LIMITS
from grapharc.spec.expressions.formula import Alike, Choice, Either, Fixed, Formula, Not, Outcome, Same, Test
from grapharc.spec.expressions.infer import View, infer
from grapharc.spec.expressions.overlap import options
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.shape import shape
from grapharc.spec.expressions.syntax import (
    Binary,
    Call,
    Conditional,
    Expression,
    ListOfItems,
    Unary,
    way_of,
)
from grapharc.spec.expressions.terms import Case, cases, is_finite, is_numeric
from grapharc.spec.frozen import field, record
from grapharc.spec.json_value import Json
from grapharc.spec.subtype import without_null
from grapharc.spec.types import BOOLEAN, INTEGER, STRING, Constrained, Type, bare

OPAQUE = (Case(True, False), Case(False, False))


def _no_types() -> dict[str, Type | None]:
    return {}


@record
class Terms:
    """The terms of some conditions, with all that any of the conditions compares each with."""

    scope: Mapping[str, Type]
    types: dict[str, Type | None] = field(default_factory=_no_types)
    constants: dict[str, list[object]] = field(default_factory=dict[str, list[object]])
    known_cases: dict[str, tuple[Case, ...]] = field(default_factory=dict[str, tuple[Case, ...]])

    def cases(self, term: str) -> tuple[Case, ...]:
        """Return the cases of a term, once all formulas are made; of an opaque one true and false, neither certain."""
        found = self.known_cases.get(term)
        if found is None:
            type_ = self.types[term]
            found = OPAQUE if type_ is None else cases(type_, self.constants[term])
            self.known_cases[term] = found
        return found

    def formula(self, node: Expression) -> Formula:
        """Return what a boolean expression asks of terms."""
        known = constant(node)
        if known is not None:
            return Fixed(_boolean(known.value))
        match node:
            case Unary("!", operand):
                return Not(self.formula(operand))
            case Binary("&&" | "||" as operator, left, right):
                return Either(operator == "||", self.formula(left), self.formula(right))
            case Conditional(condition, then, otherwise):
                return Choice(self.formula(condition), self.formula(then), self.formula(otherwise))
            case Binary("!=", left, right):
                return Not(self._equality(left, right))
            case Binary("==", left, right):
                return self._equality(left, right)
            case Binary("<" | "<=" | ">" | ">=" as operator, left, right):
                return self._ordering(operator, left, right)
            case Binary("in", left, ListOfItems(items)):
                return self._membership(left, items, node)
            case _:
                return self._asked(node)

    def _asked(self, node: Expression) -> Formula:
        term = self._term(node)
        return self._opaque(shape(node)) if term is None else Test(term, _boolean)

    def _equality(self, left: Expression, right: Expression) -> Formula:
        for side, other in ((left, right), (right, left)):
            known, term = constant(other), self._term(side)
            if known is not None and term is not None:
                self.constants[term].append(known.value)
                return Test(term, _equal_to(known.value))
        one, two = self._term(left), self._term(right)
        if one is not None and two is not None and self._is_finite(one) and self._is_finite(two):
            return Same(one, two)
        if self._is_condition(left) and self._is_condition(right):
            return Alike(self.formula(left), self.formula(right))
        return self._opaque(" == ".join(sorted((shape(left), shape(right)))))

    def _ordering(self, operator: _Ordering, left: Expression, right: Expression) -> Formula:
        sides: tuple[tuple[Expression, Expression, _Ordering], ...]
        sides = (left, right, operator), (right, left, _TURNED[operator])
        for side, other, turned in sides:
            known, term = constant(other), self._term(side)
            type_ = None if term is None else self.types[term]
            if known is None or term is None or type_ is None or not is_numeric(type_):
                continue
            if isinstance(known.value, int | float):
                self.constants[term].append(known.value)
                return Test(term, _ordered(turned, known.value))
        if operator in (">", "<="):
            operator, left, right = _TURNED[operator], right, left
        if operator == ">=" and self._is_ordered(left) and self._is_ordered(right):
            return Not(self._opaque(f"{shape(left)} < {shape(right)}"))
        return self._opaque(f"{shape(left)} {operator} {shape(right)}")

    def _membership(self, left: Expression, items: Sequence[Expression], node: Expression) -> Formula:
        term, known = self._term(left), [constant(item) for item in items]
        values = [each.value for each in known if each is not None]
        if term is None or len(values) < len(items):
            return self._opaque(shape(node))
        self.constants[term].extend(values)
        return Test(term, lambda value: any(equal(value, each) for each in values))

    def _term(self, node: Expression) -> str | None:
        """Find the term that an expression is, if it is one."""
        key = shape(node)
        if key not in self.types:
            type_ = self._type(node)
            if type_ is None:
                return None
            self.types[key], self.constants[key] = type_, []
        return key if self.types[key] is not None else None

    def _type(self, node: Expression) -> Type | None:
        way = way_of(node)
        if way is not None and way[0] in self.scope:
            return infer(node, View(self.scope), Report("", frozenset()))
        match node:
            case Call("size", [argument]) if way_of(argument):
                inner = self._type(argument)
                return None if inner is None else _count(inner)
            case _:
                return None

    def _opaque(self, key: str) -> Formula:
        self.types[key], self.constants[key] = None, []
        return Test(key, _boolean)

    def _is_ordered(self, node: Expression) -> bool:
        """Tell whether a value is less than another or not less: NaN is neither, which no field holds."""
        return self._term(node) is not None or self._infer(node) in (INTEGER, STRING, BOOLEAN)

    def _infer(self, node: Expression) -> Type:
        return bare(infer(node, View(self.scope), Report("", frozenset())))

    def _is_condition(self, node: Expression) -> bool:
        """Tell whether an expression can only be true or false."""
        term = self._term(node)
        if term is not None:
            return self.types[term] == BOOLEAN
        match node:
            case Unary("!", _):
                return True
            case Binary(operator):
                return operator not in ("+", "-", "*", "/", "%")
            case _:
                return False

    def _is_finite(self, term: str) -> bool:
        type_ = self.types[term]
        return type_ is not None and is_finite(type_)


_Ordering: TypeAlias = Literal["<", "<=", ">", ">="]
_TURNED: Mapping[_Ordering, _Ordering] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _boolean(value: object) -> Outcome:
    return value if isinstance(value, bool) else None


def _equal_to(constant_value: object) -> Callable[[object], Outcome]:
    return lambda value: equal(value, constant_value)


def _ordered(operator: _Ordering, limit: float) -> Callable[[object], Outcome]:
    holds = ORDERS[operator]

    def test(value: object) -> Outcome:
        return holds(value, limit) if isinstance(value, int | float) and not isinstance(value, bool) else None

    return test


def _count(type_: Type) -> Type:
    """The type of a value's size: not negative, and not beyond what its type allows."""
    limits = [dict(option.constraints) for option in options(type_) if isinstance(option, Constrained)]
    highest = [limit for each in limits for word, limit in each.items() if word in LIMITS]
    bounds: tuple[tuple[str, Json], ...] = (("minimum", 0),)
    if len(options(without_null(type_))) == len(highest) == 1:
        bounds = (*bounds, ("maximum", highest[0]))
    return Constrained(INTEGER, bounds)
