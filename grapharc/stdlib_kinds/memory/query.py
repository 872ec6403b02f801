"""A query as it was written goes in; the words that the store knows of it come out, misspelt ones put right."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.bm25 import idf
from grapharc.stdlib_kinds.memory.keys import key
from grapharc.stdlib_kinds.memory.ranking import Word
from grapharc.stdlib_kinds.memory.spelling import Execute, nearest
from grapharc.stdlib_kinds.memory.text import words

SPELLING_WEIGHT = 0.8
"""How much a word counts that was not written so."""
_GUESSES = 3


@frozen
class Query:
    """The words to search for, in the order they were written; ``guessed`` are those that were not written so.

    ``claims`` is how many there are, ``average`` their average weighted length.
    """

    words: Mapping[str, Word]
    guessed: frozenset[str]
    claims: int
    average: float

    @property
    def weights(self) -> Mapping[str, float]:
        """How much each word counts."""
        return {text: word.weight for text, word in self.words.items()}

    @property
    def is_a_guess(self) -> bool:
        """Whether nothing that was written is known."""
        return len(self.guessed) == len(self.words)


def understand(execute: Execute, text: str, spelling: bool) -> Query:
    """Look a query's words up. Repeated words count once; those that no claim holds are taken for misspelt ones."""
    claims, length = execute("select claims, length from total", ()).fetchone()
    known: dict[str, tuple[int, int]] = {}
    guessed: dict[str, None] = {}
    for word in dict.fromkeys(words(text)):
        found = _look_up(execute, word)
        if found is not None:
            known[word] = found
        elif spelling:
            guessed.update(dict.fromkeys(_meant(execute, text, word)))
    for word in guessed:
        if word not in known and (found := _look_up(execute, word)) is not None:
            known[word] = found
    guesses = frozenset(guessed) - frozenset(words(text))
    return Query(
        {
            word: Word(term, idf(claims, having) * _weight(word, guesses), having)
            for word, (term, having) in known.items()
        },
        guesses & known.keys(),
        claims,
        length / claims if claims else 1.0,
    )


def _look_up(execute: Execute, word: str) -> tuple[int, int] | None:
    return execute("select id, df from term where t = ?", (word,)).fetchone()


def _meant(execute: Execute, text: str, word: str) -> list[str]:
    """Return the words of the names that a word, or the whole query, may be a misspelling of."""
    near = nearest(execute, key(text), _GUESSES) or nearest(execute, word, _GUESSES)
    return [part for name in near for part in words(name)]


def _weight(word: str, guesses: frozenset[str]) -> float:
    return SPELLING_WEIGHT if word in guesses else 1.0
