"""Claims go in; the words they hold, and which claims hold each, are written for search.

The postings of a word stand together by how much they count: weighted frequency, then length of the claim, then when
it was observed. All claims of one such run get exactly the same from the word, whatever the store grows to, so that
search can read the best runs and stop.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from operator import itemgetter

from grapharc.stdlib_kinds.memory.keys import number_of
from grapharc.stdlib_kinds.memory.spelling import keys_of, squashed
from grapharc.stdlib_kinds.memory.text import weigh

_AT_ONCE = 500
_first = itemgetter(0)


class Postings:
    """Collects what a transaction has to write, and writes it in the order of the tables, which is much faster."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._having: dict[str, array[int]] = {}
        self._names: dict[str, int] = {}
        self.claims = self._length = 0

    def add(self, rid: int, observed: int, skey: str, texts: tuple[str, str, str]) -> None:
        """Take in a claim."""
        having = self._having
        frequencies, length = weigh(*texts)
        for word, frequency in frequencies.items():
            posting = (frequency, length, observed, rid)
            if word in having:
                having[word].extend(posting)
            else:
                having[word] = array("q", posting)
        if " " in skey:
            self._names.setdefault(skey, rid)
        self.claims += 1
        self._length += length

    def flush(self) -> None:
        """Write what was collected; the claims themselves have been written."""
        if not self.claims:
            return
        known = self._known_words()
        new = [word for word in self._having if word not in known]
        [(last,)] = self._connection.execute("select coalesce(max(id), 0) from term")
        made = {word: last + place for place, word in enumerate(new, start=1)}
        terms = sorted(((known.get(word) or made[word], having) for word, having in self._having.items()), key=_first)
        write = self._connection.executemany
        write("insert into term values (?, ?, 0)", [(term, word) for word, term in made.items()])
        write("update term set df = df + ? where id = ?", [(len(having) // 4, term) for term, having in terms])
        write("insert into post values (?, ?, ?, ?, ?)", _in_order(terms))
        self._learn([*new, *self._unknown_names()])
        change = (self.claims, self._length)
        self._connection.execute("update total set claims = claims + ?, length = length + ?", change)
        self._having, self._names = {}, {}
        self.claims = self._length = 0

    def _known_words(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for some in _by_parts(self._having):
            ask = f"select t, id from term where t in ({', '.join('?' * len(some))})"
            found.update(self._connection.execute(ask, some).fetchall())
        return found

    def _unknown_names(self) -> Iterator[str]:
        """The names that no claim before these was about: those have been learned."""
        for some in _by_parts(sorted(self._names, key=number_of)):
            asked = f"with asked (number, name, rid) as (values {', '.join(['(?, ?, ?)'] * len(some))})"
            before = "c.subject_number = asked.number and c.skey = asked.name and c.rid < asked.rid"
            found = [value for name in some for value in (number_of(name), name, self._names[name])]
            for (name,) in self._connection.execute(
                f"{asked} select name from asked where not exists (select 1 from claim c where {before})", found
            ):
                yield name

    def _learn(self, names: Iterable[str]) -> None:
        """Keep names for those who misspell them."""
        rows = sorted({(number, name) for name in names for number in keys_of(squashed(name))})
        self._connection.executemany("insert into spell values (?, ?)", rows)


def _in_order(terms: Sequence[tuple[int, array[int]]]) -> Iterator[tuple[int, ...]]:
    for term, having in terms:
        number = iter(having)
        yield from sorted(zip(repeat(term), number, number, number, number, strict=False))


def _by_parts(texts: Iterable[str]) -> Iterator[list[str]]:
    waiting = iter(texts)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some
