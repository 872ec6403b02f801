"""A linked graph in; the conditions over open texts that a model wrote, out.

What a model writes lands in the fields that its node writes, and goes on through nodes that hand on what they are
given (a port of the same type variable on both sides), unless their kind endorses. A text or ``json`` of such a field
is open: the model may write into it what it likes, and so may whoever wrote what the model read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.overlap import options
from grapharc.spec.expressions.syntax import Binary, Constant, Expression, Index, Macro, Name, Select, children
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.source import Span
from grapharc.spec.subtype import variables
from grapharc.spec.types import JSON, STRING, Type, bare


@frozen
class Steered:
    """The condition of an edge looks, at ``span``, into a field that ``writer`` wrote what a model said to."""

    edge: int
    span: Span
    field: str
    writer: str


def steered(graph: LinkedGraph) -> Iterator[Steered]:
    """Find, for each condition and field, the first look at something open."""
    asking = [number for number, edge in enumerate(graph.edges) if edge.condition is not None]
    written = _written_by_models(graph) if asking else dict[str, str]()
    for number in asking if written else ():
        condition = graph.edges[number].condition
        if condition is None or written.keys().isdisjoint(condition.reads):
            continue
        told: set[str] = set()
        for span, field in _open_looks(condition):
            if field in written and field not in told:
                told.add(field)
                yield Steered(number, span, field, written[field])


def _written_by_models(graph: LinkedGraph) -> Mapping[str, str]:
    """By field, the first node that writes to it what a model said."""
    found: dict[str, str] = {}
    handing_on: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(graph.nodes):
        node = graph.nodes[name]
        if "model" in node.capabilities:
            for field in node.fields_written:
                found.setdefault(field, name)
        elif not node.offer.endorses:
            for source, target in _handed_on(node):
                handing_on.setdefault(source, []).append((target, name))
    todo = sorted(found)
    while todo:
        for target, name in handing_on.get(todo.pop(), ()):
            if target not in found:
                found[target] = name
                todo.append(target)
    return found


def _handed_on(node: Node) -> Iterator[tuple[str, str]]:
    """List from which field to which a node hands something on."""
    kind = node.offer.kind
    outputs = [(write.field, _names(kind.writes[write.port].type)) for write in node.writes]
    for read in node.reads:
        port = kind.reads.get(read.port)
        taken = frozenset[str]() if port is None else _names(port.type)
        fields = read.fields
        if node.map is not None and node.map.item in read.expression.reads:
            fields = (*fields, *node.map.over.reads)
        for target, given in outputs:
            if taken & given:
                yield from ((source, target) for source in fields)


def _names(type_: Type) -> frozenset[str]:
    return frozenset(variable.name for variable in variables(type_))


def _open_looks(condition: Checked) -> Iterator[tuple[Span, str]]:
    """List where a condition looks at something open, with the field that it comes from; null is no text."""
    todo: list[tuple[Expression, Mapping[str, str]]] = [(condition.tree, {})]
    while todo:
        node, variables_ = todo.pop()
        match node:
            case Binary("==" | "!=", left, right) if _is_null(left) or _is_null(right):
                asked = right if _is_null(left) else left
                todo.extend((inner, variables_) for inner in _indexes(asked))
            case Name() | Select() | Index():
                root = _root(node, variables_)
                if root and _is_open(condition.types.get(node.span)):
                    yield node.span, root
                todo.extend((inner, variables_) for inner in _indexes(node))
            case Macro(_, range_, variable, asked, body):
                inside = {**variables_, variable: _root(range_, variables_)}
                todo.extend((part, inside) for part in (body, asked) if part is not None)
                todo.append((range_, variables_))
            case _:
                todo.extend((inner, variables_) for inner in reversed(children(node)))


def _root(node: Expression, variables_: Mapping[str, str]) -> str:
    """Return the field that a way begins with; "" where it begins with something else."""
    while isinstance(node, Select | Index):
        node = node.operand
    return variables_.get(node.name, node.name) if isinstance(node, Name) else ""


def _indexes(node: Expression) -> Iterable[Expression]:
    """List what stands in square brackets on a way, and what the way begins with if that is no name."""
    while isinstance(node, Select | Index):
        if isinstance(node, Index):
            yield node.index
        node = node.operand
    if not isinstance(node, Name):
        yield node


def _is_null(node: Expression) -> bool:
    return isinstance(node, Constant) and node.value is None


def _is_open(type_: Type | None) -> bool:
    return type_ is not None and any(bare(option) in (STRING, JSON) for option in options(type_))
