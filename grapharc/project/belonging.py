"""A document's path goes in; the project that it belongs to comes out, where that is another than the one in force.

Parent directories are never searched for a project to use. But a document below the working directory may stand in the
folder of a project of its own, and to judge it without that project's policies would be to say yes for its owner.
"""

from __future__ import annotations

import posixpath

from grapharc.project.opening import Project
from grapharc.project.settings import PROJECT_FILE


class Belonging:
    """Which project documents belong to. Each folder is looked at once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._nearest: dict[str, str] = {}

    def other(self, path: str) -> str:
        """Return the project document nearest above a path that is not in force; nothing where that is as it should be.

        A project that was named (``--config``) is in force for whatever is named beside it, and any project for what
        its own ``graphs`` and ``policy`` name.
        """
        if self._project.is_named or path.startswith("<"):
            return ""
        found = self._nearest_of(posixpath.dirname(path))
        return "" if not found or path == found or self._is_claimed(path) else found

    def _nearest_of(self, folder: str) -> str:
        """Look in a folder and above it, as far as where the way to the project in force begins."""
        if posixpath.basename(folder) in ("", ".."):
            return ""
        if folder not in self._nearest:
            here = posixpath.join(folder, PROJECT_FILE)
            is_here = self._project.loader.is_there(here)
            self._nearest[folder] = here if is_here else self._nearest_of(posixpath.dirname(folder))
        return self._nearest[folder]

    def _is_claimed(self, path: str) -> bool:
        settings, loader = self._project.settings, self._project.loader
        policies = (each.value.path for each in settings.policies if each.value.in_project)
        if path in map(posixpath.normpath, policies):
            return True
        return any(path in loader.disk.matching(pattern, loader.root) for pattern in settings.graphs.value)
