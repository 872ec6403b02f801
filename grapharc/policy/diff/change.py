"""One change between two sides of a graph: what it is, in which category and direction, and what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from grapharc.spec.canonical import canonical, digest_of_bytes
from grapharc.spec.finding import Place, Value, no_values
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json

Category: TypeAlias = Literal["authority", "topology", "cost", "state", "resume"]
Direction: TypeAlias = Literal["widens", "incomparable", "narrows", "neutral"]

CATEGORIES: tuple[Category, ...] = get_args(Category)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
"""In the order in which they are shown: what matters most comes first."""

TURNED: Mapping[Direction, Direction] = {
    "widens": "narrows",
    "narrows": "widens",
    "incomparable": "incomparable",
    "neutral": "neutral",
}
"""What a direction is, seen from the other side."""


@frozen
class Change:
    """One change. ``what`` is a row of ``words.toml``, ``subject`` names the node, edge, kind or field it is about.

    ``before`` and ``after`` are what was and what is, None where there was or is nothing. ``values`` fill the words.
    ``witness`` is the way that proves a widening. ``place`` is where the document of the later side says it; where that
    says nothing any more, the earlier one's, with ``earlier`` set.
    """

    what: str
    category: Category
    direction: Direction
    subject: str
    before: Json = None
    after: Json = None
    values: Mapping[str, Value] = field(default_factory=no_values)
    witness: tuple[str, ...] = ()
    place: Place | None = None
    earlier: bool = False


def change_digest(document: str, change: Change) -> str:
    """Return what an approval of a change names: the same wherever it is written and whichever way proves it."""
    said: dict[str, Json] = {
        "document": document,
        "what": change.what,
        "category": change.category,
        "direction": change.direction,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
    }
    # Paths that are no UTF-8 hold surrogates.
    return digest_of_bytes(canonical(said).encode("utf-8", "surrogatepass"))
