"""A kind and the use that takes it go in; the kind as graphs get it comes out, the owner's word over the manifest's."""

from __future__ import annotations

import json

from grapharc.spec.arguments.formats import shape_of
from grapharc.spec.arguments.misfits import misfits
from grapharc.spec.arguments.names import Known, check_names
from grapharc.spec.arguments.prepare import Bad, prepare
from grapharc.spec.arguments.tell import tell_misfits
from grapharc.spec.json_value import Json
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Amount, Capability, Dimension, Kind, Offer
from grapharc.spec.registry.cost import read_amount
from grapharc.spec.registry.select import Selected
from grapharc.spec.registry.uses import Use
from grapharc.spec.suggest import suggest


def make_offer(name: str, selected: Selected, known: Known, loader: Loader, memo: Memo) -> Offer:
    """Put together what manifest and registry say of a kind."""
    kind, use = selected.kind, selected.use
    if use.version is not None and use.version.value != kind.version:
        values = {"kind": kind.name, "version": kind.version, "wanted": use.version.value}
        use.version.faults.add("kind_version_differs", use.version.path, values, subject=name)
    capabilities: set[Capability] = {*kind.capabilities, *use.capabilities}
    cost = _cost(kind, use, memo)
    if "model" in capabilities and "tokens" not in cost:
        use.faults.add("model_kind_without_tokens", (*use.path, "kind"), {"kind": kind.name}, subject=name)
    return Offer(
        name,
        kind,
        _pins(kind, use, known, loader, memo),
        tuple(sorted(capabilities)),
        tuple(sorted({*kind.labels, *use.labels})),
        _endorses(kind, use),
        cost,
        use.place if use.faults.document else kind.place,
    )


def _cost(kind: Kind, use: Use, memo: Memo) -> dict[Dimension, Amount]:
    cost = dict(kind.cost)
    for dimension, said in use.cost.items():
        amount = read_amount(said.value, said.path, kind.args, kind.reads, memo, said.faults)
        if amount is not None:
            cost[dimension] = amount
    return cost


def _endorses(kind: Kind, use: Use) -> tuple[str, ...]:
    """Of an own kind only what its owner repeats: a manifest cannot clear its own kinds."""
    for label, said in use.endorses.items():
        if label not in kind.endorses and not use.is_glob:
            values = {"kind": kind.name, "label": label, "suggestion": suggest(label, kind.endorses)}
            said.faults.add("endorsement_not_declared", said.path, values)
    return kind.endorses if use.source is None else tuple(label for label in kind.endorses if label in use.endorses)


def _pins(kind: Kind, use: Use, known: Known, loader: Loader, memo: Memo) -> dict[str, Json]:
    if not use.pins:
        return {}
    shape = shape_of(kind.args)
    pins: dict[str, Json] = {}
    faulty: set[str] = set()
    for name, said in use.pins.items():
        prepared = prepare({name: said.value}, shape, said.path[:-1], loader, said.faults)
        check_names(prepared, said.path[:-1], known, said.faults, use.name)
        pins.update(prepared.args)
        faulty.update(name for special in prepared.specials if isinstance(special, Bad))
    schema: dict[str, Json] = {**kind.args, "required": []}
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"))
    for misfit in misfits(schema, text, pins, memo):
        name = str(misfit.path[0]) if misfit.path else ""
        if name in use.pins and name not in faulty:
            said = use.pins[name]
            tell_misfits([misfit], kind.name, said.path[:-1], said.faults, use.name)
    return {name: pins[name] for name in sorted(pins)}
