"""Where the program begins: nothing comes in, the exit code goes out."""

from __future__ import annotations

import gc
import os
import sys


def start() -> int:
    """Run the program on its arguments."""
    _open_streams()
    # What is imported stays, and a check is over before there is garbage: to look for it took a twentieth of the time.
    gc.disable()
    try:
        from grapharc.cli.main import main
    except KeyboardInterrupt:
        return 1
    return main()


def _open_streams() -> None:
    """Open standard streams that the caller closed, or the next file that is opened would be taken for one of them."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
