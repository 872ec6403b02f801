"""A project in memory: its texts go in, and what reading, opening and linking say of them comes out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grapharc.spec.document import Text, locate
from grapharc.spec.finding import Finding
from grapharc.spec.link.link import link
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph, read_registry
from grapharc.spec.reasons import message
from grapharc.spec.registry.open_registry import open_registry


@dataclass(frozen=True)
class Folder:
    """A loader over texts by path. Those beneath ``shipped/`` are the standard library's manifests."""

    texts: Mapping[str, str]

    def resolve(self, reference: str, beside: str) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(beside), reference))
        if path.startswith(("..", "/")):
            raise OutsideProject(reference)
        return path

    def load(self, path: str) -> bytes:
        if path not in self.texts:
            raise Unreadable(path, "no such file")
        return self.texts[path].encode("utf-8", "surrogateescape")

    def shipped(self) -> Iterator[tuple[str, bytes]]:
        for path in sorted(self.texts):
            if path.startswith("shipped/"):
                yield path, self.load(path)


def opened(texts: Mapping[str, str], memo: Memo | None = None) -> Registry:
    """Open ``registry.toml`` or ``.json`` of a project, or everything shipped where there is neither."""
    folder, memo = Folder(texts), memo or Memo()
    for path in ("registry.toml", "registry.json"):
        if path in texts:
            return open_registry(read_registry(folder.load(path), path)[0], folder, memo)[0]
    return open_registry(None, folder, memo)[0]


def linked(texts: Mapping[str, str], graph: str = "graph.toml", memo: Memo | None = None) -> LinkedGraph:
    """Link a graph of a project under its registry."""
    folder, memo = Folder(texts), memo or Memo()
    document, _ = read_graph(folder.load(graph), graph)
    return link(document, opened(texts, memo), folder, memo)[0]


def said(findings: tuple[Finding, ...], texts: Mapping[str, Text]) -> list[str]:
    """Show findings the way people read them: place, words and code, in the order of their places."""
    lines: list[tuple[str, int, str]] = []
    for finding in findings:
        found = locate(finding.place, texts)
        line, column, offset = (found[0].line, found[0].column, found[0].offset) if found else (0, 0, 0)
        text = f"{finding.place.document}:{line}:{column}: {message(finding)} [{finding.code}]"
        lines.append((finding.place.document, offset, text))
    return [text for _, _, text in sorted(lines)]
