"""``check --watch``: a check is made again whenever a document changes, until it is interrupted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from datetime import datetime

from grapharc.cli.answer import has_colour, write
from grapharc.project.disk import Disk
from grapharc.project.errors import CannotStart

PAUSE = 0.25
"""Seconds between looks at the files; a person does not notice it, and a processor neither."""

CLEAR = "\x1b[2J\x1b[H"


def watch(once: Callable[[], tuple[int, Iterable[str]]], folder: str) -> int:
    """Check, wait until a file changes, and check again; interrupted, return the last exit code.

    ``once`` makes one check and returns its exit code and the files that it read. Those are looked at, and whatever
    could be a document beneath ``folder``: a new file counts as a change.
    """
    code, known = 2, tuple[str, ...]()
    try:
        while True:
            # What changes while a check goes on is seen after it, so this look comes before.
            seen = _states(known, folder)
            if has_colour(sys.stdout):
                write(sys.stdout, CLEAR)
            try:
                code, read = once()
            except CannotStart as error:  # a file may be gone for a moment, while an editor writes it
                code, read = 2, ()
                write(sys.stdout, f"{error}\n")
            known = tuple(read)
            seen = {**{path: _state(path) for path in known}, **seen}
            write(sys.stdout, f"checked at {datetime.now():%H:%M:%S}, waiting for a change; Ctrl-C ends\n")
            sys.stdout.flush()
            while _states((*known, *seen), folder) == seen:
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        return code


def _states(read: Iterable[str], folder: str) -> dict[str, tuple[int, int, int] | None]:
    return {path: _state(path) for path in (*read, *Disk().beneath(folder))}


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 -- pathlib is for what a check does not wait for
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
