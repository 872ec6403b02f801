"""A registry selection goes in; it comes out with every registry that it extends, the outermost base first."""

from __future__ import annotations

from grapharc.spec.document import Document
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Related
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import Loader
from grapharc.spec.named import document_read, load_named
from grapharc.spec.read import read_registry


@frozen
class Layer:
    """One registry document of a chain, with what is found in it."""

    document: Document[RegistryModel]
    faults: Faults

    @property
    def model(self) -> RegistryModel:
        """What the document says."""
        return self.document.model


@frozen
class Layers:
    """A chain of registries, base first. Without ``complete`` a base is missing, and anything may be in that."""

    layers: tuple[Layer, ...]
    complete: bool


NO_LAYERS = Layers((), True)


def open_layers(selection: Document[RegistryModel], loader: Loader) -> Layers:
    """Follow ``extends`` to its end. A base that cannot be read, or that comes round again, ends the chain."""
    layers = [Layer(selection, Faults(selection.path))]
    complete = not selection.is_damaged(("extends",))
    while complete and (reference := layers[-1].model.extends) is not None:
        base = _base(reference, layers, loader)
        complete = base is not None
        if base is not None:
            layers.append(base)
    return Layers(tuple(reversed(layers)), complete)


def _base(reference: str, layers: list[Layer], loader: Loader) -> Layer | None:
    faults = layers[-1].faults
    loaded = load_named(reference, ("extends",), loader, faults)
    if loaded is None:
        return None
    path = loaded[0]
    files = [layer.document.path for layer in layers]
    if path in files:
        way = [*files[files.index(path) :], path]
        related = [
            Related("extended_here", layer.faults.place(("extends",))) for layer in layers[files.index(path) : -1]
        ]
        faults.add("extends_in_a_circle", ("extends",), {"way": " -> ".join(way)}, related=related)
        return None
    document = document_read(loaded, ("extends",), read_registry, faults)
    return None if document is None else Layer(document, Faults(path))
