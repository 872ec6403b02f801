"""A name as somebody wrote it goes in; the key that all spellings of the same entity share comes out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

KEY_VERSION = 2
"""Kept in each store. Version 1 made one entity of C, C++ and C#, and of words that differ in a vowel sign."""
REMEMBERED = 16_384
LONGEST_REMEMBERED = 100
"""How many texts' keys and words are remembered, and up to how many letters: names come again, long texts do not."""

_PREDICATES = 0xFFF
_ASCII_NAME = re.compile(r"[a-z0-9]+[+#]*")


def key(text: str) -> str:
    """Fold compatibility forms and case, and make one space of whatever is no letter, digit or mark on one.

    ``+`` and ``#`` after a letter belong to the name, so that C, C++ and C# stay three. A text without any letter is
    its own key, so that no two such names fall together.
    """
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _key(text)


def _key(text: str) -> str:
    folded = fold(text)
    return " ".join(names(folded)) or folded.strip()


_remembered = lru_cache(maxsize=REMEMBERED)(_key)


def entity_keys(entities: Iterable[str]) -> list[str]:
    """Return the keys of entities, each once. One name alone is taken for what it is, and not letter by letter."""
    return list(dict.fromkeys(map(key, [entities] if isinstance(entities, str) else entities)))


def number_of(text: str) -> int:
    """Return the number of four bytes that a key is indexed by.

    Several keys may share one, so what is found by it is compared as well.
    """
    number = crc32(text.encode())
    return number - 2**32 if number >= 2**31 else number


def number_of_both(subject: int, predicate: str) -> int:
    """Return the number that a subject and a predicate are indexed by: most of one's number, and a bit of the other's.

    So it goes up with the subject's number, and claims that are written in that order go to one place after the other.
    """
    return subject & ~_PREDICATES | crc32(predicate.encode()) & _PREDICATES


def fold(text: str) -> str:
    """Fold compatibility forms and case."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def names(folded: str) -> list[str]:
    """Split a folded text into the parts that a key is made of."""
    return (_ASCII_NAME if folded.isascii() else _wide()).findall(folded)


@lru_cache(maxsize=1)
def _wide() -> re.Pattern[str]:
    return re.compile(rf"(?:[^\W_][{marks()}]*)+[+#]*")


@lru_cache(maxsize=1)
def marks() -> str:
    """Return the ranges of a character class of all marks: vowel signs and accents, which ``\\w`` leaves out."""
    found = [code for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M"]
    found += range(0xE0100, 0xE01F0)
    starts = [code for code, before in zip(found, [-1, *found], strict=False) if code != before + 1]
    ends = [code for code, after in zip(found, [*found[1:], -1], strict=False) if after != code + 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
