"""Parts of a linked graph go in; the few words that a diagram has room for come out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.waits import AllOf, AnyOf, Arrival, Wait
from grapharc.spec.linked import Edge, Map, Node, Retry

WIDEST = 36
"""Longer texts are broken where they can be, a word only where it is longer than a line; nothing is cut."""


def node_lines(node: Node) -> tuple[str, ...]:
    """Return what stands beneath a node's name: its kind, what it may touch, and how often it runs."""
    return tuple(chain.from_iterable(wrapped(text) for text in _of_node(node)))


def edge_text(edge: Edge) -> tuple[str, ...]:
    """Return what stands beside an edge: when it is taken."""
    return tuple(chain.from_iterable(wrapped(text) for text in _of_edge(edge)))


def exhausted_text(edge: Edge) -> tuple[str, ...]:
    """Return what stands beside the arrow that a used up loop takes."""
    if edge.loop is None:
        return ()
    rounds = f"exhausted after {counted(edge.loop.max_rounds, 'round')}"
    return (
        rounds,
        *((f"or after {counted(edge.loop.patience, 'round')} without progress",) if edge.loop.progress else ()),
    )


def waiting(flow: Flow, wait: Wait) -> tuple[str, ...]:
    """Return what a join waits for, where that is more than the one edge that happens to be taken."""
    return wrapped(f"waits for {_joined(flow, wait)}") if _waits_for_many(wait) else ()


def wrapped(text: str) -> tuple[str, ...]:
    """Break a text into lines at spaces, and behind brackets, hyphens and the like where a word is longer."""
    lines: list[str] = []
    line = ""
    for word in _pieces(text):
        if line and len(line.rstrip()) + len(word.rstrip()) > WIDEST:
            lines.append(line.rstrip())
            line = ""
        line += word
    return (*lines, line.rstrip()) if line.strip() else tuple(lines)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def often(number: int) -> str:
    """Return how often something happened."""
    return "once" if number == 1 else f"{number} times"


def _pieces(text: str) -> Iterator[str]:
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        rest = f"{word} "
        while len(rest) > WIDEST:
            cut = max(rest.rfind(character, 0, WIDEST) for character in "(,.[{-_/:")
            if cut <= 0:
                cut = WIDEST - 1
            yield rest[: cut + 1]
            rest = rest[cut + 1 :]
        yield rest


def _of_node(node: Node) -> Iterator[str]:
    if node.subgraph is not None:
        yield f"graph {node.subgraph.name or node.subgraph.path}"
    elif node.offer.name != node.name:
        yield node.offer.name
    if node.offer.kind.name not in (node.offer.name, "graph"):
        yield f"is {node.offer.kind.name}"
    if node.capabilities:
        yield f"may: {', '.join(node.capabilities)}"
    if node.held:
        yield f"holds: {', '.join(offer.name for offer in node.held)}"
    if node.map is not None:
        yield from _of_map(node.map)
    if node.retry is not None:
        yield _of_retry(node.retry)
    if node.timeout_seconds is not None:
        yield f"within {node.timeout_seconds:g} s{' each time' if node.retry or node.map else ''}"


def _of_map(each: Map) -> Iterator[str]:
    yield f"for each {each.item} in {each.over.text}"
    yield f"at most {counted(each.max_items, 'item')}"
    if each.collect:
        yield f"failed items go to {each.failures}" if each.failures else "failed items are left out"


def _of_retry(retry: Retry) -> str:
    return f"tried {counted(retry.max_attempts, 'time')}"


def _of_edge(edge: Edge) -> Iterator[str]:
    if edge.form == "error":
        yield f"on error, into {edge.into}" if edge.into else "on error"
    elif edge.condition is not None:
        yield edge.condition.text
    elif edge.form == "arm":
        yield "otherwise"
    if edge.loop is not None:
        yield f"again, up to {counted(edge.loop.max_rounds, 'round')}"
        if edge.loop.progress:
            yield f"while {', '.join(edge.loop.progress)} changes"


def _waits_for_many(wait: Wait) -> bool:
    return isinstance(wait, AllOf) or (isinstance(wait, AnyOf) and any(map(_waits_for_many, wait.parts)))


def _joined(flow: Flow, wait: Wait, *, inside: bool = False) -> str:
    match wait:
        case Arrival():
            return flow.source(wait.arc)
        case AllOf() | AnyOf():
            word = " and " if isinstance(wait, AllOf) else " or "
            text = word.join(sorted({_joined(flow, part, inside=True) for part in wait.parts}))
            return f"({text})" if inside else text
