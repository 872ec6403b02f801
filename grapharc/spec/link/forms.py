"""An edge as it is written goes in; how it is taken - always, as an arm, on an error, going back - comes out."""

from __future__ import annotations

from grapharc.spec.arguments.prepare import Origin
from grapharc.spec.documents.graph import EdgeModel, LoopModel
from grapharc.spec.finding import Related
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Path, value_at
from grapharc.spec.link.expressions import link_condition
from grapharc.spec.link.scene import Scene
from grapharc.spec.linked import START, Edge, Form, Loop
from grapharc.spec.offers import Field
from grapharc.spec.shipped_types import FAILURE
from grapharc.spec.subtype import is_subtype
from grapharc.spec.types import NULL, OneOf, show

_FAILURE_OR_NULL = OneOf((FAILURE, NULL))


def link_form(model: EdgeModel, path: Path, plain: Edge, scene: Scene) -> Edge | None:
    """Complete an edge. None where it is not known how the edge is taken."""
    forms = [key for key, said in (("when", model.when), ("otherwise", model.otherwise), ("on", model.on)) if said]
    if len(forms) > 1:
        values = {"first": forms[0], "second": forms[1]}
        scene.faults.add("edge_form_conflict", (*path, forms[1]), values, part="key", subject=plain.source)
        return None
    form: Form = "error" if model.on else "arm" if forms else "always"
    if form == "error" and plain.source == START:
        scene.faults.add("error_edge_from_start", (*path, "on"), part="key", subject=plain.source)
        return None
    condition = None
    if model.when is not None:
        condition = link_condition(model.when, Origin((*path, "when")), scene.at(plain.source), plain.source)
        if condition is None:
            return None
    into = _into(model, path, form, scene, plain.source)
    loop = None if model.loop is None else _loop(model.loop, (*path, "loop"), scene, plain.source)
    return replace(plain, form=form, condition=condition, into=into, loop=loop)


def _into(model: EdgeModel, path: Path, form: Form, scene: Scene, source: str) -> str | None:
    """Find the field for failures. It stays, whatever is wrong with it, lest nobody seem to write it."""
    if model.into is None:
        return None
    where = (*path, "into")
    field = _field(model.into, where, scene, source)
    if form != "error":
        scene.faults.add("into_without_error_edge", where, {"field": model.into}, part="key", subject=source)
    elif field is not None and not _takes_failures(scene.fields[field]):
        found = scene.fields[field]
        values = {
            "field": field,
            "found": show(found.type),
            "reducer": found.reducer if found.reducer != "last" else "",
        }
        related = (Related("field_here", found.place),)
        scene.faults.add("into_type_mismatch", where, values, subject=source, related=related)
    return field


def _takes_failures(field: Field) -> bool:
    return field.reducer == "last" and is_subtype(_FAILURE_OR_NULL, field.type)


def _loop(model: LoopModel, path: Path, scene: Scene, source: str) -> Loop:
    progress = (_field(name, (*path, "progress", index), scene, source) for index, name in enumerate(model.progress))
    return Loop(
        model.max_rounds,
        tuple(sorted({name for name in progress if name is not None})),
        model.patience,
        model.exhausted,
        scene.faults.place(path),
        value_at(scene.document.text.value, (*path, "exhausted")) is not None,
    )


def _field(name: str, path: Path, scene: Scene, source: str) -> str | None:
    if name in scene.fields:
        return name
    if not scene.may_have_field(name):
        values = {"field": name, "suggestion": scene.field_names.nearest(name)}
        scene.faults.add("unknown_field", path, values, subject=source)
    return None


class Forms:
    """Holds the edges of one source to each other, and the loops of one header."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._first: dict[tuple[str, str], tuple[Edge, Path]] = {}
        self._told: set[str] = set()

    def add(self, edge: Edge, path: Path) -> None:
        """Look at one more edge."""
        if edge.form == "error":
            self._only_one("second_error_edge", edge, path, "on")
        elif edge.form == "arm":
            self._not_beside(edge, "always")
            if edge.condition is None:
                self._only_one("second_otherwise", edge, path, "otherwise")
        else:
            self._not_beside(edge, "arm")
        self._first.setdefault((edge.source, edge.form), (edge, path))
        if edge.loop is not None:
            self._same_loop(edge, edge.loop, path)

    def _only_one(self, code: str, edge: Edge, path: Path, key: str) -> None:
        before = self._first.setdefault((edge.source, code), (edge, path))
        if before[0] is not edge:
            related = (Related("first_here", self._scene.faults.place((*before[1], key), "key")),)
            values = {"node": edge.source}
            self._scene.faults.add(code, (*path, key), values, part="key", subject=edge.source, related=related)

    def _not_beside(self, edge: Edge, other: Form) -> None:
        before = self._first.get((edge.source, other))
        if before is None or edge.source in self._told:
            return
        self._told.add(edge.source)
        related = (Related("first_here", before[0].place),)
        self._scene.faults.add(
            "mixed_edges", edge.place.path, {"node": edge.source}, subject=edge.source, related=related
        )

    def _same_loop(self, edge: Edge, loop: Loop, path: Path) -> None:
        before, where = self._first.setdefault((edge.target, "loop"), (edge, path))
        if before.loop is not None and replace(before.loop, place=loop.place, named=loop.named) != loop:
            related = (Related("first_here", self._scene.faults.place((*where, "loop"), "key")),)
            values = {"header": edge.target}
            self._scene.faults.add(
                "loop_mismatch", (*path, "loop"), values, part="key", subject=edge.target, related=related
            )
