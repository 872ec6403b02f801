"""What a node that runs once for each item of a list is told beside its plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grapharc.runtime.contracts import View
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen
class Fan:
    """How a node runs once for each item.

    ``items`` makes the list from the view, once; raises ExpressionFailed. An item's own view holds it in ``channel``.
    ``assemble`` makes the node's writes of what the items give, in their order, and of the failures that are collected.
    """

    items: Callable[[View], Sequence[Json]]
    channel: str
    max_items: int
    concurrency: int | None
    collect: bool
    assemble: Callable[[Sequence[Mapping[str, Json]], Sequence[Json]], dict[str, Json]]
