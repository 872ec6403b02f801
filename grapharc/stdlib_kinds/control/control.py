"""Ports of the control kinds go in; the same values, or a failure, come out."""

from __future__ import annotations

from grapharc.spec.json_value import Json


class Failed(Exception):
    """A graph chose to fail here. ``message`` is the author's, its template filled in."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


def hand_on() -> dict[str, Json]:
    """Do nothing."""
    return {}


def set_value(*, value: Json) -> dict[str, Json]:
    """Return the value as ``result``."""
    return {"result": value}


def fail(*, message: str) -> dict[str, Json]:
    """Raise :class:`Failed` with the message."""
    raise Failed(message)


def run_graph(*, path: str, **inputs: Json) -> dict[str, Json]:
    """Raise :class:`Failed`: the compiler runs a subgraph itself, each of its nodes judged, metered and traced."""
    del inputs
    raise Failed(f"'{path}' runs as a part of a compiled graph, and in no other way")
