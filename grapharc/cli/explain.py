"""``explain CODE``: a code goes in, what the catalogue knows of it comes out."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option
from grapharc.cli.rendering.paint import paint
from grapharc.cli.rendering.template import shown
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import Ending, Reason, endings, reasons

_CLASSES = {
    "soundness": "it would not run as written",
    "authority": "it may not run",
    "lint": "it should not be so; can be lowered and suppressed",
}

_WIDTH = 80


def _codes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001 -- click's
    """The codes that a word which is begun may become, for the shell."""
    return sorted(code for code in {**reasons(), **endings()} if code.startswith(begun))


@click.command("explain")
@click.argument("code", required=False, shell_complete=_codes)
@json_option
def command(code: str | None, as_json: bool) -> int:
    """Say what a code means and how to mend it.

    Without CODE, list every code: those that documents are told, then those that end runs.
    """
    every = [*reasons().values(), *endings().values()]
    if code is None:
        return give(_all(every), as_json=as_json)
    found = [each for each in every if each.code == code]
    if not found:
        known = {each.code for each in every}
        raise CannotStart(f"there is no code '{code}'{did_you_mean(code, known)}", "'grapharc explain' lists them")
    return give(_told(found), as_json=as_json)


def _told(found: list[Reason | Ending]) -> Answer:
    """One code may be told of a document and end a run, too."""
    first, *others = found

    def document() -> dict[str, Json]:
        return {**_document(first), **({"run": _document(others[0])} if others else {})}

    return Answer(DONE, document, lambda colour: "\n".join(_text(each, colour) for each in found))


def _all(every: list[Reason | Ending]) -> Answer:
    return Answer(
        DONE,
        lambda: {"codes": [_document(each) for each in every]},
        lambda colour: "".join(_lines(every, colour)),
    )


def _lines(every: list[Reason | Ending], colour: bool) -> Iterator[str]:
    widest = max(len(each.code) for each in every)
    for each in every:
        level = each.severity if isinstance(each, Reason) else "error"
        yield f"{paint(f'{each.code:<{widest}}', level, colour)}  {shown(each.message)}\n"


def _document(reason: Reason | Ending) -> dict[str, Json]:
    if isinstance(reason, Ending):
        said: dict[str, Json] = {"message": reason.message, "why": reason.why, "remedy": reason.remedy}
        return {"code": reason.code, "class": "run", "severity": "error", **said, "bad": "", "good": ""}
    return {
        "code": reason.code,
        "class": reason.reason_class,
        "severity": reason.severity,
        "message": reason.message,
        "why": reason.why,
        "remedy": reason.remedy,
        "bad": reason.bad,
        "good": reason.good,
    }


def _text(reason: Reason | Ending, colour: bool) -> str:
    if isinstance(reason, Ending):
        head = f"{paint(reason.code, 'title', colour)}: {paint('error', 'error', colour)}, of a run"
        texts = (reason.message, reason.why, f"remedy: {reason.remedy}")
        return "\n\n".join([head, *(fill(text, _WIDTH) for text in texts)]) + "\n"
    parts = [
        f"{paint(reason.code, 'title', colour)}: {paint(reason.severity, reason.severity, colour)}, "
        f"{reason.reason_class} ({_CLASSES[reason.reason_class]})",
        *(fill(text, _WIDTH) for text in (shown(reason.message), reason.why, f"remedy: {shown(reason.remedy)}")),
    ]
    for title, lines in (("refused", reason.bad), ("admitted", reason.good)):
        if lines.strip():
            parts.append(f"{paint(title, 'title', colour)}:\n" + _indented(lines))
    return "\n\n".join(parts) + "\n"


def _indented(lines: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in lines.strip("\n").splitlines())
