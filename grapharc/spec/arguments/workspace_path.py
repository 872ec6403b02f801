"""A path in the workspace goes in as it was written; its one normal form, or why it has none, comes out."""

from __future__ import annotations

from typing import Literal, TypeAlias

PathFault: TypeAlias = Literal["absolute_workspace_path", "workspace_path_leads_out", "workspace_path_not_portable"]


def normal_path(path: str) -> tuple[str, PathFault | None]:
    """Return a path without ``.`` and empty steps; ``.`` is the workspace itself.

    ``..`` is refused wherever it stands: where it leads depends on links, which nobody looks at here.
    """
    if path.startswith("/"):
        return path, "absolute_workspace_path"
    if "\\" in path or "\0" in path or path[1:2] == ":":
        return path, "workspace_path_not_portable"
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if ".." in steps:
        return path, "workspace_path_leads_out"
    return "/".join(steps) or ".", None


def beneath(root: str, path: str) -> str:
    """Return where a path from a folder on leads; both are in their normal form."""
    return path if root == "." else root if path == "." else f"{root}/{path}"
