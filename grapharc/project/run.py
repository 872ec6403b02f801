"""A path and inputs go in; the graph is checked, compiled and run, and what came of it comes out."""

from __future__ import annotations

import asyncio
import gc
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path

from grapharc.policy.admission import Admission
from grapharc.policy.owner.tenants import needs_tenant
from grapharc.project.asked import inputs_of_texts, texts_of_pairs
from grapharc.project.baseline import Baseline
from grapharc.project.check import check_documents
from grapharc.project.choice import EVERYTHING, Choice
from grapharc.project.errors import CannotStart
from grapharc.project.models import refuse_unplayed
from grapharc.project.opening import Project, open_project
from grapharc.project.paths import Wanted
from grapharc.project.premises import workspace_path
from grapharc.project.report import Report, is_error
from grapharc.project.settings import NO_FLAGS, Flags
from grapharc.project.writing import write_file
from grapharc.runtime.errors import RunError
from grapharc.runtime.refusals import EntryError, InputError, NotAdmitted
from grapharc.runtime.result import RunResult
from grapharc.runtime.trace import Record
from grapharc.runtime.workspace import Workspace
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.reasons import message, reason

_RUN_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


@frozen
class RunRequest:
    """What a run is given: values, texts that beat them and that fields say how to read, and a name for the run."""

    values: Mapping[str, Json] = field(default_factory=dict[str, Json])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    run_id: str | None = None


@frozen
class Attempt:
    """What came of asking for a run. There is no ``result`` where the check or the policy said no.

    ``failure`` ended a run that has begun, or kept one from starting. ``records`` are the run's trace, which stands in
    the file ``trace``.
    """

    report: Report
    admission: Admission | None = None
    result: RunResult | None = None
    failure: RunError | NotAdmitted | None = None
    records: tuple[Record, ...] = ()
    trace: str = ""

    @property
    def may_run(self) -> bool:
        """Tell whether the check lets it run."""
        return self.admission is not None and not self.report.is_refused


def run_request(values: Mapping[str, Json], pairs: Iterable[str] = (), run_id: str | None = None) -> RunRequest:
    """Return what a run is given, ``pairs`` being ``name=value`` texts. Raises CannotStart where they make no sense.

    That takes no graph and comes before the check of one, whose faults would otherwise hide a slip in the command.
    """
    if run_id is not None and not _RUN_ID.fullmatch(run_id):
        raise CannotStart(f"'{run_id}' is no name for a run: letters, digits, '_', '.' and '-' would be right")
    return RunRequest(values, texts_of_pairs(pairs), run_id)


class Refused(Exception):
    """A graph was not admitted, so nothing ran. ``report`` has every finding."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        errors = [f"{finding.code}: {message(finding)}" for finding in self.report.findings if is_error(finding)]
        return "; ".join(errors) or "the graph could not be judged"


def run(
    path: str | os.PathLike[str],
    inputs: Mapping[str, Json] | None = None,
    *,
    flags: Flags = NO_FLAGS,
    run_id: str | None = None,
) -> RunResult:
    """Check the graph in a file, compile it and run it, as ``grapharc run`` does.

    ``inputs`` are values by field. ``flags`` say what to use instead of what grapharc.toml names, and where the trace
    goes. Raises Refused where the graph is not admitted, RunError where the run does not come to its end, and
    CannotStart where there is nothing to run or inputs do not fit.
    """
    asked = run_request(inputs or {}, run_id=run_id)
    project = open_project(flags, [os.fspath(path)], os.environ)
    try:
        attempt = run_graph(project, project.loader.path_of(os.fspath(path)), asked, date.today())
    finally:
        project.close()
    if attempt.failure is not None:
        raise attempt.failure
    if attempt.result is None:
        raise Refused(attempt.report)
    return attempt.result


def check_graph(
    project: Project, path: str, today: date, *, baseline: Baseline | None = None, choice: Choice = EVERYTHING
) -> Attempt:
    """Check one graph for one tenant. Raises CannotStart where it is no graph, or nobody said for whom it would run."""
    report = check_documents(project, Wanted((path,)), today, baseline=baseline, choice=choice)
    kind = next((looked.kind for looked in report.documents if looked.path == path), None)
    if kind not in ("graph", None):
        raise CannotStart(f"'{path}' is a {kind}, and only a graph can be run")
    sound = not any(
        is_error(finding) and reason(finding.code).reason_class == "soundness" for finding in report.findings
    )
    for admission in report.admissions if sound else ():  # what is unsound is so for every tenant, and told first
        if project.settings.tenant.value is None and needs_tenant(admission.policies):
            raise CannotStart(
                "a policy tells tenants apart, so it must be said for whom to run", "--tenant NAME says so"
            )
    return Attempt(report, report.admissions[0] if report.admissions else None)


def run_graph(project: Project, path: str, asked: RunRequest, today: date) -> Attempt:
    """Check a graph, compile and run it. Raises CannotStart where inputs do not fit or a kind cannot be loaded."""
    return run_checked(project, check_graph(project, path, today), asked)


def run_checked(project: Project, attempt: Attempt, asked: RunRequest) -> Attempt:
    """Compile and run what was checked, if it may run. Raises CannotStart as ``run_graph`` does."""
    report, admission = attempt.report, attempt.admission
    if admission is None or not attempt.may_run:
        return attempt
    # The runtime is imported only when there is something to run; a run may be long, and makes garbage.
    gc.enable()
    from grapharc.compiler.compile import compile_graph

    run_id = asked.run_id or f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.urandom(3).hex()}"
    trace = _trace(project, run_id)
    given = {**asked.values, **inputs_of_texts(asked.texts, admission.graph.fields)}
    records: list[Record] = []
    refuse_unplayed(admission.graph)
    try:
        compiled = compile_graph(
            admission,
            loader=project.loader,
            workspace=_workspace(project),
            project=Workspace(Path(project.loader.root)),
            environment=project.environ,
        )
        if any(plan.asynchronous for plan in compiled.plans.values()) or _may_run_at_once(admission.graph):
            result = asyncio.run(compiled.ainvoke(given, run_id=run_id, trace=Path(trace), listeners=[records.append]))
        else:
            result = compiled.invoke(given, run_id=run_id, trace=Path(trace), listeners=[records.append])
    except (InputError, EntryError) as error:
        raise CannotStart(str(error)) from error
    except NotAdmitted as error:
        return Attempt(report, admission, failure=error)
    except RunError as error:
        return Attempt(report, admission, error.result, error, tuple(records), trace)
    finally:
        if records and not project.settings.trace.value:
            _keep_out_of_git(project)
    return Attempt(report, admission, result, None, tuple(records), trace)


def _may_run_at_once(graph: LinkedGraph) -> bool:
    """Tell whether nodes may run in threads, and only an event loop leaves one that cannot be stopped."""
    sources = [edge.source for edge in graph.edges]
    return len(set(sources)) < len(sources)


def _trace(project: Project, run_id: str) -> str:
    """The file that the trace goes to: the one that is set, else one for each run in the project folder."""
    if project.settings.trace.value:
        return os.path.abspath(project.settings.trace.value)
    path = _kept_at(project, run_id)
    if os.path.exists(path):
        free = next(name for number in count(2) if not os.path.exists(_kept_at(project, name := f"{run_id}-{number}")))
        raise CannotStart(
            f"there is a run '{run_id}' already", f"--run-id {free} is free; without --run-id the time makes a name"
        )
    return path


def _kept_at(project: Project, run_id: str) -> str:
    return os.path.join(project.loader.root, ".grapharc", "runs", f"{run_id}.jsonl")


def _keep_out_of_git(project: Project) -> None:
    """Traces hold what a run was given, and are nothing to commit; a folder of ours says so itself."""
    path = os.path.join(project.loader.root, ".grapharc", ".gitignore")
    if not os.path.exists(path):
        write_file(path, b"*\n")


def _workspace(project: Project) -> Workspace:
    named = project.settings.workspace.value
    folder = workspace_path(project.loader.root, named)
    if named is not None and not os.path.isdir(folder):
        raise CannotStart(f"the workspace '{named.path}' is no folder", f"{project.settings.workspace.layer} names it")
    return Workspace(Path(folder))
