"""A registry selection goes in; everything that exists under it comes out, with every fault in its documents."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.spec.arguments.names import Known
from grapharc.spec.declared_types import declare_types
from grapharc.spec.document import Document, Text
from grapharc.spec.documents.registry import RegistryModel
from grapharc.spec.faults import Faults
from grapharc.spec.fields import declare_fields, merge_fields, missing_fields
from grapharc.spec.finding import Finding
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Field, Registry
from grapharc.spec.registry.exports import exported_types
from grapharc.spec.registry.layers import NO_LAYERS, Layer, open_layers
from grapharc.spec.registry.manifests import Manifests
from grapharc.spec.registry.offer import make_offer
from grapharc.spec.registry.roles import missing_roles, read_roles
from grapharc.spec.registry.select import select
from grapharc.spec.registry.uses import Use, Uses, read_uses
from grapharc.spec.type_names import ANY, Reader, TypeNames

_EVERYTHING = Uses({"*": Use("*", "*", None, None, (), Faults(""))}, ())


def open_registry(
    selection: Document[RegistryModel] | None, loader: Loader, memo: Memo
) -> tuple[Registry, tuple[Finding, ...]]:
    """Open a selection, or all shipped kinds where there is none. The findings are also in the registry."""
    manifests = Manifests(loader, memo)
    if selection is None:
        layers, selected = NO_LAYERS, select(_EVERYTHING, manifests.shipped)
    else:
        layers = open_layers(selection, loader)
        selected = select(read_uses(layers.layers, manifests), manifests.shipped)
    missing_all = frozenset[str]() if layers.complete else frozenset({ANY})
    kinds = {name: found.kind for name, found in selected.selected.items()}
    roles = read_roles(layers.layers, kinds.values(), loader)
    lost_roles = missing_roles(layers.layers) | missing_all
    path = "" if selection is None else selection.path
    known = Known(roles, lost_roles, kinds, selected.missing, {"registry": path})
    offers = {name: make_offer(name, found, known, loader, memo) for name, found in selected.selected.items()}
    names, fields, lost_fields = _declare(layers.layers, exported_types(offers.values(), manifests.opened), memo)
    registry = Registry(
        name="" if selection is None else selection.model.name,
        version="" if selection is None else selection.model.version,
        offers=offers,
        roles=roles,
        fields=fields,
        types=names.known,
        ambiguous=names.ambiguous,
        texts=_texts(layers.layers, manifests),
        findings=_findings(layers.layers, manifests),
        missing_offers=(*selected.missing, *missing_all),
        missing_roles=lost_roles,
        missing_fields=lost_fields | missing_all,
        missing_types=names.missing | missing_all,
        path=path,
        shipped=frozenset(name for manifest in manifests.shipped for name in manifest.kinds),
    )
    return registry, registry.findings


def _declare(
    layers: Sequence[Layer], exported: TypeNames, memo: Memo
) -> tuple[TypeNames, dict[str, Field], frozenset[str]]:
    """Take the types and the fields of a chain together: those of an extending registry come before its base's."""
    names = exported
    fields: dict[str, Field] = {}
    lost: frozenset[str] = frozenset()
    for layer in layers:
        names = declare_types(layer.model.types, names, layer.document, memo, layer.faults)
        reader = Reader(layer.document, names, memo, layer.faults)
        own = declare_fields(layer.model.state, reader)
        fields = merge_fields(fields, own, reader)
        lost = frozenset((lost | missing_fields(layer.document, own)) - own.keys())
    return names.flat(), fields, lost


def _texts(layers: Sequence[Layer], manifests: Manifests) -> dict[str, Text]:
    texts = [manifest.text for manifest in manifests.opened.values()]
    return {text.source.path: text for text in (*texts, *(layer.document.text for layer in layers))}


def _findings(layers: Sequence[Layer], manifests: Manifests) -> tuple[Finding, ...]:
    found = [finding for manifest in manifests.opened.values() for finding in manifest.findings]
    for layer in layers:
        found += (*layer.document.findings, *layer.faults.found)
    return tuple(found)
