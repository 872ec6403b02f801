"""A linked graph in; its branches with what they cover - whether one arm is always taken, which never is - out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.expressions.syntax import Constant, Expression
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.source import Span
from grapharc.spec.subtype import without_null
from grapharc.spec.types import Type

if TYPE_CHECKING:
    from grapharc.spec.expressions.domains import Coverage

_ALWAYS = Constant(True, Span(0, 0))

_Question: TypeAlias = "tuple[tuple[str, ...], bool, tuple[tuple[str, Type], ...]]"


@frozen
class Branch:
    """The arms of one node, by the indexes of their edges, in the order in which they are tried.

    The last is the one for when no condition is true, if there is ``otherwise``. ``coverage`` speaks of the arms in
    the same order.
    """

    node: str
    arms: tuple[int, ...]
    otherwise: bool
    coverage: Coverage


def branches(graph: LinkedGraph) -> tuple[Branch, ...]:
    """Decide every branch, in the order of the names of their nodes; a node with other edges beside it is left out."""
    arms: dict[str, list[int]] = {}
    for number, edge in enumerate(graph.edges):
        if edge.form == "arm":
            arms.setdefault(edge.source, []).append(number)
    plain = {edge.source for edge in graph.edges if edge.form == "always"} if arms else set[str]()
    known: dict[_Question, Coverage] = {}
    return tuple(_branch(graph, node, arms[node], known) for node in sorted(arms) if node not in plain)


def covered(trees: Sequence[Expression], scope: Mapping[str, Type]) -> Coverage:
    """Decide what conditions cover, tried one after the other."""
    from grapharc.spec.expressions.domains import coverage  # a graph in which nothing branches does not wait for it

    return coverage(trees, scope)


def scope_at(graph: LinkedGraph, node: str, names: tuple[str, ...]) -> Mapping[str, Type]:
    """Return the types that some fields have for the conditions of a node."""
    sure = graph.failed.get(node, ())
    types = {name: graph.fields[name].type for name in names if name in graph.fields}
    return {name: without_null(type_) if name in sure else type_ for name, type_ in types.items()}


def _branch(graph: LinkedGraph, node: str, edges: list[int], known: dict[_Question, Coverage]) -> Branch:
    conditions = [graph.edges[edge].condition for edge in edges]
    asked = [(edge, one) for edge, one in zip(edges, conditions, strict=True) if one is not None]
    last = [edge for edge, one in zip(edges, conditions, strict=True) if one is None][:1]
    names = tuple(sorted({name for _, one in asked for name in one.reads}))
    scope = scope_at(graph, node, names)
    question = (tuple(one.text for _, one in asked), bool(last), tuple(scope.items()))
    found = known.get(question)
    if found is None:
        trees: list[Expression] = [one.tree for _, one in asked]
        found = known[question] = covered([*trees, _ALWAYS] if last else trees, scope)
    return Branch(node, (*(edge for edge, _ in asked), *last), bool(last), found)
