"""A command line goes in; if it was checked before, and all that the check saw is still so, what it said comes out.

A verdict is kept under all that it depends on: the command line, the working directory, the environment, the day, this
very build. Beside it stands every answer that the file system gave, what was not there included; one that differs, and
the verdict is made anew. Verdicts stand in the project's ``.grapharc_cache``, where anybody could place one, by a pull
request for instance. So each is sealed with a secret that stands in the user's own cache folder, and one whose seal is
not ours is none. Without a project document verdicts stand beside the secret.

All this is on the way of a check that need not be made, so it imports next to nothing.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time

from grapharc.project.cache_folder import cache_folder
from grapharc.project.disk import Disk, still_so
from grapharc.runtime.atomic import create_file, replace_file
from grapharc.spec.hashing import blake2b
from grapharc.spec.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FOLDER = ".grapharc_cache"
MOST_BYTES = 8 * 1024 * 1024
"""A larger verdict is not kept: to read it again would take about as long as to make it."""
MOST_VERDICTS = 200
"""Of more than so many the oldest are thrown away."""

_MARK = b"grapharc verdict 1\n"
_SEAL = 32
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ROOMS = ("cli", "policy", "project", "runtime", "spec", "stdlib_kinds")
_LIBRARIES = ("click", "google_re2", "jsonschema", "lark", "pydantic_core", "re2", "referencing")
_CONFIG = "--config"


class Verdicts:
    """The verdicts of one command line: finds the one that was kept, and keeps one. ``disk`` is what the check asks."""

    def __init__(self, folder: str, secret: bytes, request: bytes) -> None:
        self._folder, self._secret, self._request = folder, secret, request
        self.disk = Disk()

    def find(self) -> Verdict | None:
        """Return what was said the last time, if it would be said again."""
        data = _read(self._path)
        start = len(_MARK) + _SEAL
        content = data[start:]
        if data[: len(_MARK)] != _MARK or data[len(_MARK) : start] != self._seal(content):
            return None
        # Only what this user's own checks have sealed gets here, so its shape is the one that it had.
        request, seen, code, text = marshal.loads(content)  # noqa: S302
        return Verdict(code, text) if request == self._request and still_so(seen) else None

    def keep(self, verdict: Verdict) -> None:
        """Keep what was said; where that cannot be done, or files changed under the check, nothing is kept."""
        if not self.disk.is_steady:
            return
        content = marshal.dumps((self._request, self.disk.seen, verdict.exit, verdict.text))
        if len(content) > MOST_BYTES:
            return
        try:
            _make_room(self._folder)
            replace_file(self._path, _MARK + self._seal(content) + content, mode=0o600, lasting=False)
        except OSError:
            return

    @property
    def _path(self) -> str:
        return os.path.join(self._folder, f"{blake2b(self._request, digest_size=12).hexdigest()}.verdict")

    def _seal(self, content: bytes) -> bytes:
        return blake2b(content, digest_size=_SEAL, key=self._secret).digest()


class Verdict:
    """What a check said: its exit code, and the text on standard output."""

    def __init__(self, exit: int, text: str) -> None:  # noqa: A002
        self.exit, self.text = exit, text


def open_verdicts(arguments: Sequence[str], environ: Mapping[str, str]) -> Verdicts | None:
    """Return the verdicts of a command line; None where it asks for no check, or for one that cannot be kept."""
    if not _is_check(arguments):
        return None
    home = cache_folder(environ)
    try:
        working = os.getcwd()
        secret = secret_in(home) if home is not None else None
    except OSError:
        return None
    if home is None or secret is None:
        return None
    config = _config(arguments, environ)
    root = os.path.dirname(os.path.abspath(config)) if config else working
    is_project = bool(config) or os.path.exists("grapharc.toml")
    folder = os.path.join(root, FOLDER) if is_project else os.path.join(home, "verdicts")
    if os.path.islink(folder):  # it could lead anywhere
        return None
    return Verdicts(folder, secret, _request(arguments, environ, working))


def secret_in(home: str) -> bytes | None:
    """Return the user's secret, made when there is none; None where it cannot be kept to oneself. Raises OSError.

    The folder may be named in the environment and stand in the project, as pipelines want it. One that came with the
    project is not ours: git keeps no file from being read by others.
    """
    path = os.path.join(home, "secret")
    for _ in range(2):
        data, is_ours = _read_own(path)
        if len(data) == _SEAL:
            return data if is_ours else None
        os.makedirs(home, mode=0o700, exist_ok=True)
        if data:  # damaged; what was sealed with it counts for nothing any more
            os.unlink(path)
        try:
            create_file(path, os.urandom(_SEAL), mode=0o600, lasting=False)
        except FileExistsError:
            continue  # another process made one at the same time
    return None


def _is_check(arguments: Sequence[str]) -> bool:
    if not arguments or "--no-cache" in arguments or "-" in arguments:
        return False
    # They go past the disk, or go on.
    if any(argument.startswith(("--input-file", "--fix", "--wat")) for argument in arguments):
        return False
    return arguments[0] == "check" or (arguments[0] == "run" and "--check-only" in arguments)


def _config(arguments: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """The project document as the command line seems to name it; it only decides where verdicts stand."""
    for index, argument in enumerate(arguments):
        if argument == _CONFIG and index + 1 < len(arguments):
            return arguments[index + 1]
        if argument.startswith(f"{_CONFIG}="):
            return argument.partition("=")[2]
    return environ.get("GRAPHARC_CONFIG") or None


def _request(arguments: Sequence[str], environ: Mapping[str, str], working: str) -> bytes:
    """All that a verdict depends on and that is no file."""
    ours = sorted((name, value) for name, value in environ.items() if name.upper().startswith("GRAPHARC_"))
    stream = sys.stdout
    shown = (stream.isatty(), stream.encoding, environ.get("NO_COLOR"), environ.get("TERM"))
    # Not marshalled: how that writes a value depends on who else holds it.
    return repr((list(arguments), working, ours, shown, time.localtime()[:3], _build())).encode(
        "utf-8", "surrogatepass"
    )


def _build() -> list[str | int]:
    """Tell builds apart: any file of ours, and any library, may change what is said."""
    newest = size = count = 0
    waiting = [os.path.join(_PACKAGE, room) for room in _ROOMS]
    while waiting:
        for entry in _entries(waiting.pop()):
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("__"):
                    waiting.append(entry.path)
                continue
            found = entry.stat()
            newest, size, count = max(newest, found.st_mtime_ns), size + found.st_size, count + 1
    return [VERSION, sys.version, _PACKAGE, newest, size, count, *(_changed(name) for name in _LIBRARIES)]


def _entries(folder: str) -> Iterable[os.DirEntry[str]]:
    try:
        return os.scandir(folder)
    except OSError:
        return ()


def _changed(library: str) -> int:
    for folder in sys.path:
        try:
            return os.stat(os.path.join(folder, library)).st_mtime_ns
        except OSError:
            continue
    return 0


def _make_room(folder: str) -> None:
    """Make the folder, keep it out of repositories, and throw the oldest away where there are too many."""
    if not os.path.isdir(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        replace_file(os.path.join(folder, ".gitignore"), b"*\n", mode=0o600, lasting=False)
    entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".verdict")]
    if len(entries) > MOST_VERDICTS:
        entries.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns)
        for entry in entries[: len(entries) // 2]:
            os.unlink(entry.path)


def _read(path: str) -> bytes:
    """Return what stands in a file, nothing where it is no plain file or too large."""
    return _read_own(path)[0]


def _read_own(path: str) -> tuple[bytes, bool]:
    """Return the same, and whether the file is this user's and closed to all others, where files have owners."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except OSError:
        return b"", False
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES + 1024:
            return b"", False
        is_ours = not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)
        return file.read(), is_ours
