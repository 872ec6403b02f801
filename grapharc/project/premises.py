"""An open project goes in; where it and its workspace lie, and what it names that no graph needs, comes out."""

from __future__ import annotations

import os

from grapharc.project.files import DiskLoader
from grapharc.project.opening import AnyProject
from grapharc.project.settings import Named
from grapharc.spec.reserved import DOCUMENT, TRACE, Premises


def premises_of(project: AnyProject) -> Premises:
    """Return what tells the files of a workspace from those of its project."""
    loader, settings = project.loader, project.settings
    real = loader.disk.real if isinstance(loader, DiskLoader) else os.path.realpath
    named = {setting.value.path: DOCUMENT for setting in settings.policies if setting.value.in_project}
    named |= {} if project.document is None else {project.document.path: DOCUMENT}
    if settings.trace.value:
        named[os.path.relpath(real(settings.trace.value), loader.root).replace(os.sep, "/")] = TRACE
    workspace = real(workspace_path(loader.root, settings.workspace.value))
    return Premises(loader.root, workspace, named, settings.graphs.value)


def workspace_path(root: str, named: Named | None) -> str:
    """Return the folder of the workspace that a setting names; without one it is the project's."""
    if named is None:
        return root
    return os.path.join(root, named.path) if named.in_project else os.path.abspath(named.path)
