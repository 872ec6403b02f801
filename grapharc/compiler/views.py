"""Fields of the state go in; the schemas that LangGraph derives channels and views from come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict

from langgraph.channels.base import BaseChannel

from grapharc.compiler.names import channel


def state_schema(channels: Mapping[str, BaseChannel[Any, Any, Any]]) -> type[Any]:
    """Return the schema of the whole state, with the channel of each field."""
    return _typed_dict("State", {channel(field): Annotated[object, made] for field, made in channels.items()})


class Views:
    """Schemas of parts of the state. Nodes that read the same fields share one: making one is most of adding a node."""

    def __init__(self) -> None:
        self._made: dict[frozenset[str], type[Any]] = {}

    def of(self, fields: Iterable[str]) -> type[Any]:
        """Return the schema of some fields, whose channels the state's schema has."""
        wanted = frozenset(fields)
        if wanted not in self._made:
            self._made[wanted] = _typed_dict("View", {channel(field): Any for field in sorted(wanted)})
        return self._made[wanted]


def _typed_dict(name: str, keys: dict[str, Any]) -> type[Any]:
    """Names with a prefix can only stand in the functional form, whose keys a type checker wants to read."""
    make: Any = TypedDict
    return make(name, keys, total=False)
