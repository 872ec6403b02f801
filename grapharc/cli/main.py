"""The program's arguments go in, its exit code comes out; whatever goes wrong ends in words, never in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from grapharc.cli.answer import DONE, NO, Interrupted, Terminated, write
from grapharc.cli.plain import check_plain, read_plain
from grapharc.project.verdicts import Verdicts
from grapharc.spec.version import VERSION


def main(arguments: Sequence[str] | None = None, verdicts: Verdicts | None = None) -> int:
    """Run one command and return its exit code; ``verdicts`` keep what a check says."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given, verdicts)
        sys.stdout.flush()
    except (OSError, KeyboardInterrupt) as error:
        return stopped(error)
    return code


def stopped(error: OSError | KeyboardInterrupt) -> int:
    """Return the exit code where standard output takes no more; why is said unless its reader has seen enough."""
    # Nothing more can be said there, not even as JSON, and Python must not try again when it closes the stream.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO if isinstance(error, BrokenPipeError | KeyboardInterrupt) else _failed(error, [])


def _run(given: list[str], verdicts: Verdicts | None) -> int:
    try:
        if given == ["--version"]:
            write(sys.stdout, f"grapharc {VERSION}\n")
            return DONE
        plain = read_plain(given)
        return _run_command(given, verdicts) if plain is None else check_plain(plain, verdicts)
    except BrokenPipeError:
        raise
    except (KeyboardInterrupt, Interrupted):
        from grapharc.cli.ending import interrupted

        return interrupted(given)
    except Terminated as error:
        from grapharc.cli.ending import terminated

        return terminated(error, given)
    except Exception as error:
        return _failed(error, given)


def _run_command(given: list[str], verdicts: Verdicts | None) -> int:
    from grapharc.cli.commands import grapharc  # a plain check waits for no click

    code: object = grapharc.main(given, prog_name="grapharc", standalone_mode=False, obj=verdicts)
    return code if isinstance(code, int) else DONE


def _failed(error: Exception, given: list[str]) -> int:
    from grapharc.cli.failing import failed  # only what fails waits for it

    return failed(error, given)
