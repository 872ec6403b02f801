"""Where the program begins: nothing comes in, the exit code goes out."""

from __future__ import annotations

import gc


def start() -> int:
    """Run the program on its arguments."""
    # What is imported stays, and a check is over before there is garbage: to look for it took a twentieth of the time.
    gc.disable()
    from grapharc.cli.main import main

    return main()
