"""Looking citations up in a long source: making it ready once, then every place where a citation stands."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from random import Random
from statistics import quantiles
from time import process_time

from grapharc.verification import Anchor, Folded

CHARS, CITATIONS, ROUNDS = 400_000, 200, 5
REPEATED = "This sentence stands in many places of the source."
BARS = {"fold": "80 ms", "find": "0.2 ms"}


def source(chars: int = CHARS) -> str:
    """Return a text of lines of words; one sentence stands in forty places of it."""
    chance = Random(11)  # noqa: S311
    words = [f"{chance.choice('abcdefghij')}{chance.randrange(4000)}" for _ in range(chars // 5)]
    for place in range(40):
        words[place * len(words) // 40] = REPEATED.replace(" ", "\n", 1)
    return textwrap.fill(" ".join(words), 80)[:chars]


def citations(text: str) -> list[str]:
    """Return sentences that stand somewhere, some that stand nowhere, and the one that stands in many places."""
    chance = Random(12)  # noqa: S311
    found = [REPEATED]
    for number in range(CITATIONS - 1):
        start = chance.randrange(len(text) - 200)
        quote = " ".join(text[start : start + chance.randrange(20, 160)].split())
        found.append(quote if number % 4 else f"{quote} and not")
    return found


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    text = source()
    folded = Folded(text)
    folding = _least(lambda: Folded(text))
    wanted = citations(text)
    times = sorted(_least(lambda quote=quote: _whole(folded.find(quote))) for quote in wanted)
    places = sum(len(folded.find(quote).occurrences) for quote in wanted)
    middle, high = quantiles(times, n=20)[9], quantiles(times, n=20)[18]
    what = f"all occurrences of a citation in {CHARS // 1000} KB ({len(wanted)} citations, {places} places)"
    return [
        (f"folding {CHARS // 1000} KB once", f"{folding * 1e3:.0f} ms", BARS["fold"]),
        (what, f"p50 {middle * 1e3:.3f} ms, p95 {high * 1e3:.3f} ms, most {times[-1] * 1e3:.3f} ms", BARS["find"]),
    ]


def _whole(anchor: Anchor) -> int:
    return len(anchor.occurrences)


def _least(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
