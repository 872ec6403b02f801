"""A workspace and an admission go in; the workspace without what its project is made of comes out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.machinery import all_suffixes
from pathlib import Path, PurePosixPath

from grapharc.policy.admission import Admission
from grapharc.runtime.workspace import Workspace
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import is_list
from grapharc.spec.loader import Loader
from grapharc.spec.read import read
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import severity
from grapharc.spec.reserved import CODE, DOCUMENT, reserved

_SUFFIXES = (*all_suffixes(), ".pth")
_LARGEST = 1 << 20
"""No larger file is looked into: whoever governs writes less."""


def confined(
    admission: Admission, workspace: Workspace | None, project: Workspace | None, loader: Loader | None
) -> Workspace | None:
    """Return the workspace for kinds. Its project is where stores lie, else the loader's, else it is one itself."""
    if workspace is None:
        return None
    root: object = getattr(loader, "root", None)
    folder = project.root if project is not None else Path(root) if isinstance(root, str) else workspace.root
    premises = replace(admission.premises, project=folder.resolve().as_posix())
    kept = reserved(admission.graph, [policy.path for policy in admission.policies], premises)

    def keep(path: str, around: str, writing: bool) -> str | None:
        if (what := kept.what(path, around)) is not None:
            return what
        if _is_code(whole := PurePosixPath(around, path), folder):
            return CODE
        # Where the workspace is the project, a document may stand that another run is governed by.
        return DOCUMENT if writing and folder.is_relative_to(around) and _governs(Path(whole)) else None

    return workspace.keeping(keep)


def _governs(path: Path) -> bool:
    """Tell whether a file is a policy, a registry, a manifest, a project, tests, approvals or a baseline."""
    try:
        if path.suffix not in (".toml", ".json") or path.stat().st_size > _LARGEST:
            return False
        data = path.read_bytes()
    except OSError:
        return False
    document, findings = read(data, path.name)
    if document is None:
        value = read_text(data, path.name)[0].value
        return isinstance(value, Mapping) and "baseline" in value
    return document.kind != "graph" and all(severity(finding) != "error" for finding in findings)


def _is_code(path: PurePosixPath, project: Path) -> bool:
    """Tell whether a file is code that this process runs or would find: of its environment, or of a loaded module.

    Of a package that is loaded it is all of it, since the rest may be imported later.
    """
    if not path.name.endswith(_SUFFIXES):
        return False
    if path.is_relative_to(Path(sys.prefix).resolve()):
        return True
    for module in list(sys.modules.values()):
        file: object = getattr(module, "__file__", None)
        if isinstance(file, str) and project / file == Path(path):
            return True
        folders: object = getattr(module, "__path__", None)
        if is_list(folders) and any(isinstance(each, str) and path.is_relative_to(each) for each in folders):
            return True
    return False
