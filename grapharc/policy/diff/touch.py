"""Both sides of a graph go in; what changed in what it may touch comes out: capabilities, models, labels, arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.policy.diff.both import About, Both, direction_of_paths
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.side import Side
from grapharc.spec.arguments.formats import ROOT, WORKSPACE_PATH, formatted, shape_of
from grapharc.spec.linked import Node
from grapharc.spec.offers import Capability

EFFECTS: frozenset[Capability] = frozenset({"network", "write_files", "run_command", "memory_write"})
"""With one of these a node leaves something behind, and what it is given decides what."""

GUARDED = (ROOT, WORKSPACE_PATH, "approver-role")
"""Formats of strings that say where a kind may go and who is asked, whatever the kind does."""


def touch(both: Both) -> Iterator[Change]:
    """Yield what changed in what a graph may touch."""
    yield from _capabilities(both)
    yield from _models(both)
    yield from _labels(both)
    for old, new in both.matched:
        if old.offer.name == new.offer.name and new.subgraph is None:
            yield from _given(both, old, new)


def _capabilities(both: Both) -> Iterator[Change]:
    old, new = _by_capability(both.old), _by_capability(both.new)
    for capability in sorted(old.keys() ^ new.keys()):
        is_new = capability in new
        node = (new if is_new else old)[capability]
        about = About("capability", "authority", capability, {"node": node.name}, node.place, (node.name,))
        yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _by_capability(side: Side) -> Mapping[str, Node]:
    found: dict[str, Node] = {}
    for node in side.nodes.values():
        if node.subgraph is None:
            for capability in node.capabilities:
                found.setdefault(capability, node)
    return found


def _models(both: Both) -> Iterator[Change]:
    old, new = _by_model(both.old), _by_model(both.new)
    for spec in sorted(old.keys() ^ new.keys()):
        is_new = spec in new
        node, role = (new if is_new else old)[spec]
        about = About("model_reached", "authority", spec, {"node": node.name, "role": role}, node.place, (node.name,))
        yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _by_model(side: Side) -> Mapping[str, tuple[Node, str]]:
    """Each model behind a role that a node names, with the first such node."""
    found: dict[str, tuple[Node, str]] = {}
    if side.graph is not None:
        for node in side.nodes.values():
            for name in node.roles:
                role = side.graph.registry.roles.get(name)
                if role is not None:
                    found.setdefault(role.spec, (node, name))
    return found


def _labels(both: Both) -> Iterator[Change]:
    """A label that a field, or a kind that is on both sides, no longer puts on what is written is a bar that falls."""
    old = {both.now_field(name): field for name, field in both.old.fields.items()}
    rows: list[tuple[str, str, Iterable[str], Iterable[str]]] = [
        ("field", name, old[name].labels, both.new.fields[name].labels)
        for name in sorted(old.keys() & both.new.fields.keys())
    ]
    for before, after in both.matched:
        if before.offer.name == after.offer.name and after.subgraph is None:
            rows.append(("node", after.name, before.labels, after.labels))
        rows += _written_elsewhere(both, before, after)
    for whose, name, before, after in rows:
        for label in sorted(set(before) ^ set(after)):
            about = About(
                "label_lost", "authority", f"{label} of {whose} {name}", {"label": label, "whose": f"{whose} '{name}'"}
            )
            yield about.change("narrows" if label in after else "widens", label in before, label in after)


def _written_elsewhere(both: Both, old: Node, new: Node) -> Iterator[tuple[str, str, Iterable[str], Iterable[str]]]:
    """The labels of what a node writes by a port, where that is another field now: the same data without a label."""
    before = {write.port: _outer(old, write.field) for write in old.writes}
    for write in new.writes:
        name, other = before.get(write.port), _outer(new, write.field)
        if name is not None and both.now_field(name) != other and name in both.old.fields:
            after = both.new.fields.get(other)
            yield "port", f"{new.name}.{write.port}", both.old.fields[name].labels, after.labels if after else ()


def _outer(node: Node, field: str) -> str:
    """A field of the graph that a node stands in, by the whole way to it."""
    outer, slash, _ = node.name.rpartition("/")
    return f"{outer}{slash}{field}"


def _given(both: Both, old: Node, new: Node) -> Iterator[Change]:
    """What a node with effects is given; of every other, what says where it may go, who is asked and which model."""
    effects = bool(EFFECTS.intersection(new.capabilities) | EFFECTS.intersection(old.capabilities))
    formats = _formats(old) | _formats(new)
    guarded = {name for name, format_ in formats if format_ in GUARDED}
    if _models_of(both.old, old) != _models_of(both.new, new):
        guarded |= {name for name, format_ in formats if format_ == "role"}
    for name in sorted(old.args.keys() | new.args.keys()):
        before, after = old.args.get(name), new.args.get(name)
        if before != after and (effects or name in guarded):
            values = {"node": new.name, "kind": new.offer.name, "what": f"argument '{name}'"}
            about = About("given", "authority", f"{new.name}.{name}", values, new.place)
            is_path = not formats.isdisjoint(((name, ROOT), (name, WORKSPACE_PATH)))
            yield about.change(direction_of_paths(before, after) if is_path else "incomparable", before, after)
    yield from _ports(old, new, effects)


def _formats(node: Node) -> set[tuple[str, str]]:
    """The arguments of a node that are strings of a format, or hold some, each with the format."""
    found = formatted(shape_of(node.offer.kind.args), node.args)
    return {(str(path[0]), format_) for path, format_, _ in found}


def _models_of(side: Side, node: Node) -> set[str]:
    """The models behind the roles that a node names."""
    if side.graph is None:
        return set()
    roles = side.graph.registry.roles
    return {roles[name].spec for name in node.roles if name in roles}


def _ports(old: Node, new: Node, effects: bool) -> Iterator[Change]:
    before, after = ({read.port: read.expression.text for read in node.reads} for node in (old, new))
    kinds = (old.offer.kind, new.offer.kind)
    guarded = {name for kind in kinds for name, port in kind.reads.items() if port.format in GUARDED}
    for port in sorted(before.keys() | after.keys()):
        if before.get(port) != after.get(port) and (effects or port in guarded):
            values = {"node": new.name, "kind": new.offer.name, "what": f"port '{port}'"}
            about = About("given", "authority", f"{new.name}.{port}", values, new.place)
            yield about.change("incomparable", before.get(port), after.get(port))
