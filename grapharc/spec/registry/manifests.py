"""Manifests as a registry names them: the shipped ones, and the owner's own; each is read once."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.spec.document import Document
from grapharc.spec.documents.manifest import ManifestModel
from grapharc.spec.faults import Faults
from grapharc.spec.json_value import Path
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.named import document_read, load_named
from grapharc.spec.read import read_manifest
from grapharc.spec.registry.manifest import SHIPPED_NAMES, Manifest, open_manifest
from grapharc.spec.type_names import TypeNames
from grapharc.spec.types import Type


class Manifests:
    """Every manifest that took part, by path. The shipped ones are all there from the beginning."""

    def __init__(self, loader: Loader, memo: Memo) -> None:
        self._loader, self._memo = loader, memo
        self.opened: dict[str, Manifest] = {}
        for path, data in loader.shipped():
            self._open(read_manifest(data, path)[0], SHIPPED_NAMES)
        self.shipped = tuple(self.opened.values())
        self._outer = _names_of(self.shipped)

    def named(self, reference: str, path: Path, faults: Faults) -> Manifest | None:
        """Return the manifest that a path in a registry means, or None with a finding there."""
        loaded = load_named(reference, path, self._loader, faults)
        if loaded is None:
            return None
        if loaded[0] in self.opened:
            return self.opened[loaded[0]]
        document = document_read(loaded, path, read_manifest, faults)
        return None if document is None else self._open(document, self._outer)

    def _open(self, document: Document[ManifestModel], outer: TypeNames) -> Manifest:
        manifest = self.opened[document.path] = open_manifest(document, self._memo, outer)
        return manifest


def _names_of(manifests: tuple[Manifest, ...]) -> TypeNames:
    """What an own manifest sees beside its own types: all that the shipped ones declare."""
    types: Mapping[str, Type] = {name: type_ for manifest in manifests for name, type_ in manifest.types.items()}
    return TypeNames(types, {}, frozenset(), SHIPPED_NAMES)
