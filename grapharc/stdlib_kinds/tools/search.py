"""A pattern goes in; the paths or the lines of the workspace that match come out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from grapharc.runtime.workspace import Workspace, WorkspaceEscape
from grapharc.spec.json_value import Json
from grapharc.spec.patterns import matches
from grapharc.stdlib_kinds.tools.files import MAX_BYTES, FileContext

MAX_MATCHES = 1000
"""A search that finds more ends as an error: its pattern says too little."""
MAX_LINE = 500
"""Characters of a found line that are returned."""


class TooManyMatches(Exception):
    """More than :data:`MAX_MATCHES` places match. ``pattern`` as given."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern = pattern

    def __str__(self) -> str:
        return f"'{self.pattern}' matches in more than {MAX_MATCHES} places, a narrower pattern would be right"


def find_paths(*, pattern: str, root: str, ctx: FileContext) -> dict[str, Json]:
    """Return the ``paths`` of files that match, sorted and relative to ``root``."""
    return {"paths": _limited(pattern, _matching(ctx.workspace.beneath(root), pattern, root))}


def find_lines(*, pattern: str, root: str, glob: str, ctx: FileContext) -> dict[str, Json]:
    """Return the ``matches`` in text files whose paths match ``glob``: path, line from 1 and the line's text."""
    workspace = ctx.workspace.beneath(root)
    found = (match for path in _matching(workspace, glob, root) for match in _lines(workspace, path, pattern))
    return {"matches": _limited(pattern, found)}


def _limited(pattern: str, found: Iterator[Json]) -> list[Json]:
    kept: list[Json] = []
    for match in found:
        if len(kept) == MAX_MATCHES:
            raise TooManyMatches(pattern)
        kept.append(match)
    return kept


def _matching(workspace: Workspace, pattern: str, root: str) -> Iterator[str]:
    parts = pattern.split("/")
    if pattern.startswith("/") or ".." in parts:
        raise WorkspaceEscape(pattern, root)
    fits = _path_matcher(parts)
    return (path for path in _walk(workspace, "") if fits(path))


def _walk(workspace: Workspace, folder: str) -> Iterator[str]:
    """Yield the files beneath a folder in the order of their paths, without links and what is kept from kinds."""
    descriptor = workspace.open_folder(folder or ".")
    try:
        with os.scandir(descriptor) as found:
            entries = sorted(
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                for entry in found
            )
    finally:
        os.close(descriptor)
    for name, is_folder, is_file in entries:
        path = f"{folder}/{name}" if folder else name
        if workspace.keeps(path) is not None:
            continue
        if is_folder:
            yield from _walk(workspace, path)
        elif is_file:
            yield path


def _path_matcher(parts: list[str]) -> Callable[[str], bool]:
    """``*`` and ``?`` stay within a part of the path, ``**`` takes any number of parts.

    The translation has no nested repetition over the same characters, but ``re`` may still backtrack: the pattern is
    matched by RE2.
    """
    expression = "^"
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            expression += ".*" if last else "(?:[^/]+/)*"
        else:
            expression += "".join({"*": "[^/]*", "?": "[^/]"}.get(c, re.escape(c)) for c in part) + (
                "" if last else "/"
            )
    return lambda path: matches(expression + "$", path)


def _lines(workspace: Workspace, path: str, pattern: str) -> Iterator[Json]:
    descriptor = workspace.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES or b"\0" in data:
        return
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if matches(pattern, line):
            yield {"path": path, "line": number, "text": line[:MAX_LINE]}
