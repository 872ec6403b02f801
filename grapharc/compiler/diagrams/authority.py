"""An admission goes in; a picture of what each node may do, and who says so, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from grapharc.compiler.diagrams.control import draw_control
from grapharc.compiler.diagrams.picture import Picture
from grapharc.compiler.diagrams.words import wrapped
from grapharc.policy.admission import Admission
from grapharc.policy.owner.policy import Decision
from grapharc.spec.linked import Node

_ANSWERS: Mapping[str, str] = {"allow": "allowed", "ask": "asked", "deny": "denied"}


def authority(admission: Admission) -> Picture:
    """Draw the nodes with their kinds, capabilities, models, labels, and the rule that decided of each."""
    decided = _decided(admission)

    def lines(node: Node, name: str) -> tuple[str, ...]:
        texts = (*_may(admission, node), *decided.get(name, ()))
        return tuple(chain.from_iterable(wrapped(text) for text in texts))

    return draw_control(admission, lines)


def _may(admission: Admission, node: Node) -> Iterator[str]:
    if node.subgraph is not None:
        yield f"graph {node.subgraph.name or node.subgraph.path}"
    else:
        yield f"{node.offer.name} {node.offer.kind.version}"
    yield f"may: {', '.join(node.capabilities) or 'nothing'}"
    if node.held:
        yield f"holds: {', '.join(offer.name for offer in node.held)}"
    roles = admission.graph.registry.roles
    for name in node.roles:
        yield f"asks model {name}{f': {roles[name].spec}' if name in roles else ''}"
    if node.labels:
        yield f"labels: {', '.join(node.labels)}"
    if node.offer.endorses:
        yield f"endorses: {', '.join(node.offer.endorses)}"


def _decided(admission: Admission) -> Mapping[str, tuple[str, ...]]:
    """What the policies answer about each node, by its whole name."""
    found: dict[str, dict[str, None]] = {}
    for ruling in admission.rulings:
        for node in ruling.nodes if ruling.resource == "node" else ():
            texts = found.setdefault(node.name, {})
            texts.update(dict.fromkeys(_worded(decision) for decision in ruling.decisions))
    return {name: tuple(texts) for name, texts in found.items()}


def _worded(decision: Decision) -> str:
    by = f"rule {decision.rule.id}" if decision.rule else "default"
    return f"{_ANSWERS[decision.effect]} by {by} of {decision.policy.title}"
