"""``check [PATHS]``: documents go in, every fault of every one of them comes out; nothing is run."""

from __future__ import annotations

import os
import sys

import click

from grapharc.cli.answer import DONE, NO, Answer
from grapharc.cli.fixing import Fixing, fix, fixing_options
from grapharc.cli.options import WHOLE_POSITIVE, project_options
from grapharc.cli.rendering import text
from grapharc.cli.reporting import Asked, give_report, report_options
from grapharc.project.accepting import baseline_of
from grapharc.project.check import check_documents
from grapharc.project.files import STDIN
from grapharc.project.opening import open_project
from grapharc.project.paths import wanted
from grapharc.project.report import Report
from grapharc.project.settings import Flags
from grapharc.spec.json_value import Json


@click.command("check")
@click.argument("paths", nargs=-1)
@project_options
@click.option(
    "--fail-on",
    type=click.Choice(["approval", "warning", "note"]),
    multiple=True,
    help="Let exit code 1 also mean this: a graph that waits for approval, a warning, a note; repeatable.",
)
@click.option(
    "--jobs", type=WHOLE_POSITIVE, metavar="N", help="The most processes.  [default: as many as there are cores]"
)
@fixing_options
@report_options
def command(
    flags: Flags, asked: Asked, paths: tuple[str, ...], fail_on: tuple[str, ...], jobs: int | None, fixing: Fixing
) -> int:
    """Find every fault of documents, without running anything.

    PATHS are documents of any kind, folders of them, or - for standard input. Without PATHS, check what
    grapharc.toml names.
    """
    if fixing.wanted and not asked.is_plain:
        raise click.UsageError("--fix mends whatever is found and tells what is left as text or JSON, to no file")
    named = [STDIN if path == "-" else path for path in paths]
    stdin = sys.stdin.buffer.read() if STDIN in named else b""
    project = open_project(flags, named, os.environ, stdin=stdin, disk=asked.disk, caches=asked.caches)
    try:
        if fixing.wanted:
            return fix(project, wanted(project, named), asked.day, fixing, as_json=asked.form == "json")
        baseline = baseline_of(project, asked.baseline)
        report = check_documents(
            project, wanted(project, named), asked.day, baseline=baseline, choice=asked.choice, jobs=jobs
        )
    finally:
        project.close()
    return give_report(_answer(report, fail_on), report, asked, project.loader)


def _answer(report: Report, fail_on: tuple[str, ...]) -> Answer:
    code = NO if report.is_refused or any(_has(report, what) for what in fail_on) else DONE
    return Answer(code, lambda: _document(report), lambda colour: text.render(report, colour=colour))


def _has(report: Report, what: str) -> bool:
    match what:
        case "approval":
            return any(judged.verdict == "needs_approval" for judged in report.judged)
        case "warning":
            return report.count("warning") > 0
        case _:
            return report.count("note") > 0


def _document(report: Report) -> dict[str, Json]:
    from grapharc.cli.rendering import json  # a check for people does not wait for it

    return json.render(report)
