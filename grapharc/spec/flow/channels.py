"""A node in; what it does with the workspace and with stores, by which data gets past all fields, out.

Whoever runs a command may read and write files: a command is not looked into.
"""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.frozen import frozen
from grapharc.spec.linked import Node
from grapharc.spec.offers import Capability, Offer

ANY_STORE = ""
"""Stands for every store, where nobody knows which one it is."""


@frozen
class Channels:
    """Whether a node may read and write files, and the stores that it may read and write."""

    reads_files: bool = False
    writes_files: bool = False
    reads_stores: frozenset[str] = frozenset()
    writes_stores: frozenset[str] = frozenset()


NONE = Channels()


def channels(node: Node) -> Channels:
    """Say what a node does itself, or by a kind that it holds."""
    touched = node.capabilities
    if not touched:
        return NONE
    command = "run_command" in touched
    return Channels(
        command or "read_files" in touched,
        command or "write_files" in touched,
        frozenset(_stores(node, "memory_read")),
        frozenset(_stores(node, "memory_write")),
    )


def share(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two sets of stores may have one in common."""
    return bool(one and other) and (ANY_STORE in one or ANY_STORE in other or not one.isdisjoint(other))


def _stores(node: Node, capability: Capability) -> Iterable[str]:
    if capability in node.offer.capabilities:
        yield _named(node.args.get("store"))
    for offer in node.held:
        if capability in offer.capabilities:
            yield _named(_pinned(offer))


def _pinned(offer: Offer) -> object:
    """Of a kind that an agent holds only a pin says which store it is: what is not pinned, the model fills in."""
    return offer.pins.get("store")


def _named(store: object) -> str:
    return store if isinstance(store, str) and store else ANY_STORE
