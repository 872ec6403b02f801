"""The offered kinds go in; the types that they export come out, and the names of which they mean different ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.offers import Offer
from grapharc.spec.registry.manifest import SHIPPED_NAMES, Manifest
from grapharc.spec.subtype import is_subtype
from grapharc.spec.type_names import TypeNames
from grapharc.spec.types import Type


def exported_types(offers: Iterable[Offer], manifests: Mapping[str, Manifest]) -> TypeNames:
    """Return what names of types mean by the manifests of offered kinds, before the shipped ones."""
    used: dict[str, str] = {}
    for offer in offers:
        used.setdefault(offer.kind.manifest, offer.name)
    known: dict[str, Type] = {}
    exporters: dict[str, list[str]] = {}
    clashing: set[str] = set()
    missing: set[str] = set()
    for path, kind in sorted(used.items()):
        missing |= manifests[path].missing_types
        for name, type_ in manifests[path].types.items():
            exporters.setdefault(name, []).append(kind)
            if not _are_equal(known.setdefault(name, type_), type_):
                clashing.add(name)
    ambiguous = {name: tuple(sorted(exporters[name])) for name in sorted(clashing)}
    clear = {name: type_ for name, type_ in known.items() if name not in clashing}
    return TypeNames(clear, ambiguous, frozenset(missing - known.keys()), SHIPPED_NAMES)


def _are_equal(one: Type, other: Type) -> bool:
    return one == other or (is_subtype(one, other) and is_subtype(other, one))
