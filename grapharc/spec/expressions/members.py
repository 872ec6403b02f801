"""The type of a value and which part of it is read go in; the part's type comes out, or a fault."""

from __future__ import annotations

from grapharc.spec.expressions.open_types import UNKNOWN, is_open
from grapharc.spec.expressions.overlap import as_map, options
from grapharc.spec.expressions.report import Report
from grapharc.spec.expressions.syntax import Constant, Expression, Index, Select
from grapharc.spec.source import Span
from grapharc.spec.subtype import is_subtype, union_of
from grapharc.spec.suggest import suggest
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, STRING, ListOf, MapOf, OneOf, Record, Type, bare, show


def select(node: Select, operand: Type, report: Report) -> Type:
    """Return the type of ``operand.field``, or of ``has(operand.field)``."""
    type_ = report.used(node.operand, operand)
    if node.has:
        type_ = as_map(type_)
    found = _field(node.operand, type_, node.field, node.field_span, report)
    return BOOLEAN if node.has else found


def index(node: Index, operand: Type, position: Type, report: Report) -> Type:
    """Return the type of ``operand[index]``."""
    type_, position = report.used(node.operand, operand), report.used(node.index, position)
    if isinstance(type_, ListOf):
        return _indexed(node, position, INTEGER, type_.item, report)
    if isinstance(type_, MapOf):
        return _indexed(node, position, STRING, type_.value, report)
    if is_open(type_):
        return _indexed(node, position, OneOf((INTEGER, STRING)), JSON, report)
    if isinstance(node.index, Constant) and isinstance(node.index.value, str):
        return _field(node.operand, type_, node.index.value, node.index.span, report)
    if all(isinstance(bare(option), Record) for option in options(type_)):
        return report.refuse("record_index", node.index.span, expression=report.source(node.operand))
    values = {"expression": report.source(node.operand), "operator": "[]", "found": show(type_)}
    return report.refuse("wrong_operand", node.operand.span, **values, expected="list, map or record")


def _indexed(node: Index, position: Type, wanted: Type, result: Type, report: Report) -> Type:
    if is_open(position) or is_subtype(position, wanted):
        return result
    values = {"expression": report.source(node.index), "operator": "[]", "found": show(position)}
    return report.refuse("wrong_operand", node.index.span, **values, expected=show(wanted))


def _field(operand: Expression, type_: Type, field: str, span: Span, report: Report) -> Type:
    """Every alternative of a union must have the field."""
    if is_open(type_):
        return JSON if type_ == JSON else UNKNOWN
    found: list[Type] = []
    for option in map(bare, options(type_)):
        match option:
            case Record(_, members) if any(member.name == field for member in members):
                found.extend(member.type for member in members if member.name == field)
            case Record(_, members):
                suggestion = suggest(field, (member.name for member in members))
                values = {"field": field, "expression": report.source(operand), "type": show(option)}
                return report.refuse("unknown_member", span, **values, suggestion=suggestion)
            case MapOf(value):
                found.append(value)
            case _ if is_open(option):
                found.append(JSON)
            case _:
                values = {"field": field, "expression": report.source(operand), "type": show(option)}
                return report.refuse("no_members", span, **values)
    return union_of(found)
