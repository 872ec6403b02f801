"""Paths and a glob go in; those that it matches come out, as it would match them on a disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase


def matching(pattern: str, paths: Iterable[str]) -> list[str]:
    """Return the matching paths, sorted: ``**`` is any number of folders, and only a dot matches a hidden name."""
    steps = [step for step in pattern.split("/") if step not in ("", ".")]
    return sorted(path for path in paths if _fits(steps, path.split("/")))


def _fits(steps: Sequence[str], names: Sequence[str]) -> bool:
    """Tell whether a glob matches a path. All ways of matching go on at once, so that none is tried twice."""
    reached = {0}
    for number, step in enumerate(steps):
        if step == "**" and number == len(steps) - 1:
            return any(all(map(_is_plain, names[here:])) for here in reached if here < len(names))
        reached = {after for here in reached for after in _after(step, names, here)}
    return len(names) in reached


def _after(step: str, names: Sequence[str], here: int) -> Iterator[int]:
    if step != "**":
        if here < len(names) and (_is_plain(names[here]) or step.startswith(".")) and fnmatchcase(names[here], step):
            yield here + 1
        return
    yield here
    while here < len(names) and _is_plain(names[here]):
        here += 1
        yield here


def _is_plain(name: str) -> bool:
    return not name.startswith(".")
