"""What one process found goes in, as a value that another can take; texts come along only where somebody will look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from grapharc.project.report import Judged
from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json

if TYPE_CHECKING:
    from grapharc.project.disk import Answer  # it has no name for whoever only runs


@frozen
class Gathered:
    """What was found in some documents.

    ``texts`` are those of documents that a finding names or that may accept one; ``read`` are the paths of all.
    """

    documents: Mapping[str, DocumentKind | None]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]
    read: frozenset[str]
    judged: tuple[Judged, ...]
    unsound: frozenset[str]
    linted: frozenset[str]
    unread: frozenset[str]
    layers: Mapping[str, str]
    seen: Mapping[tuple[str, str], Answer]
    known: Mapping[str, Mapping[str, Json]]
    ours: int


def worth_sending(findings: Iterable[Finding], texts: Mapping[str, Text]) -> dict[str, Text]:
    """Choose the texts that a report of these findings needs."""
    named = {document for finding in findings for document in _named(finding)}
    return {path: text for path, text in texts.items() if path in named or _may_accept(text.source.text)}


def news(tables: Mapping[str, Mapping[str, Json]], before: Mapping[str, int]) -> dict[str, dict[str, Json]]:
    """Return what was added to tables of a memo after they had so many entries."""
    return {room: dict(list(table.items())[before.get(room, 0) :]) for room, table in tables.items()}


def _named(finding: Finding) -> Iterator[str]:
    yield finding.place.document
    yield from (related.place.document for related in finding.related)
    yield from (step.place.document for step in finding.witness if step.place is not None)
    yield from (fix.document for fix in finding.fixes)


def _may_accept(source: str) -> bool:
    return "suppress" in source or "grapharc:" in source
