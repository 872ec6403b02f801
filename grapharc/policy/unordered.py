"""Two nodes that nobody keeps in order, one of which writes what the other uses, go in; the finding comes out."""

from __future__ import annotations

from grapharc.policy.case import Case
from grapharc.policy.places import write_place
from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.flow.problems import UnorderedAccess, UnorderedWriters


def unordered(
    code: str, case: Case, problem: UnorderedAccess | UnorderedWriters, at: Place, *, node: str, writer: str
) -> Finding:
    """Return the finding about a node, where it uses the field, beside the place where the other one writes it."""
    values = {"field": problem.field, "other": writer, "fork": problem.fork}
    related = Related("other_writer_here", write_place(case, writer, problem.field), {"node": writer})
    return Finding(code, at, values, subject=node, related=(related,))
