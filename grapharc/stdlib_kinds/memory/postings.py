"""Claims go in; the words they hold, and which claims hold each, are written for search.

The postings of a word stand together by how much they count: weighted frequency, then length of the claim, then when
it was observed. All claims of one such run get exactly the same from the word, whatever the store grows to, so that
search can read the best runs and stop.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from grapharc.stdlib_kinds.memory.spelling import keys_of, number_of, squashed
from grapharc.stdlib_kinds.memory.text import weigh

_FLUSH_AT = 20_000
_AT_ONCE = 500


class Postings:
    """Collects what a transaction has to write, and writes it in the order of the tables, which is much faster."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._having: dict[str, list[tuple[int, int, int, int]]] = {}
        self._names: dict[str, None] = {}
        self._claims = self._length = 0

    def add(self, rid: int, observed: int, skey: str, texts: tuple[str, str, str]) -> None:
        """Take in a claim."""
        having = self._having
        frequencies, length = weigh(*texts)
        for word, frequency in frequencies.items():
            posting = (frequency, length, observed, rid)
            if word in having:
                having[word].append(posting)
            else:
                having[word] = [posting]
        if " " in skey:
            self._names[skey] = None
        self._claims += 1
        self._length += length
        if self._claims >= _FLUSH_AT:
            self.flush()

    def flush(self) -> None:
        """Write what was collected."""
        if not self._claims:
            return
        known = self._known_words()
        new = [word for word in self._having if word not in known]
        [(last,)] = self._connection.execute("select coalesce(max(id), 0) from term")
        made = {word: last + place for place, word in enumerate(new, start=1)}
        terms = sorted((known.get(word) or made[word], having) for word, having in self._having.items())
        write = self._connection.executemany
        write("insert into term values (?, ?, 0)", [(term, word) for word, term in made.items()])
        write("update term set df = df + ? where id = ?", [(len(having), term) for term, having in terms])
        write("insert into post values (?, ?, ?, ?, ?)", _in_order(terms))
        self._learn([*new, *self._unknown_names()])
        change = (self._claims, self._length)
        self._connection.execute("update total set claims = claims + ?, length = length + ?", change)
        self._having, self._names = {}, {}
        self._claims = self._length = 0

    def _known_words(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for some in _by_parts(self._having):
            ask = f"select t, id from term where t in ({', '.join('?' * len(some))})"
            found.update(self._connection.execute(ask, some).fetchall())
        return found

    def _unknown_names(self) -> Iterator[str]:
        for some in _by_parts(self._names):
            asked_for = f"asked (k, name) as (values {', '.join(['(?, ?)'] * len(some))})"
            ask = f"with {asked_for} select a.name from asked a cross join spell s on s.k = a.k and s.name = a.name"
            asked = [value for name in some for value in (number_of(squashed(name)), name)]
            known = {name for (name,) in self._connection.execute(ask, asked)}
            yield from (name for name in some if name not in known)

    def _learn(self, names: Iterable[str]) -> None:
        """Keep names for those who misspell them."""
        rows = sorted({(number, name) for name in names for number in keys_of(squashed(name))})
        self._connection.executemany("insert into spell values (?, ?)", rows)


def _in_order(terms: Sequence[tuple[int, list[tuple[int, int, int, int]]]]) -> Iterator[tuple[int, ...]]:
    for term, having in terms:
        having.sort()
        for frequency, length, observed, rid in having:
            yield term, frequency, length, observed, rid


def _by_parts(texts: Iterable[str]) -> Iterator[list[str]]:
    waiting = iter(texts)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some
