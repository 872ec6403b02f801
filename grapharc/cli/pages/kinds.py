"""The shipped manifests go in, the page of all kinds comes out."""

from __future__ import annotations

from grapharc.cli.pages import GENERATED
from grapharc.cli.rendering.kind import kind_text
from grapharc.project.files import DiskLoader
from grapharc.spec.memo import Memo
from grapharc.spec.registry.open_registry import open_registry

_HEAD = """# Kinds

The kinds of nodes that are shipped. `grapharc kinds` lists those that exist in a project, `grapharc kinds NAME`
says of one what stands here. Ports with a default and arguments that are not required may be left out.

"""


def page() -> str:
    """Return the page."""
    registry, _ = open_registry(None, DiskLoader("."), Memo())
    sections = (
        f"## {name}\n\n```\n{kind_text(registry.offers[name], colour=False)}```\n" for name in sorted(registry.offers)
    )
    return GENERATED + _HEAD + "\n".join(sections)
