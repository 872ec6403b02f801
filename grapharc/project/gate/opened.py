"""The name of a commit, or a folder, and the command's flags go in; that state of the project, open, comes out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol

from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.policy import Policy
from grapharc.project.disk import matching_files
from grapharc.project.environment import Environment, read_environment
from grapharc.project.errors import CannotStart
from grapharc.project.files import DiskLoader, ProjectLoader
from grapharc.project.gate.git import Repository
from grapharc.project.gate.tree import TreeLoader
from grapharc.project.governance import Governance, open_governance
from grapharc.project.memo import load_memo, save_memo
from grapharc.project.settings import PROJECT_FILE, Flags, Settings, resolve
from grapharc.spec.document import Document
from grapharc.spec.documents.approvals import ApprovalsModel
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_approvals, read_project

APPROVALS_FILE = "grapharc.approvals.toml"
WORKING_TREE = "the working tree"


class Files(Protocol):
    """A project folder in which files can be looked for."""

    def matching(self, pattern: str) -> Iterable[str]:
        """Return the paths of the files that a glob matches."""
        ...


@frozen
class Kept:
    """A project as it is kept somewhere. ``findings`` are about its project document."""

    loader: ProjectLoader
    memo: Memo
    settings: Settings
    document: Document[ProjectModel] | None
    findings: tuple[Finding, ...]


@frozen(slots=False)
class Opened:
    """One state of a project. ``name`` is what people call it, ``commit`` its identity, "" for a folder."""

    name: str
    commit: str
    project: Kept
    listing: Files

    @cached_property
    def governance(self) -> Governance:
        """The registry and the policies that hold there."""
        return open_governance(self.project)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies that hold there, the built-in one where none is named."""
        return self.governance.policies or (builtin_policy(),)

    @property
    def model(self) -> ProjectModel:
        """What the project document says; without one, nothing."""
        return self.project.document.model if self.project.document is not None else ProjectModel()

    def matching(self, patterns: Iterable[str]) -> set[str]:
        """Return the files that globs match; one that leads out of the project folder is told by a check."""
        inside = [pattern for pattern in patterns if not os.path.isabs(pattern) and ".." not in pattern.split("/")]
        return {path for pattern in inside for path in self.listing.matching(pattern)}

    def load(self, path: str) -> bytes | None:
        """Return what stands at a path, None where nothing can be read."""
        try:
            return self.project.loader.load(path)
        except (OutsideProject, Unreadable):
            return None

    @cached_property
    def approvals(self) -> Document[ApprovalsModel] | None:
        """The approvals, if there are any."""
        data = self.load(APPROVALS_FILE)
        return None if data is None else read_approvals(data, APPROVALS_FILE)[0]


class Opener:
    """Opens states of one project: of the repository that its folder is in, or of folders that hold it."""

    def __init__(self, flags: Flags, environ: Mapping[str, str]) -> None:
        self._flags, self._environ = flags, environ
        self._environment: Environment = read_environment(environ)
        self._root, self._config = _project_of(flags, environ)
        self._named = tuple(
            path
            for path in (flags.registry, self._environment.registry, *flags.policies, *self._environment.policies)
            if path
        )
        self.repository: Repository | None = None

    def open(self, name: str | None) -> Opened:
        """Open a commit or a folder; without a name what stands on the disk. Raises CannotStart."""
        if name is None:
            disk = DiskLoader(self._root, self._named)
            return self._opened(WORKING_TREE, "", disk, _OnDisk(disk.root))
        if is_folder(name):
            if not os.path.isdir(name):
                raise CannotStart(f"'{name}' is no folder")
            disk = DiskLoader(name, self._named)
            return self._opened(name, "", disk, _OnDisk(disk.root))
        if self.repository is None:
            self.repository = Repository(self._root)
        tree = TreeLoader(self.repository, name, self._root, self._named)
        return self._opened(name, tree.commit, tree, tree)

    def wanted(self, paths: Iterable[str], head: str | None) -> tuple[str, ...]:
        """Return what graphs, or folders of them, are shown under; a folder ends in a slash.

        Paths are those of the disk; where the head is a folder, they are paths within it.
        """
        if head is not None and is_folder(head):
            shown = ((os.path.normpath(path).replace(os.sep, "/"), os.path.join(head, path)) for path in paths)
        else:
            loader = DiskLoader(self._root)
            shown = ((loader.path_of(path), path) for path in paths)
        return tuple(f"{path}/" if os.path.isdir(disk) else path for path, disk in shown if path != ".")

    def close(self, *opened: Opened) -> None:
        """Stop what was started, and keep what was found out about texts."""
        for one in opened:
            save_memo(one.project.memo, one.project.loader.root, self._environ)
        if self.repository is not None:
            self.repository.close()

    def _opened(self, name: str, commit: str, loader: ProjectLoader, listing: Files) -> Opened:
        try:
            document, findings = read_project(loader.load(self._config), self._config)
        except (OutsideProject, Unreadable):
            document, findings = None, ()
        model, path = (document.model, document.path) if document else (None, "")
        settings = resolve(self._flags, self._environment, model, path)
        memo = load_memo(loader.root, self._environ)
        return Opened(name, commit, Kept(loader, memo, settings, document, findings), listing)


def approvals_path(flags: Flags, environ: Mapping[str, str], head: str | None) -> str:
    """Return the file in which approvals are written down: the head's where that is a folder, else the project's."""
    folder = head if head is not None and is_folder(head) else _project_of(flags, environ)[0]
    return os.path.join(folder, APPROVALS_FILE)


def _project_of(flags: Flags, environ: Mapping[str, str]) -> tuple[str, str]:
    """The project folder, and the name of the project document in it."""
    config = flags.config if flags.config is not None else read_environment(environ).config
    if not config:
        return os.getcwd(), PROJECT_FILE
    return os.path.dirname(os.path.abspath(config)), os.path.basename(config)


def is_folder(name: str) -> bool:
    """Tell a folder from a commit by how it is written, so that no folder can pass for a branch of its name."""
    return name in (".", "..") or name.startswith(("./", "../")) or os.path.isabs(name) or name.endswith(os.sep)


@frozen
class _OnDisk:
    root: str

    def matching(self, pattern: str) -> Iterable[str]:
        return matching_files(pattern, self.root)
