"""``check --fix``: what a check found goes in; what could be mended is written, or shown, and what is left is told."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

from grapharc.cli.answer import NO, Answer, give, is_terminal
from grapharc.cli.reporting import code_of
from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN
from grapharc.project.opening import Project
from grapharc.project.paths import Wanted
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json

if TYPE_CHECKING:
    from grapharc.project.fix import Fixed


@frozen
class Fixing:
    """What is to be done about findings beside telling them."""

    wanted: bool = False
    unsafe: bool = False
    diff: bool = False


NOTHING = Fixing()


def fix(
    project: Project, asked: Wanted, today: date, fixing: Fixing, *, fail_on: tuple[str, ...], as_json: bool
) -> int:
    """Mend documents and return the exit code: that of a check now; with ``--diff`` 1 if anything would change."""
    from grapharc.project.fix import fix_documents  # only who mends waits for it
    from grapharc.project.rewriting import write_all

    if STDIN in asked.named:
        raise CannotStart("standard input cannot be mended, since there is no file to write", "name the document")
    fixed = fix_documents(project, asked, today, unsafe=fixing.unsafe)
    if not fixing.diff:
        write_all(project, fixed.rewrites)
    return give(_answer(fixed, fail_on, fixing), as_json=as_json)


def _answer(fixed: Fixed, fail_on: tuple[str, ...], fixing: Fixing) -> Answer:
    from grapharc.cli.rendering import json

    diff = fixing.diff

    mended: Json = dict(fixed.mended)
    changed: Json = [each.path for each in fixed.rewrites]
    return Answer(
        NO if diff and fixed.rewrites else code_of(fixed.report, fail_on),
        lambda: {"mended": mended, "changed": changed, "written": not diff, **json.render(fixed.report)},
        lambda colour: _text(fixed, fixing, colour=colour),
    )


def _text(fixed: Fixed, fixing: Fixing, *, colour: bool) -> str:
    from grapharc.cli.rendering import diff as differences
    from grapharc.cli.rendering import text

    number = sum(count for _, count in fixed.mended)
    codes = ", ".join(code if count == 1 else f"{code} {count} times" for code, count in fixed.mended)
    verb, noun = "would mend" if fixing.diff else "mended", "finding" if number == 1 else "findings"
    said = f"{verb} {number} {noun}: {codes}\n" if number else ""
    said += "" if fixing.unsafe else _more(fixed)
    if fixing.diff:
        return differences.render(fixed.rewrites, colour=colour, shown=is_terminal(sys.stdout)) + said
    return said + text.render(fixed.report, colour=colour)


def _more(fixed: Fixed) -> str:
    """Say of how much of what is left it is known what was nearly meant."""
    from grapharc.project.candidates import candidates_of_each

    count = sum(map(bool, candidates_of_each(fixed.report.findings, fixed.report.texts, unsafe=True)))
    noun = "finding" if count == 1 else "findings"
    return f"--unsafe might mend {count} {noun} that --fix leaves\n" if count else ""
