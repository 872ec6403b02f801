"""``baseline update FILE``: what is found goes in; a file of the lint findings that are accepted for now comes out."""

from __future__ import annotations

import os
from datetime import date

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.text import counted
from grapharc.cli.reporting import findings_answer
from grapharc.project.accepting import Update, baseline_of, update
from grapharc.project.check import check_documents
from grapharc.project.errors import CannotStart
from grapharc.project.opening import open_project
from grapharc.project.paths import wanted
from grapharc.project.settings import Flags
from grapharc.project.writing import refuse_lost_folder, write_file
from grapharc.spec.json_value import Json


@click.command("baseline")
@click.argument("words", nargs=-1, metavar="update FILE [PATHS]")
@project_options
@json_option
def command(flags: Flags, words: tuple[str, ...], as_json: bool) -> int:
    """Make a baseline of the lint findings there are, or take out of one what is mended.

    A baseline may only shrink: where FILE is there, no finding is ever added to it. Check with it by
    'grapharc check --baseline FILE'. PATHS are the same as for check.
    """
    if len(words) < 2 or words[0] != "update":
        raise CannotStart(f"'{' '.join(('baseline', *words))}' is no command", _USAGE)
    file, paths = words[1], words[2:]
    if not file or os.path.isdir(file):  # noqa: PTH112 -- as everywhere on the way of a check
        raise CannotStart(f"'{file}' is no file for a baseline", _USAGE)
    refuse_lost_folder(file, "FILE")
    project = open_project(flags, paths, os.environ)
    before = baseline_of(project, file) if os.path.exists(file) else None  # noqa: PTH110
    asked = wanted(project, paths)
    report = check_documents(project, asked, date.today(), baseline=before)
    project.close()
    if before is not None and before.findings:  # what is no baseline is not written over
        return give(findings_answer(report), as_json=as_json)
    made = update(report, before)
    if before is None or made.gone:
        write_file(file, made.text.encode("utf-8"))
    answer = Answer(DONE, lambda: _document(file, made), lambda _: _said(file, made, is_new=before is None))
    return give(answer, as_json=as_json)


_USAGE = "'grapharc baseline update FILE' makes a baseline or takes out of it what is mended"


def _document(file: str, made: Update) -> dict[str, Json]:
    gone: list[Json] = [
        {"code": entry.code, "document": entry.document, "fingerprint": entry.fingerprint, "message": entry.message}
        for entry in made.gone
    ]
    return {"baseline": file, "kept": len(made.kept), "gone": gone, "new": len(made.new)}


def _said(file: str, made: Update, *, is_new: bool) -> str:
    name = printable(file)
    if is_new:
        return f"wrote {name}: {counted(len(made.kept), 'finding')} accepted\n"
    lines = [f"  {printable(entry.document)}: {printable(entry.message)} [{entry.code}]" for entry in made.gone]
    lines = [f"took {len(lines)} {'entry' if len(lines) == 1 else 'entries'} out of {name}", *lines] if lines else []
    lines.append(f"{counted(len(made.kept), 'finding')} accepted in {name}")
    if made.new:
        lines.append(f"{counted(len(made.new), 'finding')} not in it: a baseline may only shrink")
    return "".join(f"{line}\n" for line in lines)
