"""``check [PATHS]``: documents go in, every fault of every one of them comes out; nothing is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import click

from grapharc.cli.answer import Answer
from grapharc.cli.fixing import Fixing, fix, fixing_options
from grapharc.cli.options import WHOLE_POSITIVE, ours_only_option, project_options
from grapharc.cli.rendering import text
from grapharc.cli.reporting import Asked, code_of, give_report, report_options
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
@ours_only_option
@click.option("--watch", "watching", is_flag=True, help="Check again whenever a document changes, until Ctrl-C.")
@fixing_options
@report_options
def command(
    flags: Flags,
    asked: Asked,
    paths: tuple[str, ...],
    fail_on: tuple[str, ...],
    jobs: int | None,
    ours_only: bool,
    watching: bool,
    fixing: Fixing,
) -> int:
    """Find every fault of documents, without running anything.

    PATHS are documents of any kind, folders of them, or - for standard input. Without PATHS, check what
    grapharc.toml names.
    """
    if fixing.wanted and not asked.is_plain:
        raise click.UsageError("--fix mends whatever is found and tells what is left as text or JSON, to no file")
    named = [STDIN if path == "-" else path for path in paths]
    if watching and (fixing.wanted or STDIN in named):
        raise click.UsageError(f"--watch only looks, and {'--fix' if fixing.wanted else 'standard input'} is asked for")
    stdin = sys.stdin.buffer.read() if STDIN in named else b""

    def once() -> tuple[int, Iterable[str]]:
        """Check, or mend, and tell of it; return the exit code and the files that were read."""
        project = open_project(flags, named, os.environ, stdin=stdin, disk=asked.disk, caches=asked.caches)
        try:
            looked = wanted(project, named, ours_only=ours_only)
            if fixing.wanted:
                as_json = asked.form == "json"
                return fix(project, looked, asked.day, fixing, fail_on=fail_on, as_json=as_json), ()
            baseline = baseline_of(project, asked.baseline)
            report = check_documents(project, looked, asked.day, baseline=baseline, choice=asked.choice, jobs=jobs)
        finally:
            project.close()
        read = sorted(project.loader.real(path) for path in report.texts if not path.startswith("<"))
        return give_report(_answer(report, fail_on), report, asked, project.loader), read

    if not watching:
        return once()[0]
    from grapharc.cli.watching import watch  # only who watches waits for it

    return watch(once, os.getcwd())  # noqa: PTH109 -- pathlib is for what a check does not wait for


def _answer(report: Report, fail_on: tuple[str, ...]) -> Answer:
    return Answer(
        code_of(report, fail_on), lambda: _document(report), lambda colour: text.render(report, colour=colour)
    )


def _document(report: Report) -> dict[str, Json]:
    from grapharc.cli.rendering import json  # a check for people does not wait for it

    return json.render(report)
