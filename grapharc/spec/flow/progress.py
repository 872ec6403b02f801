"""Loops and branches in; the loops that look for progress where there can never be any, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.spec.expressions.overlap import enum, options
from grapharc.spec.expressions.syntax import Binary, Call, Constant, Expression, Name, Unary, walk
from grapharc.spec.flow.access import Access
from grapharc.spec.flow.branches import Branch, covered, scope_at
from grapharc.spec.flow.control import Control
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.source import Span
from grapharc.spec.types import BOOLEAN, NULL, ListOf, MapOf, Type, bare

MOST = 50
"""Of more values that a condition compares with, nobody asks whether one is the only one left."""

_HERE = Span(0, 0)
_ALWAYS = Constant(True, _HERE)


@frozen
class NoProgress:
    """The loop of an edge looks for progress in vain: its condition holds all fields ``fixed``, or none is written."""

    edge: int
    fixed: bool


def no_progress(
    graph: LinkedGraph, control: Control, access: Access, branches: Iterable[Branch]
) -> Iterator[NoProgress]:
    """Find them, in the order of the edges; of the edges of one loop that nobody writes for, the first."""
    looking = [number for number, edge in enumerate(graph.edges) if edge.loop is not None and edge.loop.progress]
    if not looking:
        return
    idle = _idle(graph, control, access, looking)
    arms = {arm: (branch, index) for branch in branches for index, arm in enumerate(branch.arms)}
    for number in looking:
        if graph.edges[number].target in idle:
            idle.discard(graph.edges[number].target)
            yield NoProgress(number, fixed=False)
        elif number in arms and _holds_all(graph, number, *arms[number]):
            yield NoProgress(number, fixed=True)


def _idle(graph: LinkedGraph, control: Control, access: Access, looking: Iterable[int]) -> set[str]:
    """Name the headers of loops none of whose nodes writes a field that the loop looks at."""
    names = control.graph.names
    wanted = {graph.edges[number].target: frozenset(_progress(graph, number)) for number in looking}
    of_interest = {field for fields in wanted.values() for field in fields}
    idle = {names[header] for header in control.loops.by_header if names[header] in wanted}
    for node in control.order.nodes:
        written = of_interest.intersection(access.written_by(node))
        if written or node in access.inert:
            for loop in control.loops.around(node):
                header = names[loop.header]
                if header in idle and (node in access.inert or wanted[header] & written):
                    idle.discard(header)
    return idle


def _progress(graph: LinkedGraph, number: int) -> tuple[str, ...]:
    loop = graph.edges[number].loop
    return () if loop is None else loop.progress


def _holds_all(graph: LinkedGraph, number: int, branch: Branch, index: int) -> bool:
    """Tell whether the arm is only taken while each field has one certain value."""
    if branch.coverage.arms[index].reachable == "no":
        return False
    conditions = [graph.edges[arm].condition for arm in branch.arms]
    trees: list[Expression] = [_ALWAYS if condition is None else condition.tree for condition in conditions]
    progress = _progress(graph, number)
    reads = {name for condition in conditions if condition is not None for name in condition.reads}
    scope = scope_at(graph, branch.node, tuple(sorted({*reads, *progress})))
    return all(field in scope and _holds(field, trees[: index + 1], scope) for field in progress)


def _holds(field: str, trees: list[Expression], scope: Mapping[str, Type]) -> bool:
    name = Name(field, _HERE)
    *before, own = trees
    for is_value in _values(name, trees, scope[field]):
        another = Binary("&&", Unary("!", is_value, _HERE), own, _HERE)
        if covered([*before, another], scope).arms[-1].reachable == "no":
            return True
    return False


def _values(name: Name, trees: list[Expression], type_: Type) -> Iterator[Expression]:
    """List conditions that hold for one value of a field alone: each that it may be fixed to."""
    found = options(type_)
    values: list[bool | int | float | str | None] = [*enum(type_)]
    values += [True, False] if any(bare(option) == BOOLEAN for option in found) else []
    values += [None] if any(bare(option) == NULL for option in found) else []
    for tree in trees:
        values += [node.value for node, _ in walk(tree) if isinstance(node, Constant)]
    if any(isinstance(bare(option), ListOf | MapOf) for option in found):
        size = Call("size", (name,), False, _HERE, _HERE)
        yield Binary("==", size, Constant(0, _HERE), _HERE)
    for value in list({(type(value), value): value for value in values}.values())[:MOST]:
        yield Binary("==", name, Constant(value, _HERE), _HERE)
