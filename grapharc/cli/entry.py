"""Where the program begins and ends: nothing comes in, the exit code goes out.

A check whose verdict is kept is answered here, before anything is imported that a check would need.
"""

from __future__ import annotations

import gc
import os
import sys

from grapharc.project.verdicts import Verdict, open_verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_LEAVES_WORK = ("langgraph", "sqlite3", "coverage", "_lsprof", "bdb")
"""What leaves something to be done when a process ends: what was run, a store, and who looks on."""


def program() -> NoReturn:
    """Run the program on its arguments and end the process."""
    code = start()
    if any(name in sys.modules for name in _LEAVES_WORK):
        sys.exit(code)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)
    # All is said, and nobody's code was run: to take apart what was imported took a seventh of a cold check.
    os._exit(code)


def start() -> int:
    """Run the program on its arguments."""
    _open_streams()
    # What is imported stays, and a check is over before there is garbage: to look for it took a twentieth of the time.
    gc.disable()
    try:
        verdicts = open_verdicts(sys.argv[1:], os.environ)
        verdict = verdicts.find() if verdicts is not None else None
        if verdict is not None:
            return _say(verdict)
        from grapharc.cli.main import main
    except KeyboardInterrupt:
        return 1
    return main(verdicts=verdicts)


def _say(verdict: Verdict) -> int:
    """Say once more what was said."""
    try:
        sys.stdout.write(verdict.text)
        sys.stdout.flush()
    except (OSError, KeyboardInterrupt) as error:
        from grapharc.cli.main import stopped

        return stopped(error)
    return verdict.exit


def _open_streams() -> None:
    """Open standard streams that the caller closed, or the next file that is opened would be taken for one of them."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
