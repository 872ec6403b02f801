"""``demo [NAME]``: the name of an example goes in; it is checked and run, and where its trace is comes out."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from grapharc.cli.answer import Answer, give
from grapharc.cli.options import json_option
from grapharc.cli.run import answer, checked_answer
from grapharc.project.errors import CannotStart
from grapharc.project.opening import open_project
from grapharc.project.run import check_graph, run_graph, run_request
from grapharc.project.settings import Flags
from grapharc.spec.frozen import frozen

TRACE = Path(".grapharc") / "runs" / "demo.jsonl"
_PACKAGE = Path(__file__).parent.parent


DEMOS = ("cited_answer", "claims_loop", "fan_out", "governed", "investigation", "memory", "nested", "verifier")


@frozen
class Step:
    """One run of an example: its graph, the registry where it is another one, and inputs as on the command line."""

    graph: str = "graph.toml"
    registry: str = ""
    inputs: tuple[str, ...] = ()


STEPS: Mapping[str, tuple[Step, ...]] = {
    "memory": (
        Step(),
        Step("correct.toml", "second.toml"),
        Step("graph.toml", "third.toml", ("path=3-runbook.txt",)),
    )
}
"""What is run of examples that keep something from run to run; they are run in a copy, which knows nothing at first."""


@click.command("demo")
@click.argument("name", type=click.Choice(DEMOS), default=DEMOS[0], metavar="NAME")
@json_option
def command(name: str, as_json: bool) -> int:
    """Check and run an example.

    Without NAME it is cited_answer.

    \b
    cited_answer   claims about a text; the one whose citation does not stand in it is thrown out
    claims_loop    a model that answers in prose and gives orders is asked three times, in vain (exit 1)
    fan_out        three archives at once, of which one breaks and one never answers
    governed       a service desk under a policy that leaves some decisions to the run
    investigation  a search that goes on only for as long as it finds something new
    memory         three runs and one store: what is learned, corrected, and not believed again
    nested         a graph that runs another one for each text of a list
    verifier       three claims, of which another model is asked about two and believes one

    Models are scripted, so it costs nothing and needs no key. The trace of the run stands in
    .grapharc/runs/demo.jsonl.
    """
    folder = examples() / name
    with contextlib.suppress(FileNotFoundError):
        TRACE.unlink()
    shown = os.path.relpath(folder).replace(os.sep, "/")
    if name not in STEPS:
        return give(_ran(Step(), folder, shown, "demo"), as_json=as_json)
    with TemporaryDirectory() as copy:
        where = Path(copy, name)
        shutil.copytree(folder, where, ignore=shutil.ignore_patterns(".grapharc"))
        answers = [_ran(step, where, shown, f"demo-{n}") for n, step in enumerate(STEPS[name], 1)]
    return give(_all(answers), as_json=as_json)


def examples() -> Path:
    """Return the folder of the examples: in an installed package within it, in a clone beside it."""
    for folder in (_PACKAGE / "examples", _PACKAGE.parent / "examples"):
        if (folder / "cited_answer").is_dir():
            return folder
    raise CannotStart("the examples are not installed")


def _ran(step: Step, folder: Path, shown: str, run_id: str) -> Answer:
    """Check and run one graph."""
    registry = str(folder / step.registry) if step.registry else None
    flags = Flags(config=str(folder / "grapharc.toml"), registry=registry, trace=str(TRACE))
    project = open_project(flags, [str(folder / step.graph)], os.environ)
    path = project.loader.path_of(str(folder / step.graph))
    checked = checked_answer(check_graph(project, path, date.today()))
    asked = run_request({}, step.inputs, run_id)
    ran = answer(run_graph(project, path, asked, date.today()), str(Path.cwd()))
    project.close()
    typed = f"$ grapharc run {shown}/{step.graph} --config {shown}/grapharc.toml"
    typed += f" --registry {shown}/{step.registry}" if step.registry else ""
    with_inputs = "".join([typed, *(f" --input {pair}" for pair in step.inputs)])

    def words(colour: bool) -> str:
        return f"{typed} --check-only\n{checked.text(colour)}\n{with_inputs}\n{ran.text(colour)}"

    return Answer(ran.exit, ran.document, words)


def _all(answers: Sequence[Answer]) -> Answer:
    """Put the runs of one example together; the last one says how it went."""
    return Answer(
        answers[-1].exit,
        lambda: {"runs": [dict(each.document()) for each in answers]},
        lambda colour: "\n".join(each.text(colour) for each in answers),
    )
