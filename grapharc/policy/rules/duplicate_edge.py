"""An edge that is written twice means once what it says; the other was probably to lead elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Edit, Finding, Fix, Place, Related
from grapharc.spec.linked import Edge


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each edge that stands there already; arms and error edges to one node differ by more."""
    only: dict[str, Edge] = {}
    first: dict[tuple[str, str], Edge] = {}
    for edge in case.graph.edges:
        one = only.setdefault(edge.source, edge) if edge.form == "always" else edge
        if one is edge:  # so far it is the only one that leaves its node
            continue
        first.setdefault((one.source, one.target), one)
        before = first.setdefault((edge.source, edge.target), edge)
        if before is not edge:
            yield Finding(
                "duplicate_edge",
                edge.place,
                {"source": edge.source, "target": edge.target},
                subject=f"{edge.source} -> {edge.target}",
                related=(Related("first_here", before.place),),
                fixes=_fixes(edge.place),
            )


def _fixes(place: Place) -> tuple[Fix, ...]:
    """An edge of its own can go; a link of a chain holds the chain together."""
    *row, last = place.path
    return (Fix(place.document, (Edit("remove", tuple(row)),), safe=True),) if last == "target" else ()
