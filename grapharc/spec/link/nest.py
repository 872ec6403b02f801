"""Where a graph lies among the graphs that it is nested in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from grapharc.spec.document import Document
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.finding import Related
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import LinkedGraph

Link: TypeAlias = "Callable[[Document[GraphModel], Nest], LinkedGraph]"


@frozen(slots=False)
class Nest:
    """The files on the way to a graph, its own the last, and the nodes that lead there.

    ``link`` links another graph within it; ``known`` are those that were linked before, by file, however they are
    reached, None for one that lies too deep.
    """

    link: Link
    files: tuple[str, ...]
    led_by: tuple[Related, ...] = ()
    known: dict[str, LinkedGraph | None] = field(default_factory=dict[str, "LinkedGraph | None"])
    inside: list[int] = field(default_factory=list[int])
    """How many nodes each subgraph of this one comes to."""
