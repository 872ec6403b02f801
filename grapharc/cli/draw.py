"""``draw GRAPH``: a graph goes in, diagrams of it come out; nothing is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import date

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.text import counted
from grapharc.cli.reporting import findings_answer
from grapharc.compiler.diagrams.authority import authority
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.data import data
from grapharc.compiler.diagrams.picture import Picture
from grapharc.policy.admission import Admission
from grapharc.project.check import check_documents
from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted
from grapharc.project.settings import Flags
from grapharc.project.writing import refuse_lost_folder, write_file
from grapharc.spec.frozen import replace

VIEWS: Mapping[str, Callable[[Admission], Picture]] = {"control": control, "data": data, "authority": authority}
FORMATS = ("mmd", "dot", "svg", "png", "pdf", "html")


@click.command("draw")
@click.argument("graph")
@click.option("-o", "--output", "outputs", metavar="FILE", multiple=True, help="Where to; its ending says how.")
@click.option("--base", metavar="REF", help="Mark what changed since a commit, or a folder: ./FOLDER.")
@click.option("--head", metavar="REF", help="What to draw the change to.  [default: the working tree]")
@click.option("--view", type=click.Choice(list(VIEWS)), default="control", show_default=True, help="What to draw.")
@project_options
@json_option
def command(
    flags: Flags,
    graph: str,
    outputs: tuple[str, ...],
    base: str | None,
    head: str | None,
    view: str,
    as_json: bool,
) -> int:
    """Draw a graph, as it is checked and judged; refusals stand in it in red.

    GRAPH is a graph document, or - for standard input. FILE ends in .svg, .png, .pdf, .html, .dot or .mmd; without
    one, the diagram is printed in Mermaid's language, for a Markdown page. With --base, what changed since then is
    marked: added in green, removed in red and dashed, each with its word. A graph that is refused is drawn all the
    same, so that the exit code is 0 for each one that could be drawn.
    """
    forms = {output: form_of(output) for output in outputs}
    if base is not None or head is not None:
        return give(_change(flags, graph, (base or "HEAD", head), VIEWS[view], forms), as_json=as_json)
    asked = STDIN if graph == "-" else graph
    stdin = sys.stdin.buffer.read() if asked == STDIN else b""
    project = open_project(flags, [asked], os.environ, stdin=stdin)
    path = asked if asked == STDIN else project.loader.path_of(asked)
    try:
        report = check_documents(project, Wanted((path,)), date.today())
    finally:
        project.close()
    kind = next((looked.kind for looked in report.documents if looked.path == path), None)
    if kind not in ("graph", None):
        raise CannotStart(f"'{path}' is a {kind}, and only a graph can be drawn")
    if not report.admissions:
        return give(findings_answer(report), as_json=as_json)
    admission = report.admissions[0]
    picture = VIEWS[view](admission)
    written = {output: drawn(picture, form) for output, form in forms.items()}
    return give(answer(picture, admission, written), as_json=as_json)


def _change(
    flags: Flags,
    graph: str,
    sides: tuple[str, str | None],
    view: Callable[[Admission], Picture],
    forms: Mapping[str, str],
) -> Answer:
    """Draw a graph with what changed in it. Raises CannotStart where it is on neither side, or cannot be drawn."""
    from grapharc.cli.gate_options import Gated, gated
    from grapharc.cli.rendering.gate.counts import side
    from grapharc.cli.rendering.gate.picture import picture_of

    if graph == "-":
        raise CannotStart("what changed in standard input cannot be told", "name a file to draw with --base")
    base, head = sides
    report = gated(Gated(flags, base, head, ("nothing",), "base", date.today(), ()), [graph])
    pair = report.graphs[0] if len(report.graphs) == 1 else None
    there = pair and (pair.new or pair.old)
    if pair is None or there is None:
        raise CannotStart(f"'{graph}' is no graph that can be drawn", f"'grapharc check {graph}' says why")
    changes = report.of(pair.document)
    picture = picture_of(pair, changes, view)
    since = f"{side(report.base)} \N{RIGHTWARDS ARROW} {side(report.head)}: {counted(len(changes), 'change')}"
    picture = replace(picture, notes=(*picture.notes, since))
    return answer(picture, there, {output: drawn(picture, form) for output, form in forms.items()})


def form_of(output: str) -> str:
    """Return the format that a file's name ends in. Raises CannotStart for any other, and for a lost folder."""
    form = output.replace(os.sep, "/").rpartition("/")[2].rpartition(".")[2]
    if form not in FORMATS:
        raise CannotStart(
            f"'{output}' ends in no format of diagrams", f"one of {', '.join(f'.{each}' for each in FORMATS)}"
        )
    refuse_lost_folder(output, "--output")
    return form


def drawn(picture: Picture, form: str) -> bytes:
    """Return a picture in a format. Raises CannotStart where it needs a ``dot`` and there is none."""
    if form == "mmd":
        from grapharc.cli.rendering.diagrams import mermaid

        return mermaid.render(picture).encode()
    from grapharc.cli.rendering.diagrams import dot, page, svg

    if form == "dot":
        return dot.render(picture).encode()
    source = dot.render(picture, columns=True)
    from grapharc.project.graphviz import laid_out

    if form in ("png", "pdf"):
        return laid_out(source, "png" if form == "png" else "pdf")
    image = svg.render(picture, laid_out(source, "svg").decode())
    return (image if form == "svg" else page.render(picture, image)).encode()


def answer(picture: Picture, admission: Admission, written: Mapping[str, bytes]) -> Answer:
    """Write the files, and return what is said of them; without files, the diagram itself."""
    for output, content in written.items():
        try:
            write_file(output, content)
        except OSError as error:
            raise CannotStart(f"'{output}' cannot be written: {(error.strerror or str(error)).lower()}") from None
    if not written:
        source = drawn(picture, "mmd").decode()
        return Answer(DONE, lambda: {"verdict": admission.verdict, "mermaid": source}, lambda _: source)
    return Answer(
        DONE,
        lambda: {"verdict": admission.verdict, "written": list(written)},
        lambda _: "".join(f"wrote {printable(output)} ({admission.verdict.replace('_', ' ')})\n" for output in written),
    )
