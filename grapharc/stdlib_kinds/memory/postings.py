"""Claims go in; the words they hold, and which claims hold each, are written for search.

The postings of a word stand together by how much they count: weighted frequency, then length of the claim, then when
it was observed. All claims of one such run get exactly the same from the word, whatever the store grows to, so that
search can read the best runs and stop.
"""

from __future__ import annotations

import sqlite3

from grapharc.stdlib_kinds.memory.spelling import keys_of, number_of, squashed
from grapharc.stdlib_kinds.memory.text import weigh

_FLUSH_AT = 20_000


class Postings:
    """Collects what a transaction has to write, and writes it in the order of the table, which is much faster."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._terms: dict[str, int] = {}
        self._counts: dict[int, int] = {}
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._names: dict[str, None] = {}
        self._claims = self._length = 0

    def add(self, rid: int, observed: int, skey: str, texts: tuple[str, str, str]) -> None:
        """Take in a claim."""
        frequencies, length = weigh(*texts)
        for word, frequency in frequencies.items():
            term = self._terms.get(word) or self._term(word)
            self._counts[term] = self._counts.get(term, 0) + 1
            self._rows.append((term, frequency, length, observed, rid))
        if " " in skey:
            self._names[skey] = None
        self._claims += 1
        self._length += length
        if self._claims >= _FLUSH_AT:
            self.flush()

    def flush(self) -> None:
        """Write what was collected."""
        write = self._connection.executemany
        write("insert into post values (?, ?, ?, ?, ?)", sorted(self._rows))
        write(
            "update term set df = df + ? where id = ?", [(count, term) for term, count in sorted(self._counts.items())]
        )
        for name in self._names:
            self._learn(name)
        change = (self._claims, self._length)
        self._connection.execute("update total set claims = claims + ?, length = length + ?", change)
        self._counts, self._rows, self._names = {}, [], {}
        self._claims = self._length = 0

    def _term(self, word: str) -> int:
        found = self._connection.execute("select id from term where t = ?", (word,)).fetchone()
        if found is None:
            add = "insert into term (t, df) values (?, 0) returning id"
            found = self._connection.execute(add, (word,)).fetchone()
            self._learn(word)
        self._terms[word] = found[0]
        return found[0]

    def _learn(self, name: str) -> None:
        """Keep a name for those who misspell it, unless it is kept already."""
        squash = squashed(name)
        known = "select 1 from spell where k = ? and name = ?"
        if self._connection.execute(known, (number_of(squash), name)).fetchone() is None:
            rows = [(number, name) for number in keys_of(squash)]
            self._connection.executemany("insert into spell values (?, ?)", rows)
