"""Globs go in; every way in which a name can match some of them and miss the others comes out, with such a name.

All globs are read side by side, a character at a time, as one automaton whose states are sets of positions, a bit each
(R. Baeza-Yates and G. Gonnet, "A new approach to text searching", 1992). Every state that some name leads to is visited
once, the shortest names first, so each way of matching is found with a shortest name, and none is missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grapharc.spec.frozen import frozen

MOST_STATES = 20_000
"""Globs that need more are not compared: some twenty of the form ``*a*b*`` are enough to double them endlessly."""

_LETTERS = "xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ_"
_OTHERS = "0123456789.-"


class TooTangled(Exception):
    """The globs match names in too many ways to look at each."""


@frozen
class Alphabet:
    """Of what names are made: ``first`` and ``rest`` in the order in which they are tried, and how long they get."""

    first: str
    rest: str
    longest: int


KIND_NAMES = Alphabet(_LETTERS, _LETTERS + _OTHERS, 64)
"""Kinds, by the rule for names in documents."""

ALIASES = Alphabet(_LETTERS, _LETTERS + "0123456789", 64)
"""Kinds under another name than their own, which is spelt like that of a field."""


@frozen
class NameClass:
    """Names that match the same globs: one of them, and which globs, a bit each."""

    name: str
    matched: int


def tenant_names(patterns: Sequence[str]) -> Alphabet:
    """Return the alphabet of tenants, whose names are any text: one character that no glob spells stands for all."""
    spelt = sorted({character for pattern in patterns for character in pattern} - {"*", "?"})
    spare = next(character for character in map(chr, range(ord("a"), 0x10000)) if character not in spelt)
    letters = "".join([spare, *spelt])
    return Alphabet(letters, letters, 1 << 16)


def name_classes(patterns: Sequence[str], alphabet: Alphabet = KIND_NAMES) -> tuple[NameClass, ...]:
    """Return each way in which a name matches globs, shortest names first. Raises TooTangled."""
    reader = _Reader(patterns)
    first, rest = _tried(patterns, alphabet.first), _tried(patterns, alphabet.rest)
    found: dict[int, str] = {}
    known: set[int] = set()
    level = [(reader.start, "")]
    while level and len(level[0][1]) < alphabet.longest:
        following: list[tuple[int, str]] = []
        for state, name in level:
            for character in rest if name else first:
                reached = reader.step(state, character)
                if reached in known:
                    continue
                known.add(reached)
                following.append((reached, name + character))
                found.setdefault(reader.matched(reached), name + character)
        if len(known) > MOST_STATES:
            raise TooTangled
        level = following
    return tuple(NameClass(_rounded(name, matched, reader, alphabet), matched) for matched, name in found.items())


def _tried(patterns: Sequence[str], letters: str) -> str:
    """The letters that a glob spells, and one that none does, which stands for all of those; that one first."""
    spelt = {character for pattern in patterns for character in pattern}
    spare = next((letter for letter in letters if letter not in spelt), "")
    return spare + "".join(letter for letter in letters if letter in spelt)


def _rounded(name: str, matched: int, reader: _Reader, alphabet: Alphabet) -> str:
    """Return a name of the same class that reads better than one that ends in a dot."""
    if name[-1] not in ".-" or len(name) == alphabet.longest:
        return name
    longer = name + alphabet.first[0]
    return longer if reader.read(longer) == matched else name


class _Reader:
    """Reads a name with all globs at once. A set of positions is a number; after its last position a glob matches."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._stars = 0
        self._takes: dict[str, int] = {}
        self._any = 0
        self._ends: list[int] = []
        begins, at = 0, 0
        for pattern in patterns:
            begins |= 1 << at
            for character in _without_runs(pattern):
                self._read(character, 1 << at)
                at += 1
            self._ends.append(1 << at)
            at += 1
        self.start = self._past_stars(begins)

    def step(self, state: int, character: str) -> int:
        """Return the positions after one more character."""
        taken = state & (self._takes.get(character, 0) | self._any)
        return self._past_stars((taken << 1) | (state & self._stars))

    def matched(self, state: int) -> int:
        """Return which globs match what was read, a bit each."""
        return sum(1 << number for number, end in enumerate(self._ends) if state & end)

    def read(self, name: str) -> int:
        """Return which globs match a name."""
        state = self.start
        for character in name:
            state = self.step(state, character)
        return self.matched(state)

    def _read(self, character: str, position: int) -> None:
        if character == "*":
            self._stars |= position
        elif character == "?":
            self._any |= position
        else:
            self._takes[character] = self._takes.get(character, 0) | position

    def _past_stars(self, state: int) -> int:
        return state | (state & self._stars) << 1


def _without_runs(pattern: str) -> Iterator[str]:
    before = ""
    for character in pattern:
        if not (character == "*" and before == "*"):
            yield character
        before = character
