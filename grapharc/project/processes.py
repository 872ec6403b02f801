"""Pieces of work go in, what each came to comes out, in their order; each is done in a process of its own.

Nothing is shared, and nothing depends on which process is done first. Where one is lost its piece comes back as None,
and whoever asked does it himself.
"""

from __future__ import annotations

import copyreg
import os
import pickle
from collections.abc import Callable, Sequence
from io import BytesIO
from types import MappingProxyType
from typing import TypeVar

PieceT = TypeVar("PieceT")
DoneT = TypeVar("DoneT")


def cores() -> int:
    """Return how many processes the system lets us run at one time."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(work: Callable[[PieceT], DoneT], pieces: Sequence[PieceT]) -> list[DoneT | None]:
    """Do pieces of work side by side; what a piece came to must be a value that can be pickled."""
    begun = [_begin(work, piece) for piece in pieces]
    done: list[DoneT | None] = []
    for child, reading in begun:
        with open(reading, "rb") as file:
            data = file.read()
        _, status = os.waitpid(child, 0)
        # Only our own child writes to the pipe.
        done.append(pickle.loads(data) if status == 0 else None)  # noqa: S301
    return done


def _begin(work: Callable[[PieceT], DoneT], piece: PieceT) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    # Whatever happens here, the child must end here, and say nothing.
    code = 1
    try:
        os.close(reading)
        data = _pickled(work(piece))
        while data:
            data = data[os.write(writing, data) :]
        code = 0
    finally:
        os._exit(code)


def _pickled(value: object) -> memoryview:
    held = BytesIO()
    pickler = pickle.Pickler(held, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = copyreg.dispatch_table.copy()
    pickler.dispatch_table[MappingProxyType] = lambda mapping: (dict, (dict(mapping),))
    pickler.dump(value)
    return held.getbuffer()
