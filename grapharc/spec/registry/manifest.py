"""A kind manifest goes in; its kinds, each one whole, and the types it exports come out."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.declared_types import declare_types
from grapharc.spec.document import Document, Text
from grapharc.spec.documents.manifest import KindModel, ManifestModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding, Related
from grapharc.spec.frozen import frozen
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Kind
from grapharc.spec.reasons import severity
from grapharc.spec.registry.kind import read_kind
from grapharc.spec.shipped_types import SHIPPED_TYPES
from grapharc.spec.type_names import Reader, TypeNames
from grapharc.spec.types import Type

SHIPPED_NAMES = TypeNames(SHIPPED_TYPES, {})
"""What names of types mean where nothing else is declared."""


@frozen
class Manifest:
    """The kinds of one document. ``broken`` are kinds that are written down but could not be made out.

    Where not even their names could be, ``all_named`` is false. ``findings`` are those of reading it, too.
    """

    path: str
    text: Text
    kinds: Mapping[str, Kind]
    broken: frozenset[str]
    all_named: bool
    types: Mapping[str, Type]
    missing_types: frozenset[str]
    findings: tuple[Finding, ...]


def open_manifest(document: Document[ManifestModel], memo: Memo, outer: TypeNames = SHIPPED_NAMES) -> Manifest:
    """Make out the kinds of a manifest; it sees its own types first, then those of ``outer``."""
    faults = Faults(document.path)
    names = declare_types(document.model.types, outer, document, memo, faults)
    reader = Reader(document, names, memo, faults)
    kinds: dict[str, Kind] = {}
    first: dict[str, int] = {}
    for index, model in document.model.kind.items():
        if (before := first.setdefault(model.name, index)) != index:
            related = Related("first_here", faults.place(("kind", before, "name")))
            faults.add("duplicate_kind", ("kind", index, "name"), {"kind": model.name}, related=(related,))
        elif (kind := _whole(model, index, reader)) is not None:
            kinds[model.name] = kind
    return Manifest(
        document.path,
        document.text,
        kinds,
        frozenset(first.keys() - kinds.keys()),
        not any(len(hole) <= 2 and hole[:1] in ((), ("kind",)) for hole in document.damaged),
        names.known,
        frozenset(names.missing - names.known.keys()),
        (*document.findings, *faults.found),
    )


def _whole(model: KindModel, index: int, reader: Reader) -> Kind | None:
    """A kind with a fault is not offered: what a graph would be told about it would only follow from that."""
    before = len(reader.faults.found)
    kind = read_kind(model, ("kind", index), reader)
    is_whole = all(severity(finding) != "error" for finding in reader.faults.found[before:])
    return kind if is_whole and not reader.document.is_damaged(("kind", index)) else None
