"""The options of every command that reports findings: a command goes in, one that takes them as ``asked`` comes out."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click

from grapharc.cli.rendering.formats import FORMATS
from grapharc.cli.reporting import asked_for
from grapharc.project.verdicts import Verdicts

_OPTIONS = (
    click.option("--format", "form", type=click.Choice(list(FORMATS)), help="How to print findings.  [default: text]"),
    click.option(
        "--output",
        "outputs",
        metavar="FORMAT=FILE",
        multiple=True,
        help="Write the findings to a file too, as in sarif=report.sarif; repeatable.",
    ),
    click.option(
        "--select", metavar="CODES", multiple=True, help="Of lint, report only these codes, globs of codes, or classes."
    ),
    click.option("--ignore", metavar="CODES", multiple=True, help="Leave these lint codes out of the report."),
    click.option(
        "--baseline", metavar="FILE", help="Accept the lint findings in this file; 'baseline update' makes one."
    ),
    click.option(
        "--today", metavar="DATE", help="The day that suppressions are judged by, as 2027-03-01.  [default: today]"
    ),
    click.option("--no-cache", "no_cache", is_flag=True, help="Keep nothing for the next check, and use nothing kept."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document, failures included."),
)


def report_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say what is reported and how; it takes them as ``asked``."""

    @wraps(command)
    def with_asked(
        *,
        form: str | None,
        outputs: tuple[str, ...],
        select: tuple[str, ...],
        ignore: tuple[str, ...],
        baseline: str | None,
        today: str | None,
        no_cache: bool,
        as_json: bool,
        **rest: object,
    ) -> int:
        if as_json and form not in (None, "json"):
            raise click.UsageError(f"--json is --format json, and --format says {form}")
        asked = asked_for(
            form=form,
            outputs=outputs,
            select=select,
            ignore=ignore,
            baseline=baseline,
            today=today,
            no_cache=no_cache,
            as_json=as_json,
            verdicts=_verdicts(),
        )
        return command(asked=asked, **rest)

    decorated: Callable[..., int] = with_asked
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _verdicts() -> Verdicts | None:
    found: object = click.get_current_context().obj
    return found if isinstance(found, Verdicts) else None
