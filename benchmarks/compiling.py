"""Compiling a thousand nodes beside adding and compiling the same on LangGraph alone."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from benchmarks.running import admitted, document, raw
from grapharc.compiler.compile import compile_graph

NODES, ROUNDS = 1_000, 7
BAR = "1.50"


def seconds(compiling: Callable[[], object]) -> float:
    """Return the processor seconds of a call; nothing is collected."""
    gc.collect()
    gc.disable()
    start = process_time()
    compiling()
    took = process_time() - start
    gc.enable()
    return took


def measure() -> tuple[float, float]:
    """Return the processor seconds of our compiling and of LangGraph's, the least of several rounds, taken in turns."""
    ours = theirs = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        admission, loader = admitted(document(NODES), Path(folder))
        for _ in range(ROUNDS):
            ours = min(ours, seconds(lambda: compile_graph(admission, loader=loader)))
            theirs = min(theirs, seconds(lambda: raw(NODES)))
    return ours, theirs


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    ours, theirs = measure()
    return [(f"compiling {NODES} nodes, beside LangGraph", f"{ours / theirs:.2f} ({ours * 1e3:.0f} ms)", BAR)]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
