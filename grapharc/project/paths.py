"""What was asked for goes in, the paths of the documents to look at come out: files, folders, or a whole project."""

from __future__ import annotations

import os
from collections.abc import Sequence

from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN
from grapharc.project.opening import Project
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen


@frozen
class Wanted:
    """Paths as they are shown. Those ``found`` in a folder count only if they are documents of ours.

    ``whole`` says that the project itself was asked for, with its registry and its policies.
    """

    named: tuple[str, ...]
    found: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    whole: bool = False


def wanted(project: Project, asked: Sequence[str], *, ours_only: bool = False) -> Wanted:
    """Return what to check. Raises CannotStart where that is nothing.

    ``ours_only`` passes over files that are no documents of ours, named or not, as a hook names all that changed.
    """
    if asked:
        found = _asked(project, asked)
        return Wanted((), tuple(dict.fromkeys((*found.named, *found.found)))) if ours_only else found
    settings = project.settings
    if not (project.document or project.findings or settings.registry.value or settings.policies):
        raise CannotStart(
            "there is nothing to check: no document was named, and there is no grapharc.toml here",
            "name documents or folders, or write a project: grapharc init FOLDER",
        )
    return _project(project)


def _asked(project: Project, asked: Sequence[str]) -> Wanted:
    loader = project.loader
    named = [STDIN if path == STDIN else loader.path_of(path) for path in asked if not loader.disk.is_folder(path)]
    folders = [path for path in asked if loader.disk.is_folder(path)]
    found = [loader.path_of(path) for folder in folders for path in loader.disk.beneath(folder)]
    return Wanted(tuple(named), tuple(path for path in found if path not in named), tuple(folders))


def _project(project: Project) -> Wanted:
    """The project document and the graphs that it names; of its registry and policies, whoever opens them tells."""
    if project.document is None:
        return Wanted((), whole=True)
    root, faults = project.loader.root, Faults(project.document.path)
    named = [project.document.path]
    for number, pattern in enumerate(project.settings.graphs.value):
        written_at = ("grapharc", "graphs", number)
        if os.path.isabs(pattern) or ".." in pattern.split("/"):
            faults.add("document_outside_project", written_at, {"reference": pattern})
        elif matching := project.loader.disk.matching(pattern, root):
            named += matching
        else:
            faults.add("no_graph_matches", written_at, {"pattern": pattern})
    return Wanted(tuple(dict.fromkeys(named)), findings=tuple(faults.found), whole=True)
