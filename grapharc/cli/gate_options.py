"""The options of the gate and of its approvals, each declared once; and the report that they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import date
from functools import wraps

import click

from grapharc.cli.options import project_options
from grapharc.project.errors import CannotStart
from grapharc.project.gate.approvals import Source, day
from grapharc.project.gate.compare import GateRequest, compare
from grapharc.project.gate.fail_on import DEFAULT, fail_on
from grapharc.project.gate.opened import Opener
from grapharc.project.gate.report import GateReport
from grapharc.project.settings import Flags
from grapharc.spec.frozen import frozen


@frozen
class Gated:
    """What is to be compared with what, and by what rules."""

    flags: Flags
    base: str
    head: str | None
    words: tuple[str, ...]
    source: Source
    today: date
    baselines: tuple[str, ...]


_OPTIONS = (
    click.option("--base", metavar="REF", default="HEAD", show_default=True, help="What to compare with."),
    click.option("--head", metavar="REF", help="What to compare.  [default: the working tree]"),
    click.option(
        "--fail-on",
        "words",
        metavar="CATEGORY[:DIRECTION]",
        multiple=True,
        help="Which changes need consent: authority, topology, cost, state, resume, any or nothing; after a colon "
        "widens, narrows, incomparable or neutral, else the first and the third; repeatable.  [default: authority]",
    ),
    click.option(
        "--approvals-from",
        "source",
        type=click.Choice(["base", "head"]),
        default="base",
        show_default=True,
        help="Whose approvals count: those that are on the base already, or those that come with the head.",
    ),
    click.option(
        "--baseline", "baselines", metavar="FILE", multiple=True, help="A baseline to compare as well; repeatable."
    ),
    click.option(
        "--today", metavar="DAY", help="The day by which approvals are judged, as 2027-03-01.  [default: today]"
    ),
)


def gate_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say what is compared; it takes them as ``asked``."""

    @wraps(command)
    def with_asked(
        *,
        flags: Flags,
        base: str,
        head: str | None,
        words: tuple[str, ...],
        source: Source,
        today: str | None,
        baselines: tuple[str, ...],
        **rest: object,
    ) -> int:
        asked = Gated(flags, base, head, words or DEFAULT, source, _day(today), baselines)
        return command(asked=asked, **rest)

    decorated: Callable[..., int] = project_options(with_asked)
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def gated(asked: Gated, paths: Sequence[str]) -> GateReport:
    """Open both sides and compare them. Raises CannotStart where one cannot be opened, or nothing is there."""
    rules = fail_on(asked.words)
    opener = Opener(asked.flags, os.environ)
    try:
        base, head = opener.open(asked.base), opener.open(asked.head)
        wanted = opener.wanted(paths, asked.head)
        baselines = opener.wanted(asked.baselines, asked.head)
        for path in baselines:
            if base.load(path) is None and head.load(path) is None:
                raise CannotStart(f"--baseline: '{path}' is there on neither side")
        report = compare(base, head, GateRequest(wanted, rules, asked.words, asked.source, asked.today, baselines))
        if not (paths or report.graphs or base.project.document or head.project.document):
            raise CannotStart(
                "there is nothing to compare: no graph was named, and there is no grapharc.toml on either side",
                "name graphs or folders of them",
            )
        opener.close(head)
        return report
    finally:
        opener.close()


def _day(text: str | None) -> date:
    if text is None:
        return date.today()
    found = day(text)
    if found is None:
        raise CannotStart(f"--today: '{text}' is no day", "one is written like 2027-03-01")
    return found
