"""Questions about the file system go in, answers come out, and what was answered is kept: it is all that a check saw.

A verdict that was kept holds as long as every answer is still the same, so whatever a check asks of the file system it
asks here: what a file holds, whether one is there, where a link leads, what lies beneath a folder. A check that finds
its verdict kept comes by here, so this imports nothing that an interpreter has not imported already.
"""

from __future__ import annotations

import os
import stat

from grapharc.spec.globs import matches
from grapharc.spec.hashing import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias, TypeVar

    Answer: TypeAlias = bool | str | bytes | list[str]
    T = TypeVar("T", bound=Answer)

MOST = 16 * 1024 * 1024 + 1
"""No more of a file is read than it takes to tell that it is too large for a document."""

SUFFIXES = (".toml", ".json")


class Disk:
    """Answers, and remembers. ``seen`` has an answer for each question: what was asked, and of which path.

    ``is_steady`` until a question is answered in two ways: then what was made of the answers holds for neither.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], Answer] = {}
        self.is_steady = True

    def exists(self, path: str) -> bool:
        """Tell whether something is there."""
        return self._kept("exists", path, os.path.exists(path))

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is there."""
        return self._kept("folder", path, os.path.isdir(path))

    def real(self, path: str) -> str:
        """Return where a path leads, links resolved."""
        return self._kept("real", path, os.path.realpath(path))  # each time anew: a link may change meanwhile

    def read(self, path: str) -> bytes:
        """Return what stands in a file, at most MOST bytes. Raises OSError, and ValueError for a path that is none."""
        try:
            data = read_most(path)
        except (OSError, ValueError) as error:
            self._kept("read", path, _words(error))
            raise
        self._kept("read", path, _digest(data))
        return data

    def beneath(self, folder: str) -> list[str]:
        """List every file beneath a folder that could be a document, in order; hidden folders are left out."""
        return self._kept("beneath", folder, list(_beneath(folder)))

    def matching(self, pattern: str, root: str) -> list[str]:
        """List the files of a folder that a glob matches, as posix paths from there, in order."""
        return self._kept("matching", f"{pattern}\0{root}", matching_files(pattern, root))

    def wrote(self, path: str, data: bytes) -> None:
        """Remember what was written to a file: while it stands there, nothing need be written."""
        self.seen["read", path] = _digest(data)

    def take_over(self, seen: Mapping[tuple[str, str], Answer]) -> None:
        """Remember what another process was answered too."""
        for (question, path), answer in seen.items():
            self._kept(question, path, answer)

    def _kept(self, question: str, path: str, answer: T) -> T:
        if self.seen.setdefault((question, path), answer) != answer:
            self.is_steady = False
        return answer


def still_so(seen: dict[tuple[str, str], Answer]) -> bool:
    """Tell whether every question is still answered as it was."""
    return all(_answer(question, path) == answer for (question, path), answer in seen.items())


def read_most(path: str) -> bytes:
    """Return what stands in a file, at most MOST bytes; a named pipe is not waited for. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it is not a file")
        parts: list[bytes] = []
        left = MOST
        while left and (part := os.read(handle, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _answer(question: str, path: str) -> Answer:
    match question:
        case "exists":
            return os.path.exists(path)
        case "folder":
            return os.path.isdir(path)
        case "real":
            return os.path.realpath(path)
        case "read":
            try:
                return _digest(read_most(path))
            except (OSError, ValueError) as error:
                return _words(error)
        case "beneath":
            return list(_beneath(path))
        case _:
            pattern, _, root = path.partition("\0")
            return matching_files(pattern, root)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=20).digest()


def _words(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _beneath(folder: str) -> Iterator[str]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(where, name) for name in sorted(files) if name.endswith(SUFFIXES))


def matching_files(pattern: str, root: str) -> list[str]:
    if "[" in pattern:
        from glob import glob  # six milliseconds for what hardly anybody writes

        found = set(glob(pattern, root_dir=root, recursive=True))
        found = {path.replace(os.sep, "/") for path in found}
    else:
        found = set(_expanded(pattern.split("/"), "", root))
    return sorted(path for path in found if os.path.isfile(os.path.join(root, path)))


def _expanded(parts: list[str], before: str, root: str) -> Iterator[str]:
    """Yield what the parts of a glob lead to, as the standard library's does: no wildcard means a hidden name."""
    first, *rest = parts
    if first == "**":
        for folder in ("", *_folders(os.path.join(root, before), set())):
            here = f"{before}{folder}/" if folder else before
            yield from _expanded(rest or ["*"], here, root)
    elif "*" in first or "?" in first:
        for name in _names(os.path.join(root, before)):
            if matches(first, name) and (first.startswith(".") or not name.startswith(".")):
                yield from _expanded(rest, f"{before}{name}/", root) if rest else [f"{before}{name}"]
    else:
        yield from _expanded(rest, f"{before}{first}/", root) if rest else [f"{before}{first}"]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")
    except OSError:
        return []


def _folders(top: str, above: set[str]) -> Iterator[str]:
    """Yield every folder beneath one, hidden ones left out; a link that leads back up is not followed round."""
    real = os.path.realpath(top)
    if real in above:
        return
    for name in _names(top):
        inner = os.path.join(top, name)
        if not name.startswith(".") and os.path.isdir(inner):
            yield name
            for below in _folders(inner, above | {real}):
                yield f"{name}/{below}"
