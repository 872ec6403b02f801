"""A text goes in; the words that search knows it by come out, and how often each of a claim's words counts."""

from __future__ import annotations

import re
from functools import lru_cache

from grapharc.stdlib_kinds.memory.keys import LONGEST_REMEMBERED, REMEMBERED, fold, marks

SUBJECT_WEIGHT, PREDICATE_WEIGHT, OBJECT_WEIGHT = 3, 1, 2
"""How much a word counts by where it stands: what a claim is about says most about it."""

# A sign after a name belongs to it (C++, C#), and one between two words (README.md#L3) does not.
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:[+#]+(?![a-z0-9]))?")


def words(text: str) -> tuple[str, ...]:
    """Split a text into folded words, plurals made singular."""
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _words(text)


def _words(text: str) -> tuple[str, ...]:
    folded = fold(text)
    found = (_ASCII_WORD if folded.isascii() else _wide_word()).findall(folded)
    return tuple([singular(word) if word[-1] == "s" else word for word in found])


_remembered = lru_cache(maxsize=REMEMBERED)(_words)


def singular(word: str) -> str:
    """Take an English plural's ending off; ``redis``, ``status`` and ``access`` have none."""
    if not word.endswith("s") or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) >= 5:
        return word[:-3] + "y"
    return word if word.endswith(("ss", "us", "is", "os")) else word[:-1]


def weigh(subject: str, predicate: str, what: str) -> tuple[dict[str, int], int]:
    """Return each word's weighted frequency in a claim, in the order of first appearance, and the weighted length."""
    frequencies: dict[str, int] = {}
    length = 0
    for text, weight in ((subject, SUBJECT_WEIGHT), (predicate, PREDICATE_WEIGHT), (what, OBJECT_WEIGHT)):
        found = words(text)
        length += weight * len(found)
        for word in found:
            frequencies[word] = frequencies.get(word, 0) + weight
    return frequencies, length


@lru_cache(maxsize=1)
def _wide_word() -> re.Pattern[str]:
    return re.compile(rf"(?:[^\W_][{marks()}]*)+(?:[+#]+(?![^\W_]))?")
