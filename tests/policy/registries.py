"""Registries for tests that need no document."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.offers import Offer, Registry


def registry(offers: Iterable[Offer]) -> Registry:
    """A registry that offers some kinds and nothing else."""
    by_name = {each.name: each for each in offers}
    nothing: frozenset[str] = frozenset()
    return Registry("", "", by_name, {}, {}, {}, {}, {}, (), (), nothing, nothing, nothing)
