"""Both sides of a graph go in; which kinds' data reaches which others more or less, and which labels do, comes out.

Data goes from what a node writes to the field, and from the field to all that read it and may run later. What is left
in the workspace goes to all that may run later and find it there; what is left in a store, to all that look into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from grapharc.policy.diff.both import About, Both
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.side import Side, whole
from grapharc.policy.diff.ways import NO_WAYS, Ways
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.nesting import subgraphs
from grapharc.spec.offers import Capability

WORKSPACE, STORE = "<workspace>", "<store>"
_LEAVES: frozenset[Capability] = frozenset({"write_files", "run_command"})
_FINDS: frozenset[Capability] = frozenset({"read_files", "run_command"})
"""Who leaves something in the workspace, and who finds it there."""


def data(both: Both) -> Iterator[Change]:
    """Yield what changed in where data and labels may go."""
    old, new = _Data(both.old), _Data(both.new)
    for source, target in sorted(old.pairs ^ new.pairs):
        side = new if (source, target) in new.pairs else old
        way = side.told(side.ways.way(source, target))
        values = {"source": source, "target": target, "way": " -> ".join(way)}
        about = About("data_reaches_kind", "authority", f"{source} -> {target}", values, None, way)
        yield about.change("widens" if side is new else "narrows", earlier=side is old)
    for label, target in sorted(old.labelled.keys() ^ new.labelled.keys()):
        side = new if (label, target) in new.labelled else old
        way = side.told(side.labelled[label, target])
        values = {"label": label, "target": target, "way": " -> ".join(way)}
        about = About("label_reaches_kind", "authority", f"{label} -> {target}", values, None, way)
        yield about.change("widens" if side is new else "narrows", earlier=side is old)


@frozen(slots=False)
class _Data:
    side: Side

    @cached_property
    def hops(self) -> Mapping[tuple[str, str], str]:
        """From which node data goes to which other at once, and the field by which it does."""
        if self.side.graph is None:
            return {}
        readers, links = _readers(self.side), _links(self.side)
        later, place = self.side.ways.later, {name: at for at, name in enumerate(self.side.ways.names) if name}
        found: dict[tuple[str, str], str] = {}
        for node in self._plain:
            for field in _written(node):
                for known in _onward(field, links):
                    for reader in readers.get(known, ()):
                        if known == STORE or later[place[reader]] >> place[node.name] & 1:
                            found.setdefault((node.name, reader), field)
        return found

    @cached_property
    def ways(self) -> Ways:
        """Where data may go, by nodes."""
        if self.side.graph is None:
            return NO_WAYS
        names = [node.name for node in self._plain]
        place = {name: number for number, name in enumerate(names)}
        after: list[list[int]] = [[] for _ in names]
        for source, target in sorted(self.hops):
            after[place[source]].append(place[target])
        kinds = tuple(_kinds(node) for node in self._plain)
        own = tuple(node.offer.name for node in self._plain)
        return Ways(tuple(names), own, kinds, tuple(map(tuple, after)))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Whose data reaches whom."""
        return self.ways.pairs()

    @cached_property
    def labelled(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """Which labels reach which kinds, each with the nodes of a way."""
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for label, start, names in self._labels():
            for kind, way in self._reached(names, label):
                found.setdefault((label, kind), (start, *way))
        return found

    def _labels(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield each place that puts a label on data, with the nodes that the data goes to at once."""
        readers, links = _readers(self.side), _links(self.side)
        for name, field in sorted(self.side.fields.items()):
            reading = sorted({reader for known in _onward(name, links) for reader in readers.get(known, ())})
            yield from ((label, name, reading) for label in field.labels)
        for node in self._plain:
            next_ = sorted(target for source, target in self.hops if source == node.name)
            yield from ((label, node.name, next_) for label in sorted(node.labels))

    def _reached(self, starts: Iterable[str], label: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each kind that is reached, with the nodes on the way; what takes the label away hands on none of it."""
        came: dict[str, str] = dict.fromkeys(starts, "")
        todo = list(came)
        for here in todo:
            node = self.side.nodes[here]
            for kind in _kinds(node):
                yield kind, _back(here, came)
            if label in node.offer.endorses:
                continue
            for near in self._next.get(here, ()):
                if near not in came:
                    came[near] = here
                    todo.append(near)

    def told(self, way: tuple[str, ...]) -> tuple[str, ...]:
        """Put the fields between the nodes of a way."""
        if len(way) == 1:
            return way
        steps = [[here, self.hops.get((here, near), "")] for here, near in pairwise(way)]
        return tuple(step for pair in (*steps, [way[-1]]) for step in pair if step)

    @cached_property
    def _next(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for source, target in sorted(self.hops):
            found.setdefault(source, []).append(target)
        return found

    @cached_property
    def _plain(self) -> tuple[Node, ...]:
        """The nodes that run nothing else."""
        return tuple(node for _, node in sorted(self.side.nodes.items()) if node.subgraph is None)


def _kinds(node: Node) -> tuple[str, ...]:
    return tuple(dict.fromkeys(offer.name for offer in (node.offer, *node.held)))


def _back(end: str, came: Mapping[str, str]) -> tuple[str, ...]:
    way = [end]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def _written(node: Node) -> list[str]:
    """The fields, by their whole names, and the other channels that a node writes to."""
    outer = node.name.rpartition("/")[0]
    channels = [WORKSPACE] if _LEAVES.intersection(node.capabilities) else []
    channels += [STORE] if "memory_write" in node.capabilities else []
    return [*(whole(outer, field) for field in node.fields_written), *channels]


def _readers(side: Side) -> Mapping[str, list[str]]:
    """By field or other channel the nodes that read it."""
    found: dict[str, list[str]] = {}
    for name, node in sorted(side.nodes.items()):
        if node.subgraph is not None:
            continue
        channels = [WORKSPACE] if _FINDS.intersection(node.capabilities) else []
        channels += [STORE] if "memory_read" in node.capabilities else []
        outer = name.rpartition("/")[0]
        for field in (*(whole(outer, field) for field in node.fields_read), *channels):
            found.setdefault(field, []).append(name)
    return found


def _onward(field: str, links: Mapping[str, list[str]]) -> list[str]:
    """A field and all into which its value goes as the port of a subgraph."""
    found = [field]
    for here in found:
        found += [near for near in links.get(here, ()) if near not in found]
    return found


def _links(side: Side) -> Mapping[str, list[str]]:
    """The fields into which the value of a field goes where it is a port of a subgraph."""
    found: dict[str, list[str]] = {}
    if side.graph is not None:
        for source, target in _ports(side.graph, ""):
            found.setdefault(source, []).append(target)
    return found


def _ports(graph: LinkedGraph, outer: str) -> Iterator[tuple[str, str]]:
    for name, inner in subgraphs(graph):
        node, called = graph.nodes[name], whole(outer, name)
        items = () if node.map is None else node.map.over.reads
        for read in node.reads:
            for field in (*read.fields, *items):
                yield whole(outer, field), whole(called, read.port)
        for write in node.writes:
            yield whole(called, write.port), whole(outer, write.field)
        yield from _ports(inner, called)
