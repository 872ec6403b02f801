"""Names of documents go in, the names that LangGraph sees come out: prefixed, so that neither can mean the other.

``/`` cannot stand in a name of a document, and means nothing to LangGraph.
"""

from __future__ import annotations

_FIELD = "field/"
_NODE = "node/"
_HIDDEN = "hidden/"


def channel(field: str) -> str:
    """Return the channel of a field."""
    return _FIELD + field


def step(node: str) -> str:
    """Return LangGraph's node for a node."""
    return _NODE + node


def hidden(*parts: str) -> str:
    """Return a node or channel of the lowering's own; it shows in no trace and no diagram."""
    return _HIDDEN + "/".join(parts)


def loop_channel(header: str) -> str:
    """Return the channel in which the loop of a header keeps its round."""
    return hidden("loop", header)


CAPPED = hidden("capped")
"""The channel that notes that a loop was used up and led to an end that its author did not name."""


def node_of(step_name: str) -> str | None:
    """Return the node that a LangGraph node stands for; None for one of the lowering's own."""
    return step_name.removeprefix(_NODE) if step_name.startswith(_NODE) else None


def field_of(channel_name: str) -> str | None:
    """Return the field that a channel holds; None for one that holds none."""
    return channel_name.removeprefix(_FIELD) if channel_name.startswith(_FIELD) else None
