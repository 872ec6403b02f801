"""A name that was not found and the names there are go in; the one that was probably meant comes out, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

_LARGE = 400
"""Above this many names a vocabulary is searched by index, so that many misspelt names stay linear work."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the known name nearest to ``name``, or "" where none is near. Ties go to the first in sorted order."""
    names = known if isinstance(known, Collection) else tuple(known)
    return (Vocabulary(names) if len(names) <= _LARGE else _large(names)).nearest(name)


class Vocabulary:
    """The names of one closed vocabulary, for those that look up more than one."""

    def __init__(self, known: Iterable[str]) -> None:
        self._names = sorted(set(known))
        self._index: dict[str, list[str]] | None = None

    def nearest(self, name: str) -> str:
        """Return the name that ``name`` was probably meant to be, or ""."""
        wanted = _plain(name)
        if not wanted:
            return ""
        candidates = self._names if len(self._names) <= _LARGE else self._near(wanted)
        best, limit = "", _tolerance(wanted) + 1
        for known in candidates:
            found = _distance_of(wanted, _plain(known), limit)
            if found < limit and known != name:
                best, limit = known, found
        return best

    def _near(self, wanted: str) -> list[str]:
        """The names of a large vocabulary that share a form with one character less, or a last part."""
        if self._index is None:
            self._index = {}
            for known in self._names:
                for form in _forms(_plain(known)):
                    self._index.setdefault(form, []).append(known)
        return sorted({known for form in _forms(wanted) for known in self._index.get(form, ())[:_LARGE]})


_last: list[tuple[Collection[str], int, Vocabulary]] = []
"""The large collection that was looked at last: many names may be looked up in one, which is indexed once."""


def _large(names: Collection[str]) -> Vocabulary:
    if not (_last and _last[0][0] is names and _last[0][1] == len(names)):
        _last[:] = [(names, len(names), Vocabulary(names))]
    return _last[0][2]


def _plain(name: str) -> str:
    """How a name sounds: without case and separators, but with the dots between its parts."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _tolerance(name: str) -> int:
    return min(3, (len(name) + 1) // 3)


def _forms(name: str) -> Iterator[str]:
    yield name
    yield _last_part(name)
    for index in range(len(name)):
        yield name[:index] + name[index + 1 :]


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _distance_of(wanted: str, known: str, limit: int) -> int:
    """The edit distance; one where only the family before the last dot differs or was left out."""
    if wanted == known:
        return 0
    if _last_part(wanted) == _last_part(known):
        return 1
    return _edits(wanted, known, limit)


def _edits(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two texts; ``limit`` if no fewer."""
    if abs(len(left) - len(right)) >= limit:
        return limit
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit:
            return limit
    return min(row[-1], limit)
