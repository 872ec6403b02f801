"""A tree goes in; what it reads of its scope comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.spec.expressions.syntax import Expression, Macro, Select, Way, children, way_of


def names_read(tree: Expression) -> tuple[str, ...]:
    """Return the names of the scope that an expression reads, sorted."""
    return tuple(sorted({way[0] for way in _ways(tree, frozenset())}))


def reads_nothing(tree: Expression) -> bool:
    """Tell whether an expression reads no name of the scope."""
    return next(_ways(tree, frozenset()), None) is None


def ways_read(tree: Expression) -> tuple[Way, ...]:
    """Return the longest ways that an expression reads, sorted: ``args.a.b > 1`` reads ``("args", "a", "b")``.

    ``has(args.a)`` reads ``("args", "a")``.
    """
    return tuple(sorted(set(_ways(tree, frozenset()))))


def _ways(node: Expression, variables: frozenset[str]) -> Iterator[Way]:
    if isinstance(node, Select) and node.has:
        before = way_of(node.operand)
        way = None if before is None else (*before, node.field)
    else:
        way = way_of(node)
    if way is not None:
        if way[0] not in variables:
            yield way
        return
    if isinstance(node, Macro):
        yield from _ways(node.range, variables)
        inner = variables | {node.variable}
        for part in (node.condition, node.body):
            if part is not None:
                yield from _ways(part, inner)
        return
    for child in children(node):
        yield from _ways(child, variables)
