"""Channels of the state go in; the schemas that LangGraph derives channels and views from come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict

from langgraph.channels.base import BaseChannel


def state_schema(channels: Mapping[str, BaseChannel[Any, Any, Any]]) -> type[Any]:
    """Return the schema of the whole state."""
    return _typed_dict("State", {name: Annotated[object, made] for name, made in channels.items()})


class Views:
    """Schemas of parts of the state. Nodes that see the same share one: making one is most of adding a node."""

    def __init__(self) -> None:
        self._made: dict[frozenset[str], type[Any]] = {}

    def of(self, channels: Iterable[str]) -> type[Any]:
        """Return the schema of some channels that the state's schema has."""
        wanted = frozenset(channels)
        if wanted not in self._made:
            self._made[wanted] = _typed_dict("View", dict.fromkeys(sorted(wanted), Any))
        return self._made[wanted]


def _typed_dict(name: str, keys: dict[str, Any]) -> type[Any]:
    """Names with a prefix can only stand in the functional form, whose keys a type checker wants to read."""
    make: Any = TypedDict
    return make(name, keys, total=False)
