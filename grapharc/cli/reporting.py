"""What is asked of a report and the report go in; it is printed, and written to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from datetime import date

from grapharc.cli.answer import DONE, NO, Answer, as_document, encodable, has_colour, write
from grapharc.cli.rendering import text
from grapharc.cli.rendering.formats import FORMATS, renderer
from grapharc.project.choice import EVERYTHING, Choice, choose
from grapharc.project.disk import Disk
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.files import DiskLoader
from grapharc.project.report import Report
from grapharc.project.verdicts import Verdict, Verdicts
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen
class ReportRequest:
    """How findings are to be reported, and which. ``outputs`` are pairs of a format and a file."""

    form: str = "text"
    outputs: tuple[tuple[str, str], ...] = ()
    choice: Choice = EVERYTHING
    baseline: str | None = None
    today: date | None = None
    caches: bool = True
    verdicts: Verdicts | None = None

    @property
    def disk(self) -> Disk:
        """What the check is to ask of the file system; it remembers what the verdict depends on."""
        return self.verdicts.disk if self.verdicts is not None else Disk()

    @property
    def day(self) -> date:
        """The day that suppressions are judged by."""
        return self.today or date.today()

    @property
    def is_plain(self) -> bool:
        """Tell whether everything is to be told as text or JSON, on standard output alone."""
        is_all = self.choice == EVERYTHING and self.baseline is None
        return is_all and self.form in ("text", "json") and not self.outputs


def asked_for(
    *,
    form: str | None = None,
    outputs: tuple[str, ...] = (),
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    baseline: str | None = None,
    today: str | None = None,
    no_cache: bool = False,
    as_json: bool = False,
    verdicts: Verdicts | None = None,
) -> ReportRequest:
    """Return what options ask for, each as it was given. Raises CannotStart for one that makes no sense."""
    return ReportRequest(
        "json" if as_json else form or "text",
        _outputs(outputs),
        choose(select, ignore) if select or ignore else EVERYTHING,
        _filled("--baseline", baseline),
        _day(today) if today is not None else None,
        not no_cache,
        verdicts,
    )


def code_of(report: Report, fail_on: Iterable[str] = ()) -> int:
    """Return the exit code of a check; ``fail_on`` names what else is to mean no: approval, warning, note."""
    return NO if report.is_refused or any(_has(report, what) for what in fail_on) else DONE


def _has(report: Report, what: str) -> bool:
    match what:
        case "approval":
            return any(judged.verdict == "needs_approval" for judged in report.judged)
        case "warning":
            return report.count("warning") > 0
        case _:
            return report.count("note") > 0


def findings_answer(report: Report, code: int = NO) -> Answer:
    """Return what is said of a report's findings; where a command stops at them, the answer is no."""
    return Answer(code, lambda: _document(report), lambda colour: text.render(report, colour=colour))


def _document(report: Report) -> Mapping[str, Json]:
    from grapharc.cli.rendering import json  # a check for people does not wait for it

    return json.render(report)


def give_report(answer: Answer, report: Report, asked: ReportRequest, loader: DiskLoader) -> int:
    """Write a report to the files that were asked for, then print it, and return the answer's exit code.

    Raises CannotStart, with nothing written, where a file holds what the report is about.
    """
    if asked.outputs:
        _spare_documents(report, asked, loader)
    for form, path in asked.outputs:
        data = _text(form, answer, report, colour=False).encode("utf-8", "backslashreplace")
        _write(path, data)
        asked.disk.wrote(path, data)
    said = _text(asked.form, answer, report, colour=has_colour(sys.stdout))
    if asked.verdicts is not None:
        asked.verdicts.keep(Verdict(answer.exit, encodable(sys.stdout, said)))
    write(sys.stdout, said)
    return answer.exit


def _spare_documents(report: Report, asked: ReportRequest, loader: DiskLoader) -> None:
    """A report that took the place of a document would be the end of it."""
    paths = {*(looked.path for looked in report.documents), *report.texts, *report.layers}
    read = {loader.real(path) for path in paths if "\0" not in path}
    if asked.baseline is not None:
        read.add(os.path.realpath(asked.baseline))
    for _, path in asked.outputs:
        if os.path.realpath(path) in read:
            raise CannotStart(
                f"--output: '{path}' is a document of this check, and none is written over", "name a file of its own"
            )


def _text(form: str, answer: Answer, report: Report, *, colour: bool) -> str:
    if form == "text":
        return answer.text(colour)
    if form == "json":
        document: Mapping[str, Json] = {"exit": answer.exit, **answer.document()}
        return as_document(document)
    if form == "concise" and colour:
        from grapharc.cli.rendering import concise

        return concise.render(report, colour=True)
    return renderer(form)(report)


def _write(path: str, data: bytes) -> None:
    from grapharc.project.writing import write_file

    write_file(path, data)


def _refuse_lost_folder(path: str) -> None:
    from grapharc.project.writing import refuse_lost_folder

    refuse_lost_folder(path, "--output")


def _outputs(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    found: dict[str, tuple[str, str]] = {}
    for given in texts:
        form, equals, path = given.partition("=")
        if not equals or not path:
            raise CannotStart(f"--output: '{given}' is no FORMAT=FILE", "as in --output sarif=report.sarif")
        if form not in FORMATS:
            raise CannotStart(f"--output: there is no format '{form}'{did_you_mean(form, FORMATS)}", _KNOWN)
        if path == "-":
            raise CannotStart("--output: '-' is no file", "--format says what is printed")
        if os.path.isdir(path):  # noqa: PTH112 -- pathlib is for what a check does not wait for
            raise CannotStart(f"--output: '{path}' is a folder", "as in --output sarif=report.sarif")
        _refuse_lost_folder(path)
        real = os.path.realpath(path)
        if real in found:
            raise CannotStart(f"--output: '{path}' is named twice", "one file holds one format")
        found[real] = (form, path)
    return tuple(found.values())


_KNOWN = f"there are {', '.join(FORMATS)}"


def _filled(flag: str, value: str | None) -> str | None:
    if value == "":
        raise CannotStart(f"{flag} is empty, but must name something", f"leave {flag} out if it is not meant")
    return value


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise CannotStart(f"--today: '{text}' is no day", "one is written like 2027-03-01")
    return day
