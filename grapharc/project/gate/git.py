"""A folder in a git repository and a commit's name go in; the commit's tree and the bytes of its files come out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from grapharc.project.disk import MOST
from grapharc.project.errors import CannotStart
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import Unreadable

FILE, LINK, SUBMODULE = "file", "link", "submodule"

_FORMS = {"100644": FILE, "100755": FILE, "100664": FILE, "120000": LINK, "160000": SUBMODULE}

_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_COMMON_DIR")
"""What git tells its hooks of the repository that they run in, by paths from a folder that we do not start in."""

_ALWAYS = ("--no-replace-objects", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false")


@frozen
class Entry:
    """What stands at a path of a tree: a file, a link, or a submodule, which holds nothing."""

    form: str
    identity: str


class Repository:
    """A git repository, read only. Raises CannotStart where there is none."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._reading: subprocess.Popen[bytes] | None = None
        top = self._text("rev-parse", "--show-toplevel")
        if top is None:
            raise CannotStart(
                f"'{folder}' is in no git repository, so there are no commits to compare",
                "two folders can be compared too: --base ./FOLDER --head ./FOLDER",
            )
        self.top = os.path.realpath(top)

    def commit(self, name: str) -> str:
        """Return the identity of the commit that a name stands for. Raises CannotStart where it stands for none."""
        if not name or name.startswith("-") or not name.isprintable():
            raise CannotStart(f"'{name}' can name no commit")
        found = self._text("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if found is None and name == "HEAD":
            raise CannotStart(
                "this repository has no commit yet, so there is nothing to compare with",
                "make the first one without the gate: with pre-commit, SKIP=grapharc-gate git commit",
            )
        if found is None or found.startswith("^"):
            raise CannotStart(
                f"'{name}' names no commit of this repository",
                "a shallow clone lacks other branches: fetch it first; a folder is written './FOLDER'",
            )
        return found

    def tree(self, commit: str) -> Mapping[str, Entry]:
        """Return all that stands in a commit, by posix paths from the top of the repository."""
        listing = self._run("ls-tree", "-r", "-z", "--full-tree", commit)
        found: dict[str, Entry] = {}
        for row in listing.split(b"\0"):
            head, tab, path = row.partition(b"\t")
            if tab:
                mode, _, identity = head.decode("ascii").split(" ")
                found[os.fsdecode(path)] = Entry(_FORMS.get(mode, FILE), identity)
        return found

    def read(self, identity: str, path: str) -> bytes:
        """Return what stands in a file of a tree, at most MOST bytes. Raises Unreadable."""
        if self._reading is None:
            self._reading = self._start(("cat-file", "--batch"))
        asking, answering = self._reading.stdin, self._reading.stdout
        if asking is None or answering is None:
            raise Unreadable(path, "git could not be asked")
        asking.write(f"{identity}\n".encode("ascii"))
        asking.flush()
        head = answering.readline().split()
        if len(head) != 3:
            raise Unreadable(path, "its content is not in this clone")
        size = int(head[2])
        data = answering.read(min(size, MOST))
        left = size - len(data)
        while left and (part := answering.read(min(left, 1 << 20))):
            left -= len(part)
        answering.readline()
        return data

    def close(self) -> None:
        """Stop the process that reads."""
        if self._reading is not None:
            self._reading.communicate()
            self._reading = None

    def _text(self, *arguments: str) -> str | None:
        """Run git for one line; None where it says no."""
        ran = self._finished(arguments)
        return None if ran.returncode else os.fsdecode(ran.stdout).rstrip("\n")

    def _run(self, *arguments: str) -> bytes:
        ran = self._finished(arguments)
        if ran.returncode:
            why = ran.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise CannotStart(f"git could not {arguments[0]}: {why}")
        return ran.stdout

    def _finished(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        process = self._start(arguments)
        out, err = process.communicate()
        if b"dubious ownership" in err:
            raise CannotStart(
                f"git does not trust the repository of '{self._folder}', which belongs to somebody else",
                "git config --global --add safe.directory FOLDER says that it may",
            )
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def _start(self, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        command = ["git", *_ALWAYS, "-C", self._folder, *arguments]
        environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER}
        environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        errors = subprocess.DEVNULL if arguments[0] == "cat-file" else subprocess.PIPE
        try:
            return subprocess.Popen(  # noqa: S603 -- a fixed command; what varies was looked at before
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment
            )
        except FileNotFoundError:
            raise CannotStart(
                "there is no 'git' here, which reads commits", "install git, or compare two folders"
            ) from None
