"""A number of claims goes in; how fast a store of so many is filled and asked comes out, beside the plain way."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SIZES = (1_000, 10_000)
"""What is measured unless a size is asked for; a million takes a quarter of an hour."""


def rows(claims: int | None = None) -> Iterator[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    for count in (claims,) if claims else SIZES:
        yield from _rows(count)


def _rows(count: int) -> Iterator[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.sqlite")
        built, asked, plain = (_measure(phase, path, count) for phase in ("build", "ask", "plain"))
        size = Path(path).stat().st_size
    of = f"of {count:,} claims".replace(",", " ")
    same = sum(ours == theirs for ours, theirs in zip(asked["answers"], plain["answers"], strict=True))
    yield (
        f"search {of}, 20 best, exact: median and 95 of 100 stay below",
        f"{_beside(asked, plain, 'search', 0)}; {_beside(asked, plain, 'search', 1)}",
        "15; 600 ms",
    )
    yield "the same claims, scores and order as a plain BM25F", f"{same} of {len(plain['answers'])}", "all"
    yield (
        f"search {of} as called: misspelt words, one hop",
        f"{_shown(asked['search_and_hop'][0])}; {_shown(asked['search_and_hop'][1])}",
        "",
    )
    yield f"one hop from 20 claims {of}", f"{_shown(asked['hop'][0])}", "3 ms"
    yield f"what is held of a subject and predicate, {of}", _beside(asked, plain, "current", 0), "25 us"
    yield (
        f"storing in batches of 10 000, a claim, the last tenth {of}, beside a table and FTS5",
        f"{_shown(built['insert'])} beside {_shown(plain['insert'])} ({_shown(built['insert_wall'])} with the disk)",
        "150 us",
    )
    typo = f"a name with one typo, among {asked['names']} names, beside difflib"
    yield typo, _beside(asked, plain, "spelling", 0), "0.5 ms"
    yield f"and the right one comes first, of {asked['typos']} typos", f"{asked['right']:.3f}", "0.95"
    storing, asking, plainly = (f"{each['memory'] / 2**20:.0f} MB" for each in (built, asked, plain))
    yield (
        f"memory while storing and while asking {of} ({size / 2**20:.0f} MB on the disk), beside the plain way",
        f"{storing}, {asking} beside {plainly}",
        "200 MB",
    )


def _measure(phase: str, path: str, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.claims.measure", phase, path, str(count)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _beside(ours: dict[str, Any], theirs: dict[str, Any], name: str, place: int) -> str:
    one, other = ours[name][place], theirs[name][place]
    return f"{_shown(one)} beside {_shown(other)}, {one / other:.2f} x"


def _shown(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"


if __name__ == "__main__":
    for row in rows(int(sys.argv[1]) if sys.argv[1:] else None):
        print(*row, sep="  ")
