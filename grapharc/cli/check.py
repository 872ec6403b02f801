"""``check [PATHS]``: documents go in, every fault of every one of them comes out; nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click

from grapharc.cli.answer import FAIL_ON
from grapharc.cli.checking import check
from grapharc.cli.fixing import Fixing
from grapharc.cli.options import WHOLE_POSITIVE, ours_only_option, project_options
from grapharc.cli.report_options import report_options
from grapharc.cli.reporting import ReportRequest
from grapharc.project.settings import Flags

_FIXING = (
    click.option("--fix", is_flag=True, help="Mend what can be mended safely: no graph may do more after it."),
    click.option("--unsafe", is_flag=True, help="With --fix: also mend what may change what a document means."),
    click.option("--diff", is_flag=True, help="With --fix: write nothing, and print what would change."),
)


def _fixing_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that mend; it takes them as ``fixing``."""

    @wraps(command)
    def with_fixing(*, fix: bool, unsafe: bool, diff: bool, **rest: object) -> int:
        if not fix and (unsafe or diff):
            raise click.UsageError(f"--{'unsafe' if unsafe else 'diff'} says how to fix: --fix is missing")
        return command(fixing=Fixing(fix, unsafe, diff), **rest)

    decorated: Callable[..., int] = with_fixing
    for option in reversed(_FIXING):
        decorated = option(decorated)
    return decorated


@click.command("check")
@click.argument("paths", nargs=-1)
@project_options
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    multiple=True,
    help="Let exit code 1 also mean this: a graph that waits for approval, a warning, a note; repeatable.",
)
@click.option(
    "--jobs", type=WHOLE_POSITIVE, metavar="N", help="The most processes.  [default: as many as there are cores]"
)
@ours_only_option
@click.option("--watch", "watching", is_flag=True, help="Check again whenever a document changes, until Ctrl-C.")
@_fixing_options
@report_options
def command(
    flags: Flags,
    asked: ReportRequest,
    paths: tuple[str, ...],
    fail_on: tuple[str, ...],
    jobs: int | None,
    ours_only: bool,
    watching: bool,
    fixing: Fixing,
) -> int:
    """Find every fault of documents, without running anything.

    PATHS are documents of any kind, folders of them, or - for standard input. Without PATHS, check what
    grapharc.toml names.
    """
    if fixing.wanted and not asked.is_plain:
        raise click.UsageError(
            "--fix mends whatever is found and tells what is left as text or by --json: no other --format, --output, "
            "--select, --ignore or --baseline goes with it"
        )
    if watching and (fixing.wanted or "-" in paths):
        raise click.UsageError(f"--watch only looks, and {'--fix' if fixing.wanted else 'standard input'} is asked for")
    return check(flags, asked, paths, fail_on=fail_on, jobs=jobs, ours_only=ours_only, watching=watching, fixing=fixing)
