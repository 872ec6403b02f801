"""``check [PATHS]``: documents go in, every fault of every one of them comes out; nothing is run."""

from __future__ import annotations

import os
import sys
from datetime import date

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.fixing import Fixing, fix, fixing_options
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering import text
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
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json"]),
    default="text",
    show_default=True,
    help="How to print findings; concise is one line each.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["approval", "warning", "note"]),
    multiple=True,
    help="Let exit code 1 also mean this: a graph that waits for approval, a warning, a note; repeatable.",
)
@fixing_options
@json_option
def command(
    flags: Flags, paths: tuple[str, ...], form: str, fail_on: tuple[str, ...], fixing: Fixing, as_json: bool
) -> int:
    """Find every fault of documents, without running anything.

    PATHS are documents of any kind, folders of them, or - for standard input. Without PATHS, check what
    grapharc.toml names.
    """
    asked = [STDIN if path == "-" else path for path in paths]
    stdin = sys.stdin.buffer.read() if STDIN in asked else b""
    project = open_project(flags, asked, os.environ, stdin=stdin)
    try:
        if fixing.wanted:
            return fix(project, wanted(project, asked), date.today(), fixing, as_json=as_json or form == "json")
        report = check_documents(project, wanted(project, asked), date.today())
    finally:
        project.close()
    return give(_answer(report, form, fail_on), as_json=as_json or form == "json")


def _answer(report: Report, form: str, fail_on: tuple[str, ...]) -> Answer:
    code = NO if report.is_refused or any(_has(report, what) for what in fail_on) else DONE
    return Answer(code, lambda: _document(report), lambda colour: _text(report, form, colour))


def _has(report: Report, what: str) -> bool:
    match what:
        case "approval":
            return any(admission.verdict == "needs_approval" for admission in report.admissions)
        case "warning":
            return report.count("warning") > 0
        case _:
            return report.count("note") > 0


# The formats are imported when they are asked for, since a clean check has nothing to show.


def _document(report: Report) -> dict[str, Json]:
    from grapharc.cli.rendering import json

    return json.render(report)


def _text(report: Report, form: str, colour: bool) -> str:
    if form == "concise":
        from grapharc.cli.rendering import concise

        return concise.render(report, colour=colour)
    return text.render(report, colour=colour)
