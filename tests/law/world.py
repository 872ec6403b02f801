"""The text of a graph goes in; what reading, linking and judging make of it, under the law's registries, comes out."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
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
SHIPPED = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "graph"\n'
SELECTIONS: dict[Sort, str] = {
    "plain": SHIPPED + '[[use]]\nfrom = "kinds/law.toml"\nkind = "step"\n',
    "async": SHIPPED + '[[use]]\nfrom = "kinds/law.toml"\nkind = "astep"\nas = "step"\n',
    "dear": SHIPPED + '[[use]]\nfrom = "kinds/law.toml"\nkind = "step"\ncost = { tokens = 7 }\n',
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


class WithTexts:
    """The law's project, with a few more texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def resolve(self, reference: str, beside: str) -> str:
        return reference if reference in self._texts else project().resolve(reference, beside)

    def load(self, path: str) -> bytes:
        return self._texts[path].encode() if path in self._texts else project().load(path)

    def shipped(self) -> Iterable[tuple[str, bytes]]:
        return project().shipped()


NO_TEXTS: Mapping[str, str] = {}


def judge(text: str, path: str, sort: Sort, others: Mapping[str, str] = NO_TEXTS) -> Admission:
    """Read, link and judge the text of a graph; ``others`` are those of the graphs that it names."""
    document, _ = read_graph(text.encode(), path)
    linked, _ = link(document, registry(sort), WithTexts(others), MEMO)
    return admit(linked, today=TODAY)
