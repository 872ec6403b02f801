"""A linked graph goes in; the graphs and the nodes that are nested in it, at any depth, come out.

A node inside is called by the way to it: ``outer/inner``. A slash can stand in no name that a document gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grapharc.spec.finding import Finding
from grapharc.spec.frozen import replace
from grapharc.spec.linked import LinkedGraph, Node

MOST_NODES = 10_000
"""The most nodes that subgraphs may come to when each is counted wherever it stands."""

MOST_LEVELS = 16
"""The most graphs that may lie in each other."""


def within(outer: str, name: str) -> str:
    """Return the whole name of what is called ``name`` in the graph that a node runs; ``outer`` is "" for no node."""
    return f"{outer}/{name}" if outer else name


def led(graph: LinkedGraph, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings about a graph with the way to it, where it is a subgraph."""
    for finding in findings:
        yield replace(finding, related=(*finding.related, *graph.led_by)) if graph.led_by else finding


def every_graph(graph: LinkedGraph) -> tuple[LinkedGraph, ...]:
    """Return a graph and all that are nested in it, each once, and each after all that it is nested in."""
    found: list[LinkedGraph] = []
    seen: set[int] = set()

    def visit(one: LinkedGraph) -> None:
        seen.add(id(one))
        for _, inner in reversed(one.subgraphs):
            if id(inner) not in seen:
                visit(inner)
        found.append(one)

    visit(graph)
    return tuple(reversed(found))


def every_node(graph: LinkedGraph) -> Iterator[Node]:
    """Yield all nodes, those of subgraphs under their whole names after the node that leads to them."""
    for node in graph.nodes.values():
        yield node
        if node.subgraph is not None:
            for inner in every_node(node.subgraph):
                yield replace(inner, name=within(node.name, inner.name))


def size(graph: LinkedGraph) -> int:
    """Count all nodes, those of subgraphs wherever they stand."""
    sizes: dict[int, int] = {}
    for one in reversed(every_graph(graph)):
        sizes[id(one)] = len(one.nodes) + sum(sizes[id(inner)] for _, inner in one.subgraphs)
    return sizes[id(graph)]


def depth(graph: LinkedGraph) -> int:
    """Count how many graphs lie in each other at most; 1 for one without subgraphs."""
    depths: dict[int, int] = {}
    for one in reversed(every_graph(graph)):
        depths[id(one)] = 1 + max((depths[id(inner)] for _, inner in one.subgraphs), default=0)
    return depths[id(graph)]
