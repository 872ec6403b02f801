"""A gate's report goes in; what every format says in the same words comes out: the answer, and how many of what."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.cli.rendering.text import counted
from grapharc.policy.diff.change import CATEGORIES, DIRECTIONS, Change
from grapharc.policy.places import short as short_way
from grapharc.project.gate.report import GateReport, Told
from grapharc.project.report import Looked, Report, is_error
from grapharc.spec.document import DocumentKind

SIGNS = {"widens": "+", "narrows": "-", "incomparable": "~", "neutral": "="}
"""What a direction looks like where there is no colour, and where there is."""


def passes(report: GateReport) -> bool:
    """Tell whether the answer is yes."""
    return not any(map(is_error, report.findings))


def as_report(report: GateReport) -> Report:
    """Return the findings as a check would report them, for the formats that know nothing else."""
    kinds: dict[str, DocumentKind] = {pair.document: "graph" for pair in report.graphs}
    documents = tuple(Looked(path, kinds.get(path)) for path in sorted({*kinds, *documents_of(report)}))
    admissions = tuple(pair.new for pair in report.graphs if pair.new is not None)
    return Report(documents, report.findings, report.texts, admissions, way=report.way)


def documents_of(report: GateReport) -> list[str]:
    """Return the documents that findings stand in."""
    return sorted({finding.place.document for finding in report.findings})


def side(named: tuple[str, str]) -> str:
    """Return what a side is called, with the beginning of its commit."""
    name, commit = named
    return f"{name} ({commit[:10]})" if commit and not commit.startswith(name) else name[:10] if commit else name


def answer(report: GateReport) -> str:
    """Say in a line what came of it."""
    unapproved, approved = len(report.failing), sum(told.fate == "approved" for told in report.changes)
    words = [counted(len(report.changes), "change")]
    words += [f"{unapproved} that nobody agreed to"] if unapproved else []
    words += [f"{approved} approved"] if approved else []
    refusals = sum(is_error(finding) for finding in report.findings) - unapproved
    words += [f"{counted(refusals, 'other error')}"] if refusals else []
    return ", ".join(words)


def documents(report: GateReport) -> list[str]:
    """Return the documents that changed: those that every graph is held to, then the graphs."""
    graphs = {pair.document for pair in report.graphs}
    names = list(dict.fromkeys(told.document for told in report.changes))
    return sorted(names, key=lambda name: (name in graphs, name))


def groups(changes: tuple[Told, ...]) -> Iterator[tuple[str, tuple[Told, ...]]]:
    """Yield the changes of each category, in the order in which categories matter."""
    for category in CATEGORIES:
        found = tuple(told for told in changes if told.change.category == category)
        if found:
            yield category, found


def short(digest: str) -> str:
    """Return the beginning of a digest, which is enough to approve it by."""
    return digest[:19]


def summed(changes: tuple[Told, ...]) -> str:
    """Say how many of them go which way."""
    counts = ((sum(told.change.direction == way for told in changes), way) for way in DIRECTIONS)
    return ", ".join(f"{number} {way}" for number, way in counts if number)


def witness(change: Change) -> str:
    """Return the way that proves a widening where the words do not have it, "" else."""
    if change.direction != "widens" or "way" in change.values or change.what == "decision":
        return ""
    if change.category != "cost" and len(change.witness) < 2:
        return ""
    return ", ".join(change.witness) if change.category == "cost" else " -> ".join(short_way(change.witness))
