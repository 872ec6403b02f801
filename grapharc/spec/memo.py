"""Results that depend on a text alone, kept between runs: what a grammar or a schema validator said about it.

The check path asks here first and loads lark or jsonschema only for a text that nobody has seen yet.
"""

from __future__ import annotations

from grapharc.spec.json_value import Json


class Memo:
    """A table from (room, text) to a JSON value. ``changed`` tells whether there is something new to save."""

    def __init__(self, known: dict[str, dict[str, Json]] | None = None) -> None:
        self.tables: dict[str, dict[str, Json]] = known if known is not None else {}
        self.changed = False

    def get(self, room: str, text: str) -> Json:
        """Return what is known about a text, or None."""
        table = self.tables.get(room)
        return None if table is None else table.get(text)

    def put(self, room: str, text: str, value: Json) -> None:
        """Remember what was found out about a text; ``value`` must not be None."""
        self.tables.setdefault(room, {})[text] = value
        self.changed = True
