"""``demo [NAME]``: the name of an example goes in; it is checked and run, and where its trace is comes out."""

from __future__ import annotations

import contextlib
import os
from datetime import date
from pathlib import Path

import click

from grapharc.cli.answer import Answer, give
from grapharc.cli.options import json_option
from grapharc.cli.run import answer, checked_answer
from grapharc.project.errors import CannotStart
from grapharc.project.opening import Project, open_project
from grapharc.project.run import Asked, check_graph, run_graph
from grapharc.project.settings import Flags

TRACE = Path(".grapharc") / "runs" / "demo.jsonl"
_PACKAGE = Path(__file__).parent.parent


DEMOS = ("cited_answer", "claims_loop", "fan_out", "investigation", "nested")


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
    investigation  a search that goes on only for as long as it finds something new
    nested         a graph that runs another one for each text of a list

    Models are scripted, so it costs nothing and needs no key. The trace of the run stands in
    .grapharc/runs/demo.jsonl.
    """
    folder = examples() / name
    with contextlib.suppress(FileNotFoundError):
        TRACE.unlink()
    project = _open(folder)
    path = project.loader.path_of(str(folder / "graph.toml"))
    checked = checked_answer(check_graph(project, path, date.today()))
    ran = answer(run_graph(project, path, Asked(run_id="demo"), date.today()), str(Path.cwd()))
    project.close()
    return give(_together(folder, checked, ran), as_json=as_json)


def examples() -> Path:
    """Return the folder of the examples: in an installed package within it, in a clone beside it."""
    for folder in (_PACKAGE / "examples", _PACKAGE.parent / "examples"):
        if (folder / "cited_answer").is_dir():
            return folder
    raise CannotStart("the examples are not installed")


def _open(folder: Path) -> Project:
    flags = Flags(config=str(folder / "grapharc.toml"), trace=str(TRACE))
    return open_project(flags, [str(folder / "graph.toml")], os.environ)


def _together(folder: Path, checked: Answer, ran: Answer) -> Answer:
    shown = os.path.relpath(folder).replace(os.sep, "/")

    def words(colour: bool) -> str:
        steps = [
            f"$ grapharc run {shown}/graph.toml --config {shown}/grapharc.toml --check-only\n{checked.text(colour)}",
            f"$ grapharc run {shown}/graph.toml --config {shown}/grapharc.toml\n{ran.text(colour)}",
        ]
        return "\n".join(steps)

    return Answer(ran.exit, ran.document, words)
