"""Two linked graphs go in; which nodes of the one are called otherwise in the other comes out.

A node is the same where it has the same name. Of the others, those are the same that mean the same and stand among the
same: first those whose wider surroundings agree, then those that alone mean what they mean, then those that alone are
of their kind and read and write what they do, whatever they are told. The answer is the same read from either side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grapharc.spec.canonical import digest
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.meaning import node_meaning
from grapharc.spec.nesting import within

ROUNDS = 3
"""How far the surroundings of a node are looked at."""

_BOUND = ("kind", "reads", "writes")
"""What a node is known by at the least."""


def renamed(old: LinkedGraph | None, new: LinkedGraph | None) -> Mapping[str, str]:
    """Return by old name the new name of each node that is called otherwise, those of subgraphs by whole names."""
    return {} if old is None or new is None else dict(_renamed(old, new, "", ""))


def _renamed(old: LinkedGraph, new: LinkedGraph, outer: str, other: str) -> Iterator[tuple[str, str]]:
    found = _match(old, new)
    for name, node in old.nodes.items():
        now = found.get(name, name)
        if within(outer, name) != within(other, now) and now in new.nodes:
            yield within(outer, name), within(other, now)
        inner = new.nodes[now].subgraph if now in new.nodes else None
        if node.subgraph is not None and inner is not None:
            yield from _renamed(node.subgraph, inner, within(outer, name), within(other, now))


def _match(old: LinkedGraph, new: LinkedGraph) -> dict[str, str]:
    gone = sorted(old.nodes.keys() - new.nodes.keys())
    come = sorted(new.nodes.keys() - old.nodes.keys())
    if not gone or not come:
        return {}
    found: dict[str, str] = {}
    before, after = _looks(old, frozenset(gone)), _looks(new, frozenset(come))
    for round_ in reversed(range(len(before))):
        one = _by_look([name for name in gone if name not in found], before[round_])
        other = _by_look([name for name in come if name not in found.values()], after[round_])
        for look in sorted(one.keys() & other.keys()):
            names, others = one[look], other[look]
            # Twins that differ in nothing but their names may be paired in any order, so in that of their names.
            if len(names) == len(others) and (len(names) == 1 or round_ == len(before) - 1):
                found.update(zip(names, others, strict=True))
    return found


def _by_look(names: Sequence[str], looks: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(looks[name], []).append(name)
    return found


def _looks(graph: LinkedGraph, loose: frozenset[str]) -> list[Mapping[str, str]]:
    """What each node looks like, seen from nearer and nearer by; one that keeps its name is known by it."""
    said = {name: node_meaning(graph.nodes[name], graph) for name in loose}
    bound = {name: {key: meaning[key] for key in _BOUND} for name, meaning in said.items()}
    rounds: list[Mapping[str, str]] = [
        {name: digest(meaning) for name, meaning in bound.items()},
        {name: digest(meaning) for name, meaning in said.items()},
    ]
    for _ in range(ROUNDS):
        last = rounds[-1]
        near: dict[str, list[Json]] = {name: [] for name in loose}
        for edge in graph.edges:
            how: list[Json] = [edge.form, None if edge.condition is None else edge.condition.text, edge.into]
            how.append(edge.loop is not None)
            for here, there, side in ((edge.source, edge.target, "out"), (edge.target, edge.source, "in")):
                if here in near:
                    near[here].append([side, *how, last.get(there, f"={there}")])
        rounds.append({name: digest([last[name], *sorted(map(digest, near[name]))]) for name in loose})
    return rounds
