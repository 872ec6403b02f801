"""A node's arguments go in as they are written; they come out complete, checked, and known for what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grapharc.spec.arguments.defaults import with_defaults
from grapharc.spec.arguments.misfits import ArgMisfit, misfits
from grapharc.spec.arguments.names import check_names
from grapharc.spec.arguments.prepare import Origin, Prepared, prepare
from grapharc.spec.arguments.tell import tell_misfits
from grapharc.spec.documents.graph import NodeModel
from grapharc.spec.finding import Related
from grapharc.spec.json_value import Json, Path
from grapharc.spec.link.offered import Offered
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import Offer, TemplateArg


@dataclass(frozen=True, slots=True)
class Arguments:
    """Complete arguments of a node; templates with the place of each, expressions not yet bound."""

    args: Mapping[str, Json]
    templates: tuple[tuple[TemplateArg, Origin], ...]
    expressions: tuple[tuple[Path, str, Origin], ...]
    roles: tuple[str, ...]
    held: tuple[Offer, ...]


def link_arguments(model: NodeModel, path: Path, offered: Offered, scene: Scene) -> Arguments:
    """Check a node's arguments against its kind's schema, defaults filled in and pins put over them."""
    at = (*path, "args")
    offer, pins, faults = offered.offer, offered.offer.pins, scene.faults
    given = {name: value for name, value in model.args.items() if name not in pins}
    for name in sorted(model.args.keys() & pins.keys()):
        values = {"arg": name, "kind": offer.name}
        related = (Related("pinned_here", offer.place),)
        faults.add("arg_is_pinned", (*at, name), values, part="key", subject=model.name, related=related)
    filled = with_defaults(given, offer.kind.args, pins)
    prepared = prepare(filled, offered.shape, at, scene.loader, faults)
    check_names(prepared, at, scene.known, faults, model.name)
    scene.files.update(prepared.files)
    args = {**prepared.args, **pins} if pins else prepared.args
    if not (offered.fit is not None and offered.fit(args)):
        tell_misfits(_own(args, prepared, offered, path, scene), offer.kind.name, at, faults, model.name)
    return _together(args, prepared, offered, (*path, "kind"), scene)


def _own(args: Mapping[str, Json], prepared: Prepared, offered: Offered, path: Path, scene: Scene) -> list[ArgMisfit]:
    """What does not fit, but for what was told of already: of a pin where it is pinned, of a string by its format."""
    if scene.document.is_damaged((*path, "args")):
        return []
    found = misfits(offered.offer.kind.args, offered.schema_text, args, scene.memo)
    pins = offered.offer.pins
    return [
        misfit
        for misfit in found
        if not (misfit.path and str(misfit.path[0]) in pins)
        and not any(misfit.path[: len(faulty)] == faulty for faulty in prepared.faulty)
    ]


def _together(args: Mapping[str, Json], own: Prepared, offered: Offered, kind: Path, scene: Scene) -> Arguments:
    pinned, elsewhere = offered.pinned, Origin(kind, offered.offer.place.document)
    roles = {role for _, role in (*own.roles, *pinned.roles) if role in scene.registry.roles}
    offers = scene.registry.offers
    held = {name for _, name in (*own.kinds, *pinned.kinds) if name in offers}
    return Arguments(
        args,
        (*own.templates, *((template, elsewhere) for template, _ in pinned.templates)),
        (*own.expressions, *((path, text, elsewhere) for path, text, _ in pinned.expressions)),
        tuple(sorted(roles)),
        tuple(offers[name] for name in sorted(held)),
    )
