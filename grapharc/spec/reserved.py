"""What a project is made of goes in; whether a path of its workspace is a part of it, and kept from kinds, comes out.

A graph that could write its policy, the code of a kind or what a model is said to answer would give itself what it may
do; one that could read a store as a file would get past what the store's kinds are governed for. So what is a part of
the project is no file of its workspace, wherever that lies: no kind reads it there, and none writes it. The check and
the runtime both ask here.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from unicodedata import normalize

from grapharc.spec.arguments.formats import store_args
from grapharc.spec.frozen import field, frozen
from grapharc.spec.globs import matches, matches_path
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.nesting import every_graph
from grapharc.spec.offers import Registry

DOCUMENT = "a document of the project"
CODE = "the code of a kind"
REPLIES = "what a model is said to answer"
STORE = "a store"
TRACE = "the trace of a run"
HIDDEN = "hidden"

_STORES = ("*.db", "*.db-*", "*.db.blobs")
_OURS = "grapharc.*"


@frozen
class Premises:
    """Where a project and its workspace lie, as absolute paths, and what the project names that no graph needs.

    ``named`` says of paths from the project folder what they are; ``graphs`` are globs over the project's graphs.
    Without more to go by the workspace is the project folder.
    """

    project: str = "/"
    workspace: str = "/"
    named: Mapping[str, str] = field(default_factory=dict[str, str])
    graphs: tuple[str, ...] = ()


NO_PREMISES = Premises()


class Reserved:
    """The files of a workspace that are kept from kinds."""

    def __init__(self, premises: Premises, parts: Callable[[], Mapping[str, str]]) -> None:
        """``parts`` says of paths from the project folder what they are; it is called when somebody asks."""
        self._premises, self._named = premises, parts

    @cached_property
    def _parts(self) -> Mapping[str, str]:
        return {_folded(path): what for path, what in {**self._named(), **self._premises.named}.items()}

    @cached_property
    def _stores(self) -> Sequence[str]:
        return [path for path, what in self._parts.items() if what == STORE]

    def what(self, path: str, workspace: str | None = None) -> str | None:
        """Tell which part of the project a normal path of the workspace is; None where it is none.

        ``workspace`` is where that really lies, if not where the premises say. A name is told in every spelling that
        some file system takes for the same one.
        """
        if path == ".":
            return None
        if any(step.startswith(".") for step in path.split("/")):
            return HIDDEN
        around = self._premises.workspace if workspace is None else workspace
        inside = posixpath.relpath(posixpath.join(around, path), self._premises.project)
        folded = _folded(inside)
        if any(step == ".git" or step.startswith(".grapharc") for step in folded.split("/")):
            return HIDDEN
        if matches(_OURS, posixpath.basename(folded)):
            return DOCUMENT
        if (what := self._parts.get(folded)) is not None:
            return what
        if self._is_of_store(folded):
            return STORE
        return DOCUMENT if any(matches_path(glob, inside) for glob in self._premises.graphs) else None

    def _is_of_store(self, path: str) -> bool:
        if any(matches(glob, step) for step in path.split("/") for glob in _STORES):
            return True
        return any(path.startswith((f"{store}-", f"{store}.blobs")) for store in self._stores)


def reserved(graph: LinkedGraph, policies: Iterable[str], premises: Premises) -> Reserved:
    """Return what is kept from the kinds of a graph that was judged under policies, given by their paths."""
    return Reserved(premises, lambda: _parts_of(graph, policies))


def _parts_of(graph: LinkedGraph, policies: Iterable[str]) -> dict[str, str]:
    parts = dict.fromkeys(policies, DOCUMENT)
    for one in every_graph(graph):
        parts |= dict.fromkeys((*one.texts, *one.files), DOCUMENT)
        parts |= {
            str(node.args[name]): STORE
            for node in one.nodes.values()
            for name in store_args(node.offer.kind.args)
            if name in node.args
        }
    parts |= _of_registry(graph.registry)
    return parts


def _of_registry(registry: Registry) -> Iterator[tuple[str, str]]:
    yield from ((path, DOCUMENT) for path in registry.texts)
    for role in registry.roles.values():
        if role.file is not None:
            yield role.file, REPLIES
    for offer in registry.offers.values():
        kind = offer.kind
        module = kind.entry.rpartition(":")[0]
        yield kind.manifest, DOCUMENT
        if module.endswith(".py"):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(kind.manifest), module)), CODE
        for name in store_args(kind.args):
            if isinstance(store := offer.pins.get(name), str):
                yield store, STORE


def _folded(path: str) -> str:
    return normalize("NFC", path).casefold()
