"""``check [PATHS]``: documents go in, every fault of every one of them comes out; nothing is run."""

from __future__ import annotations

import os
import sys
from datetime import date

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering import concise, json, text
from grapharc.project.check import check_documents
from grapharc.project.files import STDIN
from grapharc.project.opening import open_project
from grapharc.project.paths import wanted
from grapharc.project.report import Report
from grapharc.project.settings import Flags


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
@json_option
def command(flags: Flags, paths: tuple[str, ...], form: str, as_json: bool) -> int:
    """Find every fault of documents, without running anything.

    PATHS are documents of any kind, folders of them, or - for standard input. Without PATHS, check what
    grapharc.toml names.
    """
    asked = [STDIN if path == "-" else path for path in paths]
    stdin = sys.stdin.buffer.read() if STDIN in asked else b""
    project = open_project(flags, asked, os.environ, stdin=stdin)
    report = check_documents(project, wanted(project, asked), date.today())
    project.close()
    return give(_answer(report, form), as_json=as_json or form == "json")


def _answer(report: Report, form: str) -> Answer:
    render = concise.render if form == "concise" else text.render
    code = NO if report.is_refused else DONE
    return Answer(code, lambda: json.render(report), lambda colour: render(report, colour=colour))
