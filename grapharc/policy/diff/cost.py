"""Both sides of a graph go in; what a run may cost more or less at worst comes out, and what bounds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.admission import Admission
from grapharc.policy.diff.both import About, Both, direction_of_amounts
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.side import Side
from grapharc.spec.documents.graph import CEILINGS, ceilings_by_name
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Loop, Node

SHOWN = 5
"""How many of the nodes that became dearer a witness names."""


def cost(both: Both) -> Iterator[Change]:
    """Yield what changed in what a run may cost."""
    yield from _worst(both)
    yield from _ceilings(both)
    for old, new in both.matched:
        yield from _bounds(old, new)
    yield from _loops(both)


def _worst(both: Both) -> Iterator[Change]:
    before, after = _known(both.old.admission), _known(both.new.admission)
    for dimension in sorted(before.keys() | after.keys()):
        one, other = before.get(dimension, 0), after.get(dimension, 0)
        if _differ(one, other):
            way = direction_of_amounts(one, other)
            witness = tuple(_dearer(both, dimension)) if way == "widens" else ()
            about = About("worst_case", "cost", dimension, {}, None, witness)
            yield about.change(way, _round(one), _round(other))
    before, after = _unknown(both.old.admission, both), _unknown(both.new.admission, None)
    for dimension in sorted(before.keys() | after.keys()):
        for node in sorted(before.get(dimension, frozenset()) ^ after.get(dimension, frozenset())):
            about = About("unknown_cost", "cost", f"{node}: {dimension}", {"node": node, "dimension": dimension})
            yield about.change("widens" if node in after.get(dimension, ()) else "narrows")


def _known(admission: Admission | None) -> Mapping[str, int | float]:
    if admission is None:
        return {}
    return {**admission.flow.worst.known, "steps": admission.flow.steps}


def _unknown(admission: Admission | None, both: Both | None) -> Mapping[str, frozenset[str]]:
    """Nodes of which nobody knows what they cost, by their new names; how long one takes is seldom known."""
    found: dict[str, frozenset[str]] = {}
    for known in () if admission is None else (admission.flow.worst.unknown, admission.flow.unknown_within):
        for dimension, names in known.items():
            if dimension == "seconds":
                continue
            now = {both.now(name) if both else name for name in names}
            found[dimension] = found.get(dimension, frozenset()) | now
    return found


def _dearer(both: Both, dimension: str) -> Iterator[str]:
    """The nodes that cost more than before, those first that make the most of it."""
    before = {both.now(name): amount for name, amount in _by_node(both.old, dimension).items()}
    after = _by_node(both.new, dimension)
    more = {name: amount - before.get(name, 0) for name, amount in after.items()}
    for name in sorted(more, key=lambda name: (-more[name], name))[:SHOWN]:
        if more[name] > 0:
            yield f"{name}: {_round(before.get(name, 0))} -> {_round(after[name])}"


def _by_node(side: Side, dimension: str) -> Mapping[str, int | float]:
    if side.admission is None or dimension == "steps":
        return {}
    flow = side.admission.flow
    return {
        name: getattr(amounts, dimension) or 0 for name, amounts in {**flow.worst_by_node, **flow.worst_within}.items()
    }


def _ceilings(both: Both) -> Iterator[Change]:
    """What a run is stopped at, whoever set it; of a graph that is only on one side there is nothing to compare."""
    if both.old.admission is None or both.new.admission is None:
        return
    old, new = ceilings_by_name(both.old.admission.budget), ceilings_by_name(both.new.admission.budget)
    for name in CEILINGS:
        before, after = old[name], new[name]
        if before != after:
            about = About("ceiling", "cost", name, {}, Place(both.new.admission.graph.path, ("budget", name)))
            yield about.change(direction_of_amounts(before, after), before, after)


def _bounds(old: Node, new: Node) -> Iterator[Change]:
    one, other = old.map, new.map
    rows: list[tuple[str, float | None, float | None]] = [
        ("attempts", old.max_attempts, new.max_attempts),
        ("timeout", old.timeout_seconds, new.timeout_seconds),
    ]
    if one is not None and other is not None:
        rows.append(("items", one.max_items, other.max_items))
        rows.append(("items_at_once", one.concurrency, other.concurrency))
    for what, before, after in rows:
        if before != after:
            about = About(what, "cost", new.name, {}, new.place)
            yield about.change(direction_of_amounts(before, after), before, after)


def _loops(both: Both) -> Iterator[Change]:
    old, new = _by_header(both.old, both), _by_header(both.new, None)
    for header in sorted(old.keys() & new.keys()):
        for what, before, after in (
            ("rounds", old[header].max_rounds, new[header].max_rounds),
            ("patience", old[header].patience, new[header].patience),
        ):
            if before != after:
                about = About(f"loop_{what}", "cost", header, {}, new[header].place)
                yield about.change(direction_of_amounts(before, after), before, after)


def _by_header(side: Side, both: Both | None) -> Mapping[str, Loop]:
    return {both.now(edge.target) if both else edge.target: edge.loop for edge in side.edges if edge.loop is not None}


def _differ(one: float, other: float) -> bool:
    """Sums of fractions may miss each other by noise, which is no change."""
    return abs(one - other) > 1e-9 * max(abs(one), abs(other))


def _round(amount: float) -> Json:
    return amount if isinstance(amount, int) else round(amount, 6)
