"""State goes in, a node's own arguments come out; what the node returns goes in, checked writes come out.

A node receives copies of the values it reads and nothing else of the state, so that it cannot change the state in
place, at a cost that depends on these values alone. What it returns is checked once, copied, and completed with the
defaults of records: no reference that the node keeps leads into the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.runtime.contract_errors import OutputsError, StateTypeError, WritePermissionError
from grapharc.runtime.reducers import Reduce
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, is_dict
from grapharc.spec.types import Constrained, OneOf, Scalar, Singleton, Type, show
from grapharc.spec.values import Conform, Misfit, conform, copy_value, describe

View: TypeAlias = "Mapping[str, Json]"
"""The part of the state that a node reads, by channel."""
Bind: TypeAlias = "Callable[[View], Json]"
"""Makes one argument from the view."""


def copier(type_: Type) -> Callable[[Json], Json] | None:
    """Return what copies values of a type; None where they cannot be changed anyway."""
    return None if _immutable(type_) else copy_value


def _immutable(type_: Type) -> bool:
    match type_:
        case Scalar(name):
            return name != "json"
        case Singleton():
            return True
        case OneOf(options):
            return all(map(_immutable, options))
        case Constrained(base, _):
            return _immutable(base)
        case _:
            return False


@frozen
class Output:
    """An output port of a node: the field it goes to, or None where it is dropped, and how both types check it.

    ``combine`` folds two ports of one node into one write of their field.
    """

    port: str
    field: str | None
    declared: str
    check: Conform
    combine: Reduce | None = None


def output(port: str, port_type: Type, field: str, field_type: Type, combine: Reduce | None) -> Output:
    """Make an output port that is written to a field."""
    return Output(port, field, show(field_type), _both(conform(port_type), conform(field_type)), combine)


def dropped(port: str) -> Output:
    """Make an output port without a field: what it carries is let go."""
    return Output(port, None, "", conform_nothing)


def conform_nothing(value: object) -> Json:
    """Check nothing."""
    del value
    return None


def _both(port: Conform, field: Conform) -> Conform:
    """The kind's own type first, since its records' defaults are filled in before the field's type looks."""
    return field if port is field else lambda value: field(port(value))


def writes_of(node: str, outputs: Mapping[str, Output], returned: object) -> dict[str, Json]:
    """Check what a node returned and give it by field.

    Raises OutputsError, WritePermissionError for what it does not declare, StateTypeError for a value that does not
    fit, or that is missing.
    """
    if not is_dict(returned):
        if returned is not None:
            raise OutputsError(node, describe(returned))
        returned = {}
    class_: type = type(returned)
    if class_ is not dict:
        returned = dict(dict[object, object].items(returned))  # what it holds, whatever its class makes of that
    writes: dict[str, Json] = {}
    for port, value in returned.items():
        out = outputs.get(port) if isinstance(port, str) else None
        if out is None:
            raise WritePermissionError(node, str(port), tuple(sorted(outputs)))
        if out.field is None:
            continue
        try:
            made = out.check(value)
        except Misfit as misfit:
            raise StateTypeError(node, out.field, out.declared, str(misfit)) from None
        except RecursionError:
            raise StateTypeError(node, out.field, out.declared, "found a value nested too deep, or in itself") from None
        except Exception as broken:  # a class of the kind's own can do anything when it is looked at
            why = f"looking at the value raised {type(broken).__name__}"
            raise StateTypeError(node, out.field, out.declared, why) from broken
        if out.combine is not None and out.field in writes:
            made = out.combine(writes[out.field], made)
        writes[out.field] = made
    if len(returned) < len(outputs):
        _complete(node, outputs, returned)
    return writes


def _complete(node: str, outputs: Mapping[str, Output], returned: dict[object, object]) -> None:
    for port, out in outputs.items():
        if out.field is not None and port not in returned:
            raise StateTypeError(node, out.field, out.declared, f"the node returned no '{port}'")
