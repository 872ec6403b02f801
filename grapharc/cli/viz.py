"""``viz TRACE [RUN]``: a trace goes in, the diagram of its graph with what the run did at each place comes out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date

import click

from grapharc.cli.answer import Answer, give
from grapharc.cli.draw import answer, drawn, form_of
from grapharc.cli.options import json_option, project_options
from grapharc.policy.admission import Admission
from grapharc.project.check import check_documents
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.opening import Project, open_project
from grapharc.project.paths import Wanted, wanted
from grapharc.project.settings import Flags
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json


@click.command("viz")
@click.argument("trace")
@click.argument("run", required=False)
@click.option("--graph", metavar="FILE", help="The graph that ran.  [default: found in the project by its digest]")
@click.option("-o", "--output", "outputs", metavar="FILE", multiple=True, help="Where to; its ending says how.")
@project_options
@json_option
def command(
    flags: Flags, trace: str, run: str | None, graph: str | None, outputs: tuple[str, ...], as_json: bool
) -> int:
    """Draw a run: counts, times, branches taken and failures, laid over the diagram of its graph.

    TRACE is a trace file, RUN one of its runs, which need not be named where there is one. FILE is as for 'draw'.
    """
    forms = {output: form_of(output) for output in outputs}
    records = _records(trace, run)
    project = open_project(flags, [graph] if graph else (), os.environ)
    try:
        admission, differs = _admission(project, graph, _digest(records))
    finally:
        project.close()
    return give(_answer(admission, records, forms, differs), as_json=as_json)


def _answer(admission: Admission, records: Sequence[dict[str, Json]], forms: dict[str, str], differs: bool) -> Answer:
    from grapharc.compiler.diagrams.control import control
    from grapharc.compiler.diagrams.run import with_run

    picture = with_run(control(admission), records)
    if differs:
        picture = replace(picture, notes=(*picture.notes, "the graph is another now than the one that ran"))
    return answer(picture, admission, {output: drawn(picture, form) for output, form in forms.items()})


def _records(trace: str, run: str | None) -> list[dict[str, Json]]:
    """The records of one run. Raises CannotStart where there is none, or where it must be said which."""
    from pathlib import Path  # reading a trace needs the runtime, and nothing before it does

    from grapharc.runtime.trace import read_trace

    if Path(trace).exists() and not Path(trace).is_file():  # a pipe would be waited for
        raise CannotStart(f"'{trace}' is no file", "'grapharc run GRAPH --trace FILE' writes one")
    try:
        found = read_trace(Path(trace))
    except OSError as error:
        raise CannotStart(f"'{trace}' cannot be read: {(error.strerror or str(error)).lower()}") from None
    runs = list(dict.fromkeys(str(record["run"]) for record in found.records if "run" in record))
    if not runs:
        raise CannotStart(f"there is no run in '{trace}'", "'grapharc run GRAPH --trace FILE' writes one")
    if run is None and len(runs) > 1:
        raise CannotStart(f"'{trace}' holds {len(runs)} runs, so it must be said which", f"the last is '{runs[-1]}'")
    if run is not None and run not in runs:
        raise CannotStart(f"there is no run '{run}' in '{trace}'{did_you_mean(run, runs)}")
    chosen = run or runs[0]
    return [dict(record) for record in found.records if "run" in record and str(record["run"]) == chosen]


def _digest(records: Sequence[dict[str, Json]]) -> str:
    admission = records[0].get("admission")
    return str(admission.get("graph", "")) if isinstance(admission, dict) else ""


def _admission(project: Project, graph: str | None, digest: str) -> tuple[Admission, bool]:
    """The graph that ran, and whether it is another now. Raises CannotStart where it is not to be found."""
    if graph is not None:
        report = check_documents(project, Wanted((project.loader.path_of(graph),)), date.today())
    else:
        report = check_documents(project, wanted(project, (project.loader.root,)), date.today())
    if graph is not None and report.admissions:
        return report.admissions[0], report.admissions[0].graph_digest != digest
    for admission in report.admissions:
        if admission.graph_digest == digest:
            return admission, False
    if graph is not None:
        raise CannotStart(f"'{graph}' cannot be drawn as it stands", f"'grapharc check {graph}' says why")
    raise CannotStart("no graph here is the one that ran", "--graph FILE names one to draw the run over")
