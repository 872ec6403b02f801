"""A linked node goes in; the function that makes its keyword arguments from its view of the state comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from grapharc.compiler.names import channel
from grapharc.compiler.places import Where, whereabouts
from grapharc.runtime.contracts import Bind, View, copier
from grapharc.runtime.errors import ExpressionFailed
from grapharc.spec.document import Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.syntax import Name
from grapharc.spec.json_value import Json, Path, is_dict, is_list
from grapharc.spec.linked import Node
from grapharc.spec.templates import Template, render
from grapharc.spec.types import JSON, Missing
from grapharc.spec.values import Misfit, conform, copy_value

Arguments: TypeAlias = dict[str, object]


def bind(node: Node, texts: Mapping[str, Text]) -> Callable[[View], Arguments]:
    """Compile the bindings of a node. What comes out raises ExpressionFailed."""
    kind = node.offer.kind
    binders = {
        read.port: bind_expression(
            node.name, f"port '{read.port}'", read.expression, whereabouts(read.place, read.expression.text, texts)
        )
        for read in node.reads
    }
    ports = [(port, binder) for port, binder in binders.items() if port in kind.reads]
    fixed, changing = _constants(node)
    fill = _templates(node, binders)
    expressions = [
        (
            arg.path,
            bind_expression(
                node.name,
                f"argument '{arg.path[0]}'",
                arg.expression,
                whereabouts(arg.place, arg.expression.text, texts),
            ),
        )
        for arg in node.expressions
    ]

    def arguments_of(view: View) -> Arguments:
        made: Arguments = {**fixed}
        for name, value in changing:
            made[name] = copy_value(value)
        for port, binder in ports:
            made[port] = binder(view)
        for path, binder in expressions:
            _put(made, path, binder(view))
        if fill is not None:
            fill(view, made)
        return made

    return arguments_of


def bind_expression(node: str, at: str, expression: Checked, where: Where) -> Bind:
    """Compile an expression over state into a function of the view; its value is a copy."""
    if isinstance(expression.tree, Name):
        return _field(node, at, expression.tree.name, expression, where)
    evaluate = compile_expression(expression)
    channels = [(field, channel(field)) for field in expression.reads]
    copy = conform(JSON)

    def computed(view: View) -> Json:
        try:
            return copy(evaluate({field: view[key] for field, key in channels if key in view}))
        except (EvaluationError, Misfit) as error:
            part = error.span if isinstance(error, EvaluationError) else expression.tree.span
            raise ExpressionFailed(node, at, expression.text, str(error), where(part)) from error

    return computed


def _field(node: str, at: str, field: str, expression: Checked, where: Where) -> Bind:
    key, copy = channel(field), copier(expression.type)

    def value_of(view: View) -> Json:
        try:
            value = view[key]
        except KeyError:
            why = f"field '{field}' has no value yet"
            raise ExpressionFailed(node, at, field, why, where(expression.tree.span)) from None
        return value if copy is None else copy(value)

    return value_of


def _constants(node: Node) -> tuple[Arguments, Sequence[tuple[str, Json]]]:
    """Split what does not depend on the state: what cannot be changed, and what each call needs a copy of."""
    bound = {read.port for read in node.reads}
    values: dict[str, Json] = {**node.args}
    for port in node.offer.kind.reads.values():
        if port.name not in bound and not isinstance(port.default, Missing):
            values[port.name] = port.default
    changing = [(name, value) for name, value in values.items() if isinstance(value, list | dict)]
    return {name: value for name, value in values.items() if not isinstance(value, list | dict)}, changing


def _templates(node: Node, binders: Mapping[str, Bind]) -> Callable[[View, Arguments], None] | None:
    if not node.templates:
        return None
    templates = [(arg.path, arg.template) for arg in node.templates]
    ports = sorted({hole.port for _, template in templates for hole in template.holes})
    defaults = {name: port.default for name, port in node.offer.kind.reads.items() if name in ports}

    def fill(view: View, made: Arguments) -> None:
        values = {port: binders[port](view) if port in binders else _given(defaults[port]) for port in ports}
        for path, template in templates:
            _put(made, path, _rendered(node.name, path, template, values))

    return fill


def _given(default: Json | Missing) -> Json:
    return None if isinstance(default, Missing) else default


def _rendered(node: str, path: Path, template: Template, values: Mapping[str, Json]) -> str:
    try:
        return render(template, values)
    except KeyError as missing:
        raise ExpressionFailed(
            node, f"argument '{path[0]}'", f"{{{missing.args[0]}}}", "there is no such value"
        ) from None


def _put(made: Arguments, path: Path, value: Json) -> None:
    """Put a value into the arguments; the containers on the way are this call's own copies."""
    *way, last = path
    holder: object = made
    for part in way:
        holder = _inside(holder, part)
    if is_list(holder):
        if isinstance(last, int):
            holder[last] = value
    elif is_dict(holder):
        holder[last] = value


def _inside(holder: object, part: str | int) -> object:
    if is_list(holder):
        return holder[part] if isinstance(part, int) else None
    return holder[part] if is_dict(holder) else None
