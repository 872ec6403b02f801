"""A node's arguments go in as they are written; they come out complete, checked, and known for what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapharc.spec.arguments.defaults import with_defaults
from grapharc.spec.arguments.misfits import ArgMisfit, misfits
from grapharc.spec.arguments.names import check_names
from grapharc.spec.arguments.prepare import Bad, Filled, Named, Origin, Prepared, Read, Special, Worked, prepare
from grapharc.spec.arguments.tell import tell_misfits
from grapharc.spec.documents.graph import NodeModel
from grapharc.spec.finding import Related
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.json_value import Json, Path
from grapharc.spec.link.offered import Offered
from grapharc.spec.link.scene import Scene
from grapharc.spec.offers import Offer
from grapharc.spec.values import is_flat


@frozen
class Arguments:
    """Complete arguments of a node, with what their strings are; expressions are not yet bound."""

    args: Mapping[str, Json]
    templates: tuple[Filled, ...] = ()
    expressions: tuple[Worked, ...] = ()
    roles: tuple[str, ...] = ()
    held: tuple[Offer, ...] = ()


def link_arguments(model: NodeModel, path: Path, offered: Offered, scene: Scene) -> Arguments:
    """Check a node's arguments against its kind's schema, defaults filled in and pins put over them."""
    offer, pins = offered.offer, offered.offer.pins
    if not model.args and (known := scene.bare.get(offer.name)) is not None:
        return known
    at = (*path, "args")
    given = _not_pinned(model, at, offer, scene) if pins else model.args
    filled = with_defaults(given, offered.defaults, pins)
    prepared = prepare(filled, offered.shape, at, scene.loader, scene.faults)
    check_names(prepared, at, scene.known, scene.faults, model.name)
    args = {**prepared.args, **pins} if pins else prepared.args
    fits = offered.fit is not None and offered.fit(args)
    if not fits:
        tell_misfits(_own(args, prepared, offered, path, scene), offer.kind.name, at, scene.faults, model.name)
    specials = prepared.specials
    if offered.pinned.specials:
        specials = (*specials, *_pinned(offered, (*path, "kind")))
    if specials:
        return _sorted_out(args, specials, scene)
    found = Arguments(args)
    if fits and not model.args and is_flat(args):
        scene.bare[offer.name] = found  # nothing in it depends on the node, and nothing in it can change
    return found


def _not_pinned(model: NodeModel, at: Path, offer: Offer, scene: Scene) -> dict[str, Json]:
    for name in sorted(model.args.keys() & offer.pins.keys()):
        values = {"arg": name, "kind": offer.name}
        related = (Related("pinned_here", offer.place),)
        scene.tell("arg_is_pinned", (*at, name), values, model.name, part="key", related=related)
    return {name: value for name, value in model.args.items() if name not in offer.pins}


def _own(args: Mapping[str, Json], prepared: Prepared, offered: Offered, path: Path, scene: Scene) -> list[ArgMisfit]:
    """What does not fit, but for what was told of already: of a pin where it is pinned, of a string by its format."""
    if scene.document.is_damaged((*path, "args")):
        return []
    found = misfits(offered.offer.kind.args, offered.schema_text, args, scene.memo)
    pins = offered.offer.pins
    bad = [special.path for special in prepared.specials if isinstance(special, Bad)]
    return [
        misfit
        for misfit in found
        if not (misfit.path and str(misfit.path[0]) in pins)
        and not any(misfit.path[: len(path)] == path for path in bad)
    ]


def _pinned(offered: Offered, kind: Path) -> list[Special]:
    """What pins add, as seen from a node: their texts stand elsewhere."""
    elsewhere = Origin(kind, offered.offer.place.document)
    specials = offered.pinned.specials
    return [replace(each, origin=elsewhere) if isinstance(each, Filled | Worked) else each for each in specials]


def _sorted_out(args: Mapping[str, Json], specials: Sequence[Special], scene: Scene) -> Arguments:
    offers, known = scene.registry.offers, scene.registry.roles
    templates: list[Filled] = []
    expressions: list[Worked] = []
    named: list[Named] = []
    for each in specials:
        match each:
            case Filled():
                templates.append(each)
            case Named():
                named.append(each)
            case Worked():
                expressions.append(each)
            case Read(file, text):
                scene.files[file] = text
            case Bad():
                pass
    roles = {each.name for each in named if each.what == "role"}
    held = {each.name for each in named if each.what == "kind"}
    return Arguments(
        args,
        tuple(templates),
        tuple(expressions),
        tuple(sorted(roles.intersection(known))) if roles else (),
        tuple([offers[name] for name in sorted(held) if name in offers]) if held else (),
    )
