"""Findings and the levels that a project sets go in; the findings at those levels come out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.spec.document import Document
from grapharc.spec.documents.project import Level, ProjectModel
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import field, frozen
from grapharc.spec.globs import matches_path
from grapharc.spec.json_value import Path
from grapharc.spec.reasons import reason, reasons
from grapharc.spec.suggest import suggest


@frozen
class Levels:
    """Severities by code: those of all documents, and in order those of the documents that some globs match."""

    everywhere: Mapping[str, Level] = field(default_factory=dict[str, Level])
    overrides: tuple[tuple[tuple[str, ...], Mapping[str, Level]], ...] = ()

    def of(self, code: str, document: str) -> Level | None:
        """Return the level that is set for a code in a document; of a class other than lint none can be."""
        level = self.everywhere.get(code)
        for globs, levels in self.overrides:
            if code in levels and any(matches_path(glob, document) for glob in globs):
                level = levels[code]
        return level if level is not None and reason(code).reason_class == "lint" else None


def levels_of(model: ProjectModel) -> Levels:
    """Return what a project document sets."""
    overrides = ((row.paths, row.severity) for _, row in sorted(model.overrides.items()))
    return Levels(model.severity, tuple(overrides))


def at_its_level(finding: Finding, levels: Levels) -> Finding | None:
    """Raise or lower a lint finding as is set; None where it is turned off."""
    level = levels.of(finding.code, finding.place.document)
    if level is None:
        return finding
    return None if level == "off" else finding.at(level)


def faults_of_severities(document: Document[ProjectModel]) -> Iterator[Finding]:
    """Yield what is wrong with the levels themselves: codes that do not exist, and codes that have but one level."""
    yield from _faults(document, document.model.severity, ("severity",))
    for index, row in document.model.overrides.items():
        yield from _faults(document, row.severity, ("overrides", index, "severity"))


def unmatched_overrides(document: Document[ProjectModel], paths: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each glob of an override that matches none of the documents of a whole project."""
    known = tuple(paths)
    for index, row in document.model.overrides.items():
        for number, glob in enumerate(row.paths):
            if not any(matches_path(glob, path) for path in known):
                place = Place(document.path, ("overrides", index, "paths", number))
                yield Finding("override_unmatched", place, {"pattern": glob})


def _faults(document: Document[ProjectModel], levels: Mapping[str, Level], path: Path) -> Iterator[Finding]:
    for code in levels:
        place = Place(document.path, (*path, code), "key")
        if code not in reasons():
            yield Finding("unknown_code", place, {"suggestion": suggest(code, reasons())}, subject=code)
        elif reason(code).reason_class != "lint":
            yield Finding("fixed_severity", place, {"class": reason(code).reason_class}, subject=code)
