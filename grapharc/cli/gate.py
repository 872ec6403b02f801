"""``gate --base REF [PATHS]``: two states of a project go in, what changed in what its graphs may do comes out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from grapharc.cli.answer import DONE, NO, Answer, give, write
from grapharc.cli.gate_approve import approve
from grapharc.cli.gate_options import Gated, gate_options, gated
from grapharc.cli.options import json_option
from grapharc.cli.rendering.formats import FORMATS as REPORTS
from grapharc.cli.rendering.formats import renderer
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.gate.report import GateReport
from grapharc.project.writing import refuse_lost_folder, write_file
from grapharc.spec.json_value import Json

FORMATS = ("text", "markdown", *(name for name in REPORTS if name != "text"))
"""What a gate has of its own, and what a check has for its findings."""


class _Gate(click.Command):
    """The command; ``approve`` before its own arguments is a command by itself."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Make the context of the command that the arguments ask for."""
        if args[:1] == ["approve"]:
            return approve.make_context(f"{info_name} approve", args[1:], parent)
        return super().make_context(info_name, args, parent, **extra)


@click.command("gate", cls=_Gate)
@click.argument("paths", nargs=-1)
@gate_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@click.option(
    "--output", "outputs", metavar="FORMAT=FILE", multiple=True, help="Write a format to a file as well; repeatable."
)
@json_option
def command(asked: Gated, paths: tuple[str, ...], form: str, outputs: tuple[str, ...], as_json: bool) -> int:
    """Say what changed between two states of a project, and fail on what nobody agreed to.

    Both states are linked and judged, and compared by what they mean: nodes, edges, bounds, state, cost, and what a
    graph may do. PATHS are graphs, or folders of them; without PATHS, all that grapharc.toml of either side names.
    REF is anything that git takes for a commit, and ./FOLDER a folder that holds the project. Nothing is checked out.

    'grapharc gate approve' writes down that somebody agrees.
    """
    files = _outputs(outputs)
    report = gated(asked, paths)
    for path, name in files.items():
        write_file(path, _rendered(report, name, colour=False).encode())
    from grapharc.cli.rendering.gate.counts import passes

    code = DONE if passes(report) else NO
    if form not in ("text", "json") and not as_json:
        write(sys.stdout, _rendered(report, form, colour=False))
        return code
    answer = Answer(code, lambda: _document(report), lambda colour: _rendered(report, "text", colour=colour))
    return give(answer, as_json=as_json or form == "json")


def _outputs(outputs: tuple[str, ...]) -> Mapping[str, str]:
    """Return by file the format that it gets. Raises CannotStart."""
    found: dict[str, str] = {}
    for output in outputs:
        name, equals, path = output.partition("=")
        if not equals or not path:
            raise CannotStart(f"--output: '{output}' is no FORMAT=FILE", "as in --output markdown=comment.md")
        if name not in FORMATS:
            raise CannotStart(f"--output: there is no format '{name}'{did_you_mean(name, FORMATS)}")
        if Path(path).is_dir():
            raise CannotStart(f"--output: '{path}' is a folder", "as in --output markdown=comment.md")
        refuse_lost_folder(path, "--output")
        found[path] = name
    return found


# The formats are imported when they are asked for.


def _rendered(report: GateReport, form: str, *, colour: bool) -> str:
    if form == "markdown":
        from grapharc.cli.rendering.gate import markdown

        return markdown.render(report)
    if form == "json":
        from grapharc.cli.answer import as_document

        return as_document(_document(report))
    if form == "text":
        from grapharc.cli.rendering.gate import text

        return text.render(report, colour=colour)
    from grapharc.cli.rendering.gate.counts import as_report

    return renderer(form)(as_report(report))


def _document(report: GateReport) -> Mapping[str, Json]:
    from grapharc.cli.rendering.gate import json

    return json.render(report)
