"""The ``map`` of a node goes in; the list, what an item is and where failures go come out."""

from __future__ import annotations

from grapharc.spec.arguments.prepare import Origin
from grapharc.spec.documents.graph import MapModel
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.finding import Related
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.link.expressions import link_expression
from grapharc.spec.link.offered import Offered
from grapharc.spec.link.scene import Scene
from grapharc.spec.link.writes import is_joined
from grapharc.spec.linked import Map, Write
from grapharc.spec.shipped_types import FAILURE
from grapharc.spec.subtype import is_subtype
from grapharc.spec.types import NEVER, ListOf, Type, bare, show


@frozen
class Mapped:
    """A map on the way to being linked: ``scene`` is that of the node's own expressions."""

    model: MapModel
    path: Path
    over: Checked | None
    item_type: Type
    failures: str | None
    scene: Scene

    def complete(self, offered: Offered, writes: tuple[Write, ...]) -> Map | None:
        """Return the map, now that it is known where the outputs go."""
        if self.over is None:
            return None
        kind, fields = offered.offer.kind, self.scene.fields
        joined = (write.port for write in writes if is_joined(kind.writes[write.port], fields[write.field]))
        return Map(
            self.over,
            self.model.as_,
            self.item_type,
            self.model.item_limit,
            self.model.concurrency,
            self.model.on_item_error == "collect",
            self.failures,
            tuple(sorted(joined)),
            self.scene.faults.place(self.path),
        )


def link_map(model: MapModel, path: Path, scene: Scene, node: str) -> Mapped:
    """Find the list and the item's type. An item may not be called what a field is called."""
    over = link_expression(model.over, Origin((*path, "over")), None, scene, node)
    item: Type = NEVER
    if over is not None:
        found = bare(over.type)
        if isinstance(found, ListOf):
            item = found.item
        else:
            scene.tell("map_over_no_list", (*path, "over"), {"found": show(over.type)}, node)
            over = None
    if model.as_ in scene.fields:
        related = (Related("field_here", scene.fields[model.as_].place),)
        scene.tell("item_shadows_field", (*path, "as"), {"field": model.as_}, node, related=related)
    failures = None if model.failures is None else _failures(model, model.failures, (*path, "failures"), scene, node)
    inner = scene.within_map(model.as_, item)
    return Mapped(model, path, over, item, failures, inner)


def _failures(model: MapModel, name: str, path: Path, scene: Scene, node: str) -> str | None:
    if model.on_item_error != "collect":
        scene.tell("failures_not_collected", path, {"field": name}, node, part="key")
        return None
    field = scene.fields.get(name)
    if field is None:
        if not scene.may_have_field(name):
            values = {"field": name, "suggestion": scene.field_names.nearest(name)}
            scene.tell("unknown_field", path, values, node)
        return None
    if not is_subtype(ListOf(FAILURE), field.type):
        related = (Related("field_here", field.place),)
        values = {"field": name, "found": show(field.type)}
        scene.tell("failures_type_mismatch", path, values, node, related=related)
        return None
    return name
