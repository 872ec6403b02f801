"""The text of a graph goes in; what reading, linking and judging make of it, under the law's registries, comes out."""

from __future__ import annotations

import shutil
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal, TypeAlias

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.project.files import DiskLoader
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph, read_registry
from grapharc.spec.registry.open_registry import open_registry

KINDS = Path(__file__).parent / "kinds"
TODAY = date(2027, 1, 1)
MEMO = Memo()

Sort: TypeAlias = Literal["plain", "async", "dear"]
SELECTIONS: dict[Sort, str] = {
    "plain": '[[use]]\nfrom = "kinds/law.toml"\nkind = "step"\n[[use]]\nkind = "control.*"\n',
    "async": '[[use]]\nfrom = "kinds/law.toml"\nkind = "astep"\nas = "step"\n[[use]]\nkind = "control.*"\n',
    "dear": '[[use]]\nfrom = "kinds/law.toml"\nkind = "step"\ncost = { tokens = 7 }\n[[use]]\nkind = "control.*"\n',
}
"""Registries: as the manifest says, with coroutines, and with a cost of the owner's."""


@cache
def project() -> DiskLoader:
    """Make a project with the law's own kinds in a folder for the time of the session."""
    folder = Path(mkdtemp(prefix="law"))
    shutil.copytree(KINDS, folder / "kinds", ignore=shutil.ignore_patterns("__pycache__"))
    return DiskLoader(str(folder))


@cache
def registry(sort: Sort) -> Registry:
    """Open one of the registries."""
    document, findings = read_registry(SELECTIONS[sort].encode(), "registry.toml")
    assert not findings, findings
    opened, findings = open_registry(document, project(), MEMO)
    assert not findings, findings
    return opened


def judge(text: str, path: str, sort: Sort) -> Admission:
    """Read, link and judge the text of a graph."""
    document, _ = read_graph(text.encode(), path)
    linked, _ = link(document, registry(sort), project(), MEMO)
    return admit(linked, today=TODAY)
