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
from grapharc.spec.reasons import Reason, reasons

_CLASSES = {
    "soundness": "it would not run as written",
    "authority": "it may not run",
    "lint": "it should not be so; can be lowered and suppressed",
}

_WIDTH = 80


def _codes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:  # noqa: ARG001 -- click's
    """The codes that a word which is begun may become, for the shell."""
    return sorted(code for code in reasons() if code.startswith(begun))


@click.command("explain")
@click.argument("code", required=False, shell_complete=_codes)
@json_option
def command(code: str | None, as_json: bool) -> int:
    """Say what a code means and how to mend it.

    Without CODE, list every code.
    """
    known = reasons()
    if code is None:
        return give(_all(list(known.values())), as_json=as_json)
    if code not in known:
        raise CannotStart(f"there is no code '{code}'{did_you_mean(code, known)}", "'grapharc explain' lists them")
    return give(_one(known[code]), as_json=as_json)


def _one(reason: Reason) -> Answer:
    return Answer(DONE, lambda: _document(reason), lambda colour: _text(reason, colour))


def _all(known: list[Reason]) -> Answer:
    return Answer(
        DONE,
        lambda: {"codes": [_document(reason) for reason in known]},
        lambda colour: "".join(_lines(known, colour)),
    )


def _lines(known: list[Reason], colour: bool) -> Iterator[str]:
    widest = max(len(reason.code) for reason in known)
    for reason in known:
        yield f"{paint(f'{reason.code:<{widest}}', reason.severity, colour)}  {shown(reason.message)}\n"


def _document(reason: Reason) -> dict[str, Json]:
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


def _text(reason: Reason, colour: bool) -> str:
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
