"""Flags and the environment go in; an open project comes out: its loader, its settings, its project document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Protocol

from grapharc.project.disk import Disk
from grapharc.project.environment import Environment, read_environment
from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN, DiskLoader, ProjectLoader
from grapharc.project.memo import load_memo, save_memo
from grapharc.project.settings import PROJECT_FILE, Flags, Named, Settings, resolve
from grapharc.spec.document import Document
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.memo import Memo
from grapharc.spec.named import load_named, resolve_named
from grapharc.spec.read import read_project


class AnyProject(Protocol):
    """A project wherever its files are kept: in a folder of the disk, or in a commit."""

    @property
    def loader(self) -> ProjectLoader:
        """What gives its documents."""
        ...

    @property
    def memo(self) -> Memo:
        """What is known of texts."""
        ...

    @property
    def settings(self) -> Settings:
        """What holds there."""
        ...

    @property
    def document(self) -> Document[ProjectModel] | None:
        """The project document, if there is one."""
        ...


@frozen
class Project:
    """A project folder with what its project document says, if it has one. ``findings`` are about that document.

    ``is_named`` tells whether somebody named it, by a flag or a variable, and it was not just the working directory's.
    """

    loader: DiskLoader
    memo: Memo
    settings: Settings
    document: Document[ProjectModel] | None
    findings: tuple[Finding, ...]
    environ: Mapping[str, str]
    caches: bool = True
    is_named: bool = False

    def close(self) -> None:
        """Keep what was found out about texts."""
        if self.caches:
            save_memo(self.memo, self.loader.root, self.environ)


def open_project(
    flags: Flags,
    named: Iterable[str],
    environ: Mapping[str, str],
    *,
    stdin: bytes = b"",
    disk: Disk | None = None,
    caches: bool = True,
) -> Project:
    """Open the project of the working directory, or of ``--config``. ``named`` are the documents asked for.

    ``disk`` remembers what was asked of the file system; without ``caches`` nothing is kept from one check to the next.
    Raises CannotStart for a file that is not there, and for a flag or a variable that makes no sense.
    """
    _refuse_empty(flags)
    environment = read_environment(environ)
    disk = disk or Disk()
    config = _config(flags, environment, disk)
    asked = [*([config] if config else []), *_asked(flags, environment), *(path for path in named if path != STDIN)]
    for path in asked:
        if not disk.exists(path):
            raise CannotStart(f"'{path}' is not there")
    root = os.path.dirname(os.path.abspath(config)) if config else os.getcwd()
    loader = DiskLoader(root, asked, stdin, disk)
    document, findings = _read(loader, loader.path_of(config)) if config else (None, ())
    settings = resolve(flags, environment, document.model if document else None, document.path if document else "")
    if document is not None:
        findings = (*findings, *_faults_of_workspace(document, loader))
    memo = load_memo(loader.root, environ) if caches else Memo()
    is_named = bool(flags.config or environment.config)
    return Project(loader, memo, settings, document, findings, environ, caches, is_named)


@frozen
class Loaded:
    """A document's bytes, and the path that it is shown under."""

    data: bytes
    path: str


@frozen
class Lost:
    """Why there are no bytes: a name leads out of the project, or nothing can be read there."""

    findings: tuple[Finding, ...]


def load_asked(loader: ProjectLoader, path: str) -> Loaded | Lost:
    """Load a document that a person asked for. Raises CannotStart where it cannot be read."""
    try:
        return Loaded(loader.load(path), path)
    except OutsideProject:
        return Lost((Finding("document_outside_project", Place(path), {"reference": path}),))
    except Unreadable as error:
        raise CannotStart(str(error)) from None


def load_set(project: AnyProject, named: Named, written_at: Path) -> Loaded | Lost:
    """Load a document that a setting names; for a project document's name, findings stand where it is written.

    Raises CannotStart where a flag or a variable names what cannot be read.
    """
    if project.document is None or not named.in_project:
        return load_asked(project.loader, project.loader.path_of(named.path))
    faults = Faults(project.document.path)
    loaded = load_named(named.path, written_at, project.loader, faults)
    return Lost(tuple(faults.found)) if loaded is None else Loaded(loaded[1], loaded[0])


def _read(loader: ProjectLoader, path: str) -> tuple[Document[ProjectModel] | None, tuple[Finding, ...]]:
    loaded = load_asked(loader, path)
    return (None, loaded.findings) if isinstance(loaded, Lost) else read_project(loaded.data, path)


def _faults_of_workspace(document: Document[ProjectModel], loader: ProjectLoader) -> tuple[Finding, ...]:
    """A workspace beyond the project folder would give kinds what the project has no say over; a flag may name one."""
    faults = Faults(document.path)
    if document.model.grapharc.workspace is not None:
        resolve_named(document.model.grapharc.workspace, ("grapharc", "workspace"), loader, faults)
    return tuple(faults.found)


def _refuse_empty(flags: Flags) -> None:
    """An empty flag is a variable of a script that was never set; passed over, it would let another layer decide."""
    single = {"config": flags.config, "registry": flags.registry, "tenant": flags.tenant}
    single |= {"workspace": flags.workspace, "trace": flags.trace}
    empty = [name for name, value in single.items() if value == ""] + ["policy" for name in flags.policies if not name]
    if empty:
        raise CannotStart(
            f"--{empty[0]} is empty, but must name something", f"leave --{empty[0]} out if it is not meant"
        )


def _config(flags: Flags, environment: Environment, disk: Disk) -> str | None:
    if flags.config is not None:
        return flags.config
    return environment.config or (PROJECT_FILE if disk.exists(PROJECT_FILE) else None)


def _asked(flags: Flags, environment: Environment) -> Iterable[str]:
    registry = flags.registry or environment.registry
    return [*([registry] if registry else []), *flags.policies, *environment.policies]
