"""Our work and the same done by others go in; the ratio of their times comes out, both taken in turns."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

Work: TypeAlias = Callable[[], object]


@dataclass(frozen=True)
class Bench:
    """What is compared: ``bar`` is the greatest ratio of ours to theirs that is good enough.

    ``factor`` is how many times theirs ours is compared with. ``clock`` counts seconds: of this process's processor
    time, or ``time.perf_counter`` for work that waits or runs elsewhere.
    """

    what: str
    ours: Work
    theirs: Work
    bar: float
    factor: int = 1
    rounds: int = 9
    clock: Callable[[], float] = time.process_time


def row(bench: Bench) -> tuple[str, str, str]:
    """Measure, and return a line of the table.

    Noise only ever adds, so the least of each side's times is what counts; the median of the rounds' ratios is told
    beside it. A first round warms up and counts for nothing.
    """
    pairs = [_both(bench, turn) for turn in range(bench.rounds + 1)][1:]
    ours, theirs = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs) * bench.factor
    middle = median(pair[0] / (pair[1] * bench.factor) for pair in pairs)
    over = ", over" if ours > bench.bar * theirs else ""
    measured = f"{ours / theirs:.2f} x (median {middle:.2f}; {_shown(ours)} beside {_shown(theirs)}{over})"
    return bench.what, measured, f"{bench.bar:g} x"


def _both(bench: Bench, turn: int) -> tuple[float, float]:
    if turn % 2:
        theirs = _time(bench.theirs, bench.clock)
        return _time(bench.ours, bench.clock), theirs
    return _time(bench.ours, bench.clock), _time(bench.theirs, bench.clock)


def _time(work: Work, clock: Callable[[], float]) -> float:
    gc.collect()
    start = clock()
    work()
    return clock() - start


def _shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.0f} ms"
