"""A baseline's name goes in, what it accepts comes out; a report goes in, and a new or smaller baseline comes out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.project.baseline import Baseline, Entry, baseline_text, entry_of, read_baseline
from grapharc.project.errors import CannotStart
from grapharc.project.files import DiskLoader, read_file
from grapharc.project.opening import Project
from grapharc.project.report import Report
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import Unreadable
from grapharc.spec.reasons import reason


def baseline_of(project: Project, path: str | None) -> Baseline | None:
    """Read a baseline, if one is named. Raises CannotStart where it is not there."""
    if path is None:
        return None
    disk = project.loader.disk
    if not disk.exists(path):
        raise CannotStart(f"'{path}' is not there", f"grapharc baseline update {path} makes it of what is found now")
    try:
        return read_baseline(read_file(disk.real(path), path, disk), project.loader.path_of(path))
    except Unreadable as error:
        raise CannotStart(str(error)) from None


def refuse_document(baseline: Baseline, named: Iterable[str], loader: DiskLoader) -> None:
    """Refuse a document as the baseline of its own check. Raises CannotStart."""
    if loader.real(baseline.path) in {loader.real(path) for path in named}:
        raise CannotStart(
            f"'{baseline.path}' is a document of this check, and no baseline of it", "a baseline is a file of its own"
        )


@frozen
class Update:
    """What becomes of a baseline: its new ``text``, entries that stay and go, and findings it does not take."""

    text: str
    kept: tuple[Entry, ...]
    gone: tuple[Entry, ...]
    new: tuple[Finding, ...]


def update(report: Report, before: Baseline | None) -> Update:
    """Take out of a baseline what was not found any more; without one, make one of all lint that was found.

    ``report`` was made with the baseline. Entries of documents that were not judged to the end stay where they are.
    """
    lint = [pair for pair in report.marked() if reason(pair[0].code).reason_class == "lint"]
    if before is None:
        entries = tuple(entry_of(finding, mark) for finding, mark in lint)
        return Update(baseline_text(entries), entries, (), ())
    met = {accepted.fingerprint for accepted in report.accepted if accepted.place is None}
    gone = tuple(before.stale(met, report.extent))
    kept = tuple(entry for entry in before.entries.values() if entry not in gone)
    new = tuple(finding for finding, _ in lint if finding.place.document != before.path)
    return Update(baseline_text(kept), kept, gone, new)
