"""The program's arguments go in, its exit code comes out; whatever goes wrong ends in words, never in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from grapharc.cli.answer import COULD_NOT, DONE, NO, write
from grapharc.cli.commands import grapharc
from grapharc.cli.failing import bug_met, interrupted, start_failed, system_failed, usage_failed
from grapharc.project.errors import CannotStart
from grapharc.project.verdicts import Verdicts


def main(arguments: Sequence[str] | None = None, verdicts: Verdicts | None = None) -> int:
    """Run one command and return its exit code; ``verdicts`` keep what a check says."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given, verdicts)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _give_up_stdout()
        return NO
    except OSError as error:
        # Nothing more can be said there, not even as JSON.
        _give_up_stdout()
        return system_failed(error, [])
    return code


def _give_up_stdout() -> None:
    """Python must not complain again when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: list[str], verdicts: Verdicts | None) -> int:
    try:
        code: object = grapharc.main(given, prog_name="grapharc", standalone_mode=False, obj=verdicts)
    except click.exceptions.NoArgsIsHelpError as error:
        write(sys.stderr, f"{error.format_message()}\n")
        return COULD_NOT
    except click.UsageError as error:
        return usage_failed(error, given)
    except CannotStart as error:
        return start_failed(error, given)
    except (click.Abort, KeyboardInterrupt):
        return interrupted(given)
    except BrokenPipeError:
        raise
    except OSError as error:
        return system_failed(error, given)
    except Exception as error:
        return bug_met(error, given)
    return code if isinstance(code, int) else DONE
