"""A node with a map goes in; how its list is made and its items' shares are put together comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

from grapharc.compiler.names import channel
from grapharc.compiler.places import whereabouts
from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import ExpressionFailed
from grapharc.runtime.fan import Fan
from grapharc.spec.document import Text
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Map, Node
from grapharc.spec.offers import Field
from grapharc.spec.subtype import substitute
from grapharc.spec.types import ListOf, show
from grapharc.spec.values import Conform, Misfit, conform, describe


def fan(node: Node, mapped: Map, fields: Mapping[str, Field], texts: Mapping[str, Text]) -> Fan:
    """Compile the map of a node."""
    shares = [_share(node, mapped, write.port, fields[write.field]) for write in node.writes]
    failures = None if mapped.failures is None else fields[mapped.failures]
    return Fan(
        items=_items(node, mapped, texts),
        channel=channel(mapped.item),
        max_items=mapped.max_items,
        concurrency=mapped.concurrency,
        collect=mapped.collect,
        assemble=_assembler(node.name, shares, failures),
    )


def _items(node: Node, mapped: Map, texts: Mapping[str, Text]) -> Callable[[View], Sequence[Json]]:
    evaluate = compile_expression(mapped.over)
    channels = [(field, channel(field)) for field in mapped.over.reads]
    place = Place(mapped.place.document, (*mapped.place.path, "over"))
    where = whereabouts(place, mapped.over.text, texts)

    def items(view: View) -> Sequence[Json]:
        try:
            value = evaluate({field: view[key] for field, key in channels if key in view})
        except EvaluationError as error:
            raise ExpressionFailed(node.name, "'over'", mapped.over.text, str(error), where(error.span)) from error
        if _is_list(value):
            return value
        why = f"it is {describe(value)}, a list would be right"
        raise ExpressionFailed(node.name, "'over'", mapped.over.text, why, where(mapped.over.tree.span))

    return items


def _is_list(value: object) -> TypeGuard[list[Json]]:
    """What an expression makes of JSON is JSON."""
    return isinstance(value, list)


@frozen
class _Share:
    """A field that items write to: whether their lists are put together to one, and how the whole is checked.

    What is already known to fit is not checked again.
    """

    field: str
    joined: bool
    declared: str
    check: Conform | None


def _share(node: Node, mapped: Map, port: str, field: Field) -> _Share:
    joined = port in mapped.joined
    type_ = substitute(node.offer.kind.writes[port].type, node.variables)
    whole = type_ if joined else ListOf(type_)
    return _Share(field.name, joined, show(field.type), None if whole == field.type else conform(field.type))


def _assembler(
    node: str, shares: Sequence[_Share], failures: Field | None
) -> Callable[[Sequence[Mapping[str, Json]], Sequence[Json]], dict[str, Json]]:
    def assemble(gives: Sequence[Mapping[str, Json]], failed: Sequence[Json]) -> dict[str, Json]:
        writes: dict[str, Json] = {}
        for share in shares:
            parts = [give[share.field] for give in gives]
            whole = [item for part in parts if isinstance(part, list) for item in part] if share.joined else parts
            writes[share.field] = _checked(node, share.field, share.declared, share.check, whole)
        if failures is not None:
            check = conform(failures.type)
            writes[failures.name] = _checked(node, failures.name, show(failures.type), check, failed)
        return writes

    return assemble


def _checked(node: str, field: str, declared: str, check: Conform | None, value: Json) -> Json:
    if check is None:
        return value
    try:
        return check(value)
    except Misfit as misfit:
        raise StateTypeError(node, field, declared, str(misfit)) from None
