"""Worst cases go in as numbers and texts; numbers and checked expressions come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from grapharc.spec.arguments.schema_types import arguments_record, optional_arguments
from grapharc.spec.arguments.schema_walk import Schema
from grapharc.spec.documents.manifest import CostModel
from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.expressions.syntax import Call, Expression, Name, children
from grapharc.spec.faults import Faults
from grapharc.spec.json_value import Path
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Amount, Dimension, Port
from grapharc.spec.subtype import substitute, variables
from grapharc.spec.types import JSON, NUMBER, Type

Written: TypeAlias = "int | float | str"


def amounts_of(model: CostModel) -> dict[Dimension, Written]:
    """Return the worst cases that are written down, by dimension."""
    amounts: Mapping[Dimension, Written | None] = {
        "tokens": model.tokens,
        "usd": model.usd,
        "seconds": model.seconds,
        "iterations": model.iterations,
    }
    return {dimension: amount for dimension, amount in amounts.items() if amount is not None}


def read_amount(
    amount: Written, path: Path, schema: Schema, reads: Mapping[str, Port], memo: Memo, faults: Faults
) -> Amount | None:
    """Return a worst case; of a text the expression that it is, over what is known before a run."""
    if not isinstance(amount, str):
        return amount
    tree, found = parse_expression(amount, memo)
    checked = None
    if tree is not None:
        scope: dict[str, Type] = {name: _open(port.type) for name, port in reads.items()}
        scope |= {"args": arguments_record(schema), "timeout_seconds": NUMBER}
        absent = frozenset(("args", name) for name in optional_arguments(schema))
        checked, found = check(tree, amount, scope, NUMBER, absent)
        for name in _read_for_their_value(tree, frozenset(reads)):
            faults.add("cost_reads_port", path, {"name": name.name}, within=name.span)
    for fault in found:
        faults.add(fault.code, path, fault.values, within=fault.span)
    return checked


def _open(type_: Type) -> Type:
    """A port's type where nothing is bound to it yet: a variable may be anything."""
    return substitute(type_, {variable.name: JSON for variable in variables(type_)})


def _read_for_their_value(tree: Expression, ports: frozenset[str]) -> Iterator[Name]:
    """The ports that an expression reads otherwise than by ``size(port)``: only sizes are known before a run."""
    match tree:
        case Name(name) if name in ports:
            yield tree
        case Call("size", (Name(),)):
            return
        case _:
            for inner in children(tree):
                yield from _read_for_their_value(inner, ports)
