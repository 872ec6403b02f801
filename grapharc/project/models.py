"""The models of a registry go in; those that would not answer come out, before anything waits for one."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.project.errors import CannotStart
from grapharc.project.files import ProjectLoader
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import value_at
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.offers import Registry, Role


def absent_replies(registry: Registry, loader: ProjectLoader) -> Iterator[Finding]:
    """Yield a finding for each mock whose file is not there. What stands in the file is for the run to read."""
    for role in registry.roles.values():
        if role.file is not None and not loader.is_there(role.file):
            values = {"reference": role.spec.partition("/")[2], "why": "it is not there"}
            yield Finding("document_unreadable", _spec_of(role, registry), values, subject=role.name)


def refuse_unplayed(graph: LinkedGraph) -> None:
    """Refuse to begin a run that would come to a model without a backend. Raises CannotStart.

    A check tells of backends that no version knows, not of those that this one lacks: another may have them.
    """
    for node in _nodes(graph):
        for role in (graph.registry.roles[name] for name in node.roles):
            if role.file is None and node.offer.kind.is_ours:
                raise CannotStart(
                    f"node '{node.name}' asks role '{role.name}', which is played by '{role.spec}', "
                    "and this version has no backend but 'mock/FILE'",
                    f"'mock/replies.json' in its place in '{role.place.document}' would answer from a file",
                )


def _nodes(graph: LinkedGraph) -> Iterator[Node]:
    for node in graph.nodes.values():
        yield node
        if node.subgraph is not None:
            yield from _nodes(node.subgraph)


def _spec_of(role: Role, registry: Registry) -> Place:
    """Where the model of a role is written: as the role's value, or in its table."""
    path = ("models", role.name)
    document = role.place.document
    is_short = isinstance(value_at(registry.texts[document].value, path), str)
    return Place(document, path if is_short else (*path, "spec"))
