"""What a graph may use at worst goes in; a finding that says which ceiling it is over comes out, if it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.case import Case
from grapharc.policy.ceilings import Ceiling, Measure
from grapharc.policy.places import name_place
from grapharc.spec.finding import Finding, Place, Related, Step, Value
from grapharc.spec.flow.amounts import is_above
from grapharc.spec.offers import Dimension

SHOWN = 5
"""How many of the dearest nodes a witness names."""

MEASURES: Mapping[Dimension, Measure] = {
    "tokens": "max_tokens",
    "usd": "max_usd",
    "seconds": "max_seconds",
    "iterations": "max_iterations",
}


def over_budget(code: str, case: Case, dimension: Dimension) -> Iterator[Finding]:
    """Yield a finding, with the dearest nodes as its witness, if the worst case is above its ceiling."""
    ceiling = case.ceilings.get(MEASURES[dimension])
    if ceiling is None:
        return
    worst = case.flow.worst.known[dimension]
    if is_above(worst, ceiling.amount):
        yield _finding(code, case, ceiling, worst, tuple(_dearest(case, dimension)))


def over_size(code: str, case: Case, measure: Measure, size: int) -> Iterator[Finding]:
    """Yield a finding if a graph is larger than its ceiling."""
    ceiling = case.ceilings.get(measure)
    if ceiling is not None and size > ceiling.amount:
        yield _finding(code, case, ceiling, size, ())


def ceiling_values(ceiling: Ceiling) -> dict[str, Value]:
    """Return what messages say of a ceiling."""
    return {"ceiling": ceiling.amount, "policy": ceiling.policy}


def _finding(code: str, case: Case, ceiling: Ceiling, amount: int | float, witness: tuple[Step, ...]) -> Finding:
    """The finding, at the graph's own budget, else at its nodes with the ceiling beside it."""
    values = {"amount": _shown(amount), **ceiling_values(ceiling)}
    place, related = Place(case.graph.path, ("nodes",)), ()
    if ceiling.place is not None and ceiling.place.document == case.graph.path:
        place = ceiling.place
    elif ceiling.place is not None:
        related = (Related("ceiling_here", ceiling.place),)
    return Finding(code, place, values, subject=case.graph.name, related=related, witness=witness)


def _dearest(case: Case, dimension: Dimension) -> Iterator[Step]:
    """The nodes that cost most, as far as they stand out: an iteration each is what every node costs."""
    usual = 1 if dimension == "iterations" else 0
    amounts = {name: getattr(cost, dimension) or 0 for name, cost in case.flow.worst_by_node.items()}
    for name in sorted(amounts, key=lambda name: (-amounts[name], name))[:SHOWN]:
        if amounts[name] > usual:
            yield Step(f"{name}: {_shown(amounts[name])} {dimension}", name_place(case.graph, name))


def _shown(amount: int | float) -> int | float:
    return amount if isinstance(amount, int) else round(amount, 6)
