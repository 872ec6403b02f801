"""``run GRAPH``: a graph goes in; it is checked, compiled and run, and what came of it comes out."""

from __future__ import annotations

import os
import sys

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.options import project_options
from grapharc.cli.rendering import json, text
from grapharc.cli.rendering.admission import admission_text
from grapharc.cli.report_options import report_options
from grapharc.cli.reporting import ReportRequest, give_report
from grapharc.cli.stopping import ended_in_order
from grapharc.policy.record import record
from grapharc.project.accepting import baseline_of
from grapharc.project.asked import inputs_of_file
from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN
from grapharc.project.opening import Project, open_project
from grapharc.project.run import Attempt, RunRequest, check_graph, run_checked, run_request
from grapharc.project.settings import Flags
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json


@click.command("run")
@click.argument("graph")
@click.option("--check-only", is_flag=True, help="Stop after the check: run nothing.")
@click.option("--input", "pairs", metavar="NAME=VALUE", multiple=True, help="An input of the run; repeatable.")
@click.option("--input-file", metavar="FILE", help="A TOML or JSON file of inputs, which --input adds to.")
@click.option("--run-id", metavar="NAME", help="What the run is called.  [default: made from the time]")
@click.option("--trace", metavar="FILE", help="Append the trace here.  [default: .grapharc/runs/RUN-ID.jsonl]")
@click.option("--workspace", metavar="FOLDER", help="The folder that kinds may touch.  [default: the project folder]")
@project_options
@report_options
def command(
    flags: Flags,
    asked: ReportRequest,
    graph: str,
    check_only: bool,
    pairs: tuple[str, ...],
    input_file: str | None,
    run_id: str | None,
    trace: str | None,
    workspace: str | None,
) -> int:
    """Check a graph, compile it and run it.

    GRAPH is a graph document, or - for standard input. It runs only if it is admitted; a run that did not come to its
    end is exit code 1, with the reason in the trace.
    """
    flags = replace(flags, trace=trace, workspace=workspace)
    if not check_only and not asked.is_plain:
        raise click.UsageError(
            "reports of a check are made with --check-only: --format, --output, --baseline, --select"
        )
    named = STDIN if graph == "-" else graph
    stdin = sys.stdin.buffer.read() if named == STDIN else b""
    given = run_request(_values(input_file), pairs, run_id)
    project = open_project(flags, [named], os.environ, stdin=stdin, disk=asked.disk, caches=asked.caches)
    path = named if named == STDIN else project.loader.path_of(named)
    here = os.getcwd()  # noqa: PTH109 -- pathlib is for what a check does not wait for
    try:
        baseline = baseline_of(project, asked.baseline)
        attempt = check_graph(project, path, asked.day, baseline=baseline, choice=asked.choice)
        if check_only or not attempt.may_run:
            return give_report(checked_answer(attempt), attempt.report, asked, project.loader)
        attempt = _run(project, attempt, given)
    finally:
        project.close()
    return give(answer(attempt, here), as_json=asked.form == "json")


def _run(project: Project, attempt: Attempt, given: RunRequest) -> Attempt:
    if attempt.admission is None:
        return attempt
    # The runtime is imported only when there is something to run.
    from grapharc.cli.masking import kinds_print_aside

    with ended_in_order(), kinds_print_aside(attempt.admission, project.environ):
        return run_checked(project, attempt, given)


def answer(attempt: Attempt, here: str) -> Answer:
    """Return what is said of a run; where it was refused, of the check. ``here`` is where the command was given."""
    if attempt.report.is_refused or (attempt.result is None and attempt.failure is None):
        return checked_answer(attempt)
    from grapharc.cli.rendering.outcome import outcome_json, outcome_text

    code = DONE if attempt.result is not None and attempt.result.stop == "finished" else NO
    trace = os.path.relpath(attempt.trace, here).replace(os.sep, "/") if attempt.trace else ""
    return Answer(
        code,
        lambda: {**_check_json(attempt), **outcome_json(attempt, trace)},
        lambda colour: _said(attempt, colour) + outcome_text(attempt, trace, colour=colour),
    )


def checked_answer(attempt: Attempt) -> Answer:
    """Return what is said of a check: the findings, then what was admitted."""

    def shown(colour: bool) -> str:
        verdict = admission_text(attempt.admission, attempt.report.layers, colour=colour) if attempt.admission else ""
        return text.render(attempt.report, colour=colour) + ("" if attempt.report.is_refused else verdict)

    return Answer(NO if attempt.report.is_refused else DONE, lambda: _check_json(attempt), shown)


def _said(attempt: Attempt, colour: bool) -> str:
    """The findings of a graph that runs all the same; nothing where there are none."""
    return text.render(attempt.report, colour=colour) if attempt.report.findings else ""


def _check_json(attempt: Attempt) -> dict[str, Json]:
    admission: Json = record(attempt.admission) if attempt.admission else None
    return {**json.render(attempt.report), "admission": admission}


def _values(input_file: str | None) -> dict[str, Json]:
    if input_file is None:
        return {}
    try:
        with open(input_file, "rb") as file:  # noqa: PTH123 -- pathlib is for what a check does not wait for
            return inputs_of_file(file.read(), input_file)
    except OSError as error:
        raise CannotStart(f"'{input_file}' cannot be read: {(error.strerror or str(error)).lower()}") from None
