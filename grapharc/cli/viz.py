"""``viz TRACE [RUN]``: a trace goes in, the diagram of its graph with what the run did at each place comes out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import click

from grapharc.cli.answer import Answer, give
from grapharc.cli.draw import answer, drawn, form_of
from grapharc.cli.options import json_option, project_options
from grapharc.policy.admission import Admission
from grapharc.project.check import check_documents
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted, wanted
from grapharc.project.settings import PROJECT_FILE, Flags
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
    The graph is judged in the project that --config names; for one that --graph names, without --config, in the
    grapharc.toml beside or above it that has the registry and the policies of the run.
    """
    forms = {output: form_of(output) for output in outputs}
    records = _records(trace, run)
    admission = _found(flags, graph, _admitted(records))
    return give(_answer(admission, records, forms), as_json=as_json)


def _answer(admission: Admission, records: Sequence[dict[str, Json]], forms: dict[str, str]) -> Answer:
    from grapharc.compiler.diagrams.control import control
    from grapharc.compiler.diagrams.run import with_run

    picture = with_run(control(admission), records)
    picture = replace(picture, notes=(*picture.notes, *_differences(_others(admission, _admitted(records)))))
    return answer(picture, admission, {output: drawn(picture, form) for output, form in forms.items()})


def _records(trace: str, run: str | None) -> list[dict[str, Json]]:
    """The records of one run. Raises CannotStart where there is none, or where it must be said which."""
    from grapharc.runtime.trace import read_trace  # it needs the runtime, and nothing before it does

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


def _admitted(records: Sequence[dict[str, Json]]) -> Mapping[str, Json]:
    """What a run was admitted with: the digests of its graph, its registry and its policies."""
    admission = records[0].get("admission")
    return admission if isinstance(admission, dict) else {}


def _others(admission: Admission, admitted: Mapping[str, Json]) -> list[str]:
    """Which of graph, registry and policies are others than those of the run."""
    policies: Json = [policy.digest for policy in admission.policies]
    now = {"graph": admission.graph_digest, "registry": admission.registry_digest, "policies": policies}
    return [what for what, digest in now.items() if admitted.get(what) != digest]


def _differences(others: Sequence[str]) -> Iterator[str]:
    if "graph" in others:
        yield "the graph is another now than the one that ran"
    if rest := [f"the {one}" for one in others if one != "graph"]:
        yield f"{' and '.join(rest)} are not those of the run; --config names its project"


def _found(flags: Flags, graph: str | None, admitted: Mapping[str, Json]) -> Admission:
    """The graph that ran. Raises CannotStart where it is not to be found."""
    first: Admission | CannotStart
    try:
        first = _admission(flags, graph, admitted)
    except CannotStart as error:  # it may belong to a project that stands above it
        first = error
    if graph is not None and flags.config is None and (isinstance(first, CannotStart) or _others(first, admitted)):
        folder = Path(graph).resolve().parent
        for config in (above / PROJECT_FILE for above in (folder, *folder.parents)):
            if config.is_file():
                found = _admission(replace(flags, config=str(config)), graph, admitted)
                if not _others(found, admitted):
                    return found
    if isinstance(first, CannotStart):
        raise first
    return first


def _admission(flags: Flags, graph: str | None, admitted: Mapping[str, Json]) -> Admission:
    project = open_project(flags, [graph] if graph else (), os.environ)
    try:
        if graph is not None:
            asked = Wanted((project.loader.path_of(graph),))
        else:
            asked = wanted(project, (project.loader.root,))
        report = check_documents(project, asked, date.today())
    except CannotStart:
        if graph is not None:
            raise
        raise CannotStart(*_NOT_HERE) from None
    finally:
        project.close()
    if graph is not None and report.admissions:
        return report.admissions[0]
    for admission in report.admissions:
        if admission.graph_digest == admitted.get("graph"):
            return admission
    if graph is not None:
        raise CannotStart(f"'{graph}' cannot be drawn as it stands", f"'grapharc check {graph}' says why")
    raise CannotStart(*_NOT_HERE)


_NOT_HERE = "no graph here is the one that ran", "--config names its project, --graph FILE a graph to draw the run over"
