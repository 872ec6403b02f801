"""Claims go in; the words they hold, and which claims hold each, are written for search.

The postings of a word stand together by how much they count: weighted frequency, then length of the claim, then when
it was observed. All claims of one such run get exactly the same from the word, whatever the store grows to, so that
search can read the best runs and stop.

The postings of some hundred thousand claims make a part, which is written no more when the next one begins. A batch
holds postings of most words, and would write nearly all pages of a store of any size if words were not kept in parts.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from operator import itemgetter
from typing import TypeAlias, TypeVar

from grapharc.stdlib_kinds.memory.keys import number_of
from grapharc.stdlib_kinds.memory.spelling import Execute, keys_of, squashed
from grapharc.stdlib_kinds.memory.text import weigh

Item = TypeVar("Item")
PART_BITS = 17
"""How many bits of a claim's row do not count for its part. More makes storing dearer, fewer makes searching so."""
_AT_ONCE = 500
_PARTS = """with recursive found (part) as (
    select min(part) from post union all select (select min(part) from post where part > found.part) from found
    where found.part is not null
) select part from found where part is not null"""
_first = itemgetter(0)
_Numbers: TypeAlias = list[int]
"""Of one posting after the other: weighted frequency, length of the claim, when it was observed, its row."""


def parts(execute: Execute) -> list[int]:
    """Return the numbers of all parts that there are postings in, in their order."""
    return [part for (part,) in execute(_PARTS, ())]


class Postings:
    """Collects what a transaction has to write, and writes it in the order of the tables, which is much faster."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._having: defaultdict[str, _Numbers] = defaultdict(list)
        self._names: set[str] = set()
        self.claims = self._length = 0

    def add(self, rid: int, observed: int, skey: str, texts: tuple[str, str, str]) -> None:
        """Take in a claim."""
        having = self._having
        frequencies, length = weigh(*texts)
        for word, frequency in frequencies.items():
            having[word] += (frequency, length, observed, rid)
        if " " in skey:
            self._names.add(skey)
        self.claims += 1
        self._length += length

    def flush(self) -> None:
        """Write what was collected."""
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
        write(f"insert into post values (?5 >> {PART_BITS}, ?1, ?2, ?3, ?4, ?5)", _in_order(terms))
        self._learn([*new, *self._unknown_names()])
        change = (self.claims, self._length)
        self._connection.execute("update total set claims = claims + ?, length = length + ?", change)
        self._having.clear()
        self._names.clear()
        self.claims = self._length = 0

    def _known_words(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for some in _by_parts(self._having):
            ask = f"select t, id from term where t in ({', '.join('?' * len(some))})"
            found.update(self._connection.execute(ask, some).fetchall())
        return found

    def _unknown_names(self) -> Iterator[str]:
        """The names that were not learned yet: those that stand under a number of their own were."""
        for some in _by_parts(sorted((number_of(squashed(name)), name) for name in self._names)):
            ask = f"select name from spell where k in ({', '.join(str(number) for number, _ in some)})"
            known = {name for (name,) in self._connection.execute(ask)}
            yield from (name for _, name in some if name not in known)

    def _learn(self, names: Iterable[str]) -> None:
        """Keep names for those who misspell them."""
        rows = sorted({(number, name) for name in names for number in keys_of(squashed(name))})
        self._connection.executemany("insert into spell values (?, ?)", rows)


def _in_order(terms: Sequence[tuple[int, _Numbers]]) -> Iterator[tuple[int, ...]]:
    for term, having in terms:
        number = iter(having)
        yield from sorted(zip(repeat(term), number, number, number, number, strict=False))


def _by_parts(found: Iterable[Item]) -> Iterator[list[Item]]:
    waiting = iter(found)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some
