"""A path that somebody named and bytes go in; the file that it leads to holds them, and its folder is made."""

from __future__ import annotations

import os
import stat

from grapharc.project.errors import CannotStart
from grapharc.runtime.atomic import create_file, replace_file


def refuse_lost_folder(path: str, named_by: str) -> None:
    """Refuse a file that somebody named in a folder that is not there: it may be misspelt. Raises CannotStart."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        from shlex import quote  # only what fails waits for it

        raise CannotStart(f"{named_by}: there is no folder '{folder}'", f"make it first: mkdir -p {quote(folder)}")


def write_file(path: str, data: bytes) -> None:
    """Write a file, and make its folder if there is none. Raises OSError.

    A link is followed, and a file that is there keeps its permissions. What is no regular file is written to as it is.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as device:  # as it is named: a pipe of this process, as in /dev/fd/63, has no other name
            device.write(data)
        return
    real = os.path.realpath(path)
    os.makedirs(os.path.dirname(real), exist_ok=True)
    replace_file(real, data, mode=None if mode is None else stat.S_IMODE(mode))


def write_new_file(path: str, data: bytes) -> None:
    """Write a file that is not there yet, and make its folder if there is none. Raises OSError.

    Raises FileExistsError where anything is there, a link that leads nowhere included, whoever put it there when.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    create_file(path, data)
