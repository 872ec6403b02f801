"""Both sides of a graph go in; what changed in its state comes out: fields, their types, who reads and writes them."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import About, Both, direction_of_sets
from grapharc.policy.diff.change import Change, Direction
from grapharc.spec.canonical import canonical
from grapharc.spec.linked import Node
from grapharc.spec.offers import Field
from grapharc.spec.subtype import is_subtype
from grapharc.spec.types import Missing, Type, show


def state(both: Both) -> Iterator[Change]:
    """Yield what changed in the state of a graph."""
    old, new = {both.now_field(name): field for name, field in both.old.fields.items()}, both.new.fields
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            about = About("field", "state", name, {}, old[name].place)
            yield about.change("narrows", show(old[name].type), earlier=True)
        elif name not in old:
            yield About("field", "state", name, {}, new[name].place).change("widens", None, show(new[name].type))
        else:
            yield from _field(name, old[name], new[name])
    for before, after in both.matched:
        if before.offer.name == after.offer.name:
            yield from _bindings(before, after)


def _field(name: str, old: Field, new: Field) -> Iterator[Change]:
    def about(what: str) -> About:
        return About(what, "state", name, {}, new.place)

    if (way := _direction(old.type, new.type)) is not None:
        yield about("field_type").change(way, show(old.type), show(new.type))
    for key, before, after in (("input", old.input, new.input), ("output", old.output, new.output)):
        if before != after:
            yield about(f"field_{key}").change("widens" if after else "narrows", before, after)
    if old.reducer != new.reducer:
        yield about("field_reducer").change("incomparable", old.reducer, new.reducer)
    if (was := _default(old)) != (now := _default(new)):
        yield about("field_default").change("incomparable", was, now)


def _direction(old: Type, new: Type) -> Direction | None:
    up, down = is_subtype(old, new), is_subtype(new, old)
    if up and down:
        return None if show(old) == show(new) else "neutral"
    return "widens" if up else "narrows" if down else "incomparable"


def _default(field: Field) -> str | None:
    return None if isinstance(field.default, Missing) else canonical(field.default)


def _bindings(old: Node, new: Node) -> Iterator[Change]:
    for key, before, after in (
        ("reads", _reads(old), _reads(new)),
        ("writes", _writes(old), _writes(new)),
    ):
        if before == after:
            continue
        fields = (old.fields_read, new.fields_read) if key == "reads" else (old.fields_written, new.fields_written)
        way: Direction = "incomparable" if set(fields[0]) == set(fields[1]) else direction_of_sets(*fields)
        yield About(f"node_{key}", "state", new.name, {}, new.place).change(way, before, after)


def _reads(node: Node) -> list[str]:
    return sorted(f"{read.port} = {read.expression.text}" for read in node.reads)


def _writes(node: Node) -> list[str]:
    written = [f"{write.port} to {write.field}" for write in node.writes]
    failures = node.map.failures if node.map is not None else None
    return sorted([*written, *([f"failures to {failures}"] if failures else [])])
