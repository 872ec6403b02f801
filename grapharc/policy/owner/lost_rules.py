"""A policy document goes in; what is wrong in the patterns of rules that had to be left out of its model comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.owner.policy import BETWEEN_ENDS, RESOURCES
from grapharc.policy.owner.selectors import ARROW, Fault, parse_ends, parse_kind
from grapharc.spec.document import Document
from grapharc.spec.documents.policy import PolicyModel
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import Json, Path, value_at


def faults_of_lost_rules(document: Document[PolicyModel]) -> Iterator[Finding]:
    """Yield the faults of each pattern of a rule that misses a key or has a wrong one: both are mended at one time."""
    rows = value_at(document.text.value, ("rule",))
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if index not in document.model.rule and isinstance(row, Mapping):
            for path, text in _texts(row.get("match"), ("rule", index, "match")):
                fault = _fault(text, row.get("resource"))
                if fault is not None:
                    name = row.get("id")
                    subject = name if isinstance(name, str) else ""
                    yield Finding(
                        fault.code, Place(document.path, path, within=fault.span), fault.values, subject=subject
                    )


def _texts(match: Json, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(match, list):
        yield from (((*path, number), text) for number, text in enumerate(match) if isinstance(text, str))
    elif isinstance(match, str):
        yield path, match


def _fault(text: str, written: Json) -> Fault | None:
    """Read a pattern as one over the resource; where that is what is wrong, as what it looks like."""
    resource = RESOURCES.get(written) if isinstance(written, str) else None
    if resource in BETWEEN_ENDS or (resource is None and ARROW in text):
        selector = parse_ends(text, resource or "edge")
    else:
        selector = parse_kind(text, f"a rule over {resource or 'node'}", roles=resource in ("spend", None))
    return selector if isinstance(selector, Fault) and text else None
