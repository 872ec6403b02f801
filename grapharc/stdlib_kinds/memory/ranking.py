"""A query's words go in; the claims that score best come out, exactly, without reading most of the postings.

A word's postings stand in runs that give every claim in them the same (``postings.py``). A run's claims can score no
more than that and the best that the other words give claims of the same length. So runs are read from the most that any
of their claims can score downwards, each claim's other words are looked up, and reading stops where nothing can get
among the best. Words are taken in a fixed order, rare ones first; a claim is met in the run of its first word, so the
look-ups and the most that a run can give concern later words alone. Where that takes more look-ups than it would take
to add everything up, everything is added up.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from sqlite3 import Cursor
from typing import Any

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.bm25 import contribution
from grapharc.stdlib_kinds.memory.postings import parts
from grapharc.stdlib_kinds.memory.reading_all import best_of_all
from grapharc.stdlib_kinds.memory.scored import Scored, candidates, near
from grapharc.stdlib_kinds.memory.spelling import Execute

_RUNS = """with recursive run (tf, len) as (
    select * from (select tf, len from post where part = ?2 and tid = ?1 order by tf, len limit 1)
    union all
    select coalesce(
        (select tf from post where part = ?2 and tid = ?1 and tf = run.tf and len > run.len order by len limit 1),
        (select tf from post where part = ?2 and tid = ?1 and tf > run.tf order by tf limit 1)
    ), coalesce(
        (select len from post where part = ?2 and tid = ?1 and tf = run.tf and len > run.len order by len limit 1),
        (select len from post where part = ?2 and tid = ?1 and tf > run.tf order by tf, len limit 1)
    ) from run where run.tf is not null
) select tf, len from run where tf is not null"""
_OF_RUN = "from post p where p.part = ?1 and p.tid = ?2 and p.tf = ?3 and p.len = ?4"
_LAST_FIRST = "order by p.seen desc, p.rid desc"
_LOOKED_UP = """, (select q.tf from post q where q.part = ?1 and q.tid = ?{} and q.tf in ({})
    and q.len = ?4 and q.seen = p.seen and q.rid = p.rid)"""
_CHUNKS = (32, 128, 512, 2048)
_MOST_WORDS = 1_000
"""The look-ups of so many stand beside each other in a row, for which SQLite has room for 2,000."""
_NOISE = 1e-11
"""Adding the same numbers in another order may change a score by less than this part of it."""
_PER_POSTING, _PER_CLAIM = 0.1, 0.05
"""What it takes to read a posting, and to go over a claim, when everything is added up: parts of one look-up."""


@frozen
class Word:
    """A word of a query: its number, how much it counts, and how many claims hold it."""

    term: int
    weight: float
    having: int


@frozen
class _Run:
    most: float
    word: int
    frequency: int
    length: int


def best(
    execute: Execute, words: Sequence[Word], average: float, wanted: int, condition: str, claims: int
) -> list[Scored]:
    """Return the claims that may be among the ``wanted`` best of ``claims``, those with the best scores first.

    ``condition`` is SQL over a posting ``p`` that says which claims count.
    """
    if not words or wanted < 1:
        return []
    search = _Search(execute, words, average, wanted, condition)
    enough = _PER_POSTING * sum(word.having for word in words) + _PER_CLAIM * claims
    if len(words) > _MOST_WORDS or not search.read_all(enough):
        return candidates(best_of_all(execute, search.parts, search.gains, wanted, condition, search.floor), wanted)
    return candidates(search.found(), wanted)


class _Search:
    """What is known while runs are read: the claims met so far, and the least score that matters."""

    def __init__(self, execute: Execute, words: Sequence[Word], average: float, wanted: int, condition: str) -> None:
        self._execute, self._words, self._average, self._wanted = execute, words, average, wanted
        self._condition, self._spent = condition, 0
        self._order = sorted(range(len(words)), key=lambda word: words[word].having)
        self.parts = parts(execute)
        self._holding = [self._runs_of(word) for word in words]
        self._gains = [self._gains_of(word, held) for word, held in zip(words, self._holding, strict=True)]
        self._met: dict[int, Scored] = {}
        self._top: list[float] = []
        self.least = 0.0

    @property
    def gains(self) -> list[tuple[int, Mapping[int, Mapping[int, float]]]]:
        """The words in the order of the query, with what they add by length and frequency."""
        return [(word.term, gains) for word, gains in zip(self._words, self._gains, strict=True)]

    @property
    def floor(self) -> float:
        """A score that each of the best claims reaches, however good the best of all turns out to be."""
        if len(self._top) < self._wanted:
            return 0.0
        most = [max(max(of_length.values()) for of_length in gains.values()) for gains in self._gains]
        return near(self._top[0], sum(most))

    def runs(self) -> list[_Run]:
        """Return all runs, those whose claims can score most first."""
        most: dict[int, float] = {}
        found: list[_Run] = []
        for word in reversed(self._order):
            best_of_length: dict[int, float] = {}
            for length, frequencies in self._gains[word].items():
                for frequency, gain in frequencies.items():
                    found.append(_Run(gain + most.get(length, 0.0), word, frequency, length))
                best_of_length[length] = max(frequencies.values())
            for length, gain in best_of_length.items():
                most[length] = most.get(length, 0.0) + gain
        rank = {word: place for place, word in enumerate(self._order)}
        return sorted(found, key=lambda run: (-run.most, rank[run.word], run.length, run.frequency))

    def read_all(self, enough: float) -> bool:
        """Read the runs as long as they may matter. Return whether that took no more look-ups than are ``enough``."""
        for run in self.runs():
            if run.most < self.least:
                break
            if not self._read(run, enough):
                return False
        return True

    def _read(self, run: _Run, enough: float) -> bool:
        """Score the claims of a run, the ones observed last of each part first, as long as they may matter."""
        later = [word for word in self._later(run.word) if run.length in self._gains[word]]
        ask, more = self._asking(run, later)
        of_run = (self._words[run.word].term, run.frequency, run.length, *more)
        for part in reversed(self._holding[run.word][run.length, run.frequency]):
            if run.most < self.least:  # the parts before it have settled it
                return True
            # One that stays open keeps its statement, and the next part would have to prepare the same anew.
            with closing(self._execute(ask, (part, *of_run))) as cursor:
                if not self._read_part(cursor, run, later, enough):
                    return False
        return True

    def _read_part(self, cursor: Cursor, run: _Run, later: Sequence[int], enough: float) -> bool:
        scores: dict[tuple[int | None, ...], float] = {}
        for rows in _chunks(cursor):
            for seen, rid, *frequencies in rows:
                if rid in self._met:
                    continue
                key = tuple(frequencies)
                if key not in scores:
                    scores[key] = self._sum(run, dict(zip(later, key, strict=True)))
                self._keep(Scored(scores[key], seen, rid))
            if self._is_settled(run, rows[-1][0]):
                return True
            self._spent += len(rows) * (1 + len(later))
            if self._spent > enough:
                return False
        return True

    def found(self) -> list[Scored]:
        """Return the claims met that may be among the best."""
        return [each for each in self._met.values() if each.score >= self.least]

    def _runs_of(self, word: Word) -> Mapping[tuple[int, int], Sequence[int]]:
        """The parts in which there are claims that hold a word, by their length and its frequency there."""
        found: dict[tuple[int, int], list[int]] = {}
        for part in self.parts:
            for frequency, length in self._execute(_RUNS, (word.term, part)):
                found.setdefault((length, frequency), []).append(part)
        return found

    def _gains_of(self, word: Word, held: Iterable[tuple[int, int]]) -> Mapping[int, Mapping[int, float]]:
        """What a word adds to claims, by their length and its frequency there."""
        gains: dict[int, dict[int, float]] = {}
        for length, frequency in held:
            gain = contribution(word.weight, frequency, length, self._average)
            gains.setdefault(length, {})[frequency] = gain
        return gains

    def _later(self, word: int) -> Sequence[int]:
        return self._order[self._order.index(word) + 1 :]

    def _asking(self, run: _Run, later: Sequence[int]) -> tuple[str, list[int]]:
        """SQL for the claims of a run in one part, observed last first, with how often they hold later words.

        What belongs to this run stands in parameters, those behind the run's own four, so that others share the text.
        """
        looked_up: list[str] = []
        more: list[int] = []
        for word in later:
            frequencies = self._gains[word][run.length]
            looked_up.append(_LOOKED_UP.format(len(more) + 5, ", ".join("?" * len(frequencies))))
            more += self._words[word].term, *frequencies
        return f"select p.seen, p.rid{''.join(looked_up)} {_OF_RUN} and {self._condition} {_LAST_FIRST}", more

    def _sum(self, run: _Run, frequencies: Mapping[int, int | None]) -> float:
        """Add up in the order of the query, as anybody would."""
        total = 0.0
        for word, gains in enumerate(self._gains):
            frequency = run.frequency if word == run.word else frequencies.get(word)
            if frequency is not None:
                total += gains[run.length][frequency]
        return total

    def _keep(self, scored: Scored) -> None:
        if scored.score < self.least:
            return
        self._met[scored.rid] = scored
        insort(self._top, scored.score)
        if len(self._top) > self._wanted:
            del self._top[0]
        if len(self._top) == self._wanted:
            self.least = near(self._top[0], self._top[-1])

    def _is_settled(self, run: _Run, seen: int) -> bool:
        """Whether what is left of a run, no newer than ``seen``, is beaten: by score, or by age where it could tie."""
        if run.most < self.least:
            return True
        if len(self._top) < self._wanted or run.most > self._top[0] * (1 + _NOISE):
            return False
        as_good = run.most * (1 - _NOISE)
        return sum(each.score >= as_good and each.seen > seen for each in self._met.values()) >= self._wanted


def _chunks(cursor: Cursor) -> Iterator[list[Any]]:
    sizes = iter(_CHUNKS)
    while rows := cursor.fetchmany(next(sizes, _CHUNKS[-1])):
        yield rows
