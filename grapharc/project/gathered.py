"""What a check finds is collected here; in a process of its own, it goes out as a value that another one takes over.

Texts come along only where somebody will look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from grapharc.project.report import Judged
from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import reason

if TYPE_CHECKING:
    from grapharc.policy.admission import Admission  # a check imports it, and nothing here asks it anything
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


class Found:
    """What a check has found so far.

    ``texts`` are those of the documents that were read here, ``read`` the paths of those that other processes read.
    ``judged`` has one for each graph and tenant; ``unsound`` are documents of which not all could be judged,
    ``linted`` the policies that were looked into, ``unread`` the files that could not be read. ``ours`` counts the
    files of folders that are documents.
    """

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self.documents: dict[str, DocumentKind | None] = {}
        self.texts: dict[str, Text] = {}
        self.admissions: list[Admission] = []
        self.layers: Mapping[str, str] = {}
        self.judged: list[Judged] = []
        self.unsound: set[str] = set()
        self.linted: set[str] = set()
        self.unread: set[str] = set()
        self.read: set[str] = set()
        self.ours = 0

    def gathered(self, seen: Mapping[tuple[str, str], Answer], known: Mapping[str, Mapping[str, Json]]) -> Gathered:
        """Return it as a value, with what was ``seen`` of the file system and what a memo came to know."""
        return Gathered(
            documents=self.documents,
            findings=tuple(self.findings),
            texts=_worth_sending(self.findings, self.texts),
            read=frozenset(self.texts),
            judged=tuple(self.judged),
            unsound=frozenset(self.unsound),
            linted=frozenset(self.linted),
            unread=frozenset(self.unread),
            layers=self.layers,
            seen=seen,
            known=known,
            ours=self.ours,
        )

    def take(self, gathered: Gathered) -> None:
        """Take over what another process found."""
        self.documents |= gathered.documents
        self.findings += gathered.findings
        self.texts = {**gathered.texts, **self.texts}
        self.read |= gathered.read
        self.judged += gathered.judged
        self.unsound |= gathered.unsound
        self.linted |= gathered.linted
        self.unread |= gathered.unread
        self.layers = {**self.layers, **gathered.layers}
        self.ours += gathered.ours

    def judged_whole(self, found: Iterable[Finding]) -> frozenset[str]:
        """The documents of which all was said that there is to say: nothing unsound kept a rule from looking."""
        unsound = {each.place.document for each in found if reason(each.code).reason_class == "soundness"}
        graphs = {judged.document for judged in self.judged}
        all_graphs = {path for path, kind in self.documents.items() if kind == "graph"}
        policies = {path for path, kind in self.documents.items() if kind == "policy"}
        unlinted = policies - self.linted  # a graph is judged under them; what is wrong with them was not asked
        return frozenset(self.documents) - unsound - self.unsound - (all_graphs - graphs) - unlinted


def news(tables: Mapping[str, Mapping[str, Json]], before: Mapping[str, int]) -> dict[str, dict[str, Json]]:
    """Return what was added to tables of a memo after they had so many entries."""
    return {room: dict(list(table.items())[before.get(room, 0) :]) for room, table in tables.items()}


def _worth_sending(findings: Iterable[Finding], texts: Mapping[str, Text]) -> dict[str, Text]:
    """Choose the texts that a report of these findings needs."""
    named = {document for finding in findings for document in _named(finding)}
    return {path: text for path, text in texts.items() if path in named or _may_accept(text.source.text)}


def _named(finding: Finding) -> Iterator[str]:
    yield finding.place.document
    yield from (related.place.document for related in finding.related)
    yield from (step.place.document for step in finding.witness if step.place is not None)
    yield from (fix.document for fix in finding.fixes)


def _may_accept(source: str) -> bool:
    return "suppress" in source or "grapharc:" in source
