"""Both sides of a graph go in; what changed in its shape comes out: nodes, kinds, arguments, edges, branches, maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grapharc.policy.diff.both import About, Both
from grapharc.policy.diff.change import Change, Direction
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Edge, Form, Map, Node, Retry


def topology(both: Both) -> Iterator[Change]:
    """Yield what changed in the shape of a graph."""
    yield from _graph(both)
    for node in both.gone:
        yield _about("node", node.name, node.place, kind=node.offer.name).change(
            "narrows", node.offer.name, earlier=True
        )
    for node in both.come:
        yield _about("node", node.name, node.place, kind=node.offer.name).change("widens", None, node.offer.name)
    for old, new in both.matched:
        yield from _node(old, new)
    yield from _edges(both)


def _about(what: str, subject: str, place: Place, **values: str) -> About:
    return About(what, "topology", subject, values, place)


def _graph(both: Both) -> Iterator[Change]:
    old, new = both.old.graph, both.new.graph
    if old is None or new is None:
        return
    for key, before, after in (("name", old.name, new.name), ("version", old.version, new.version)):
        if before != after:
            yield _about(f"graph_{key}", key, Place(new.path, (key,))).change("neutral", before, after)


def _node(old: Node, new: Node) -> Iterator[Change]:
    place = new.place
    if old.name != new.name and old.name.rpartition("/")[2] != new.name.rpartition("/")[2]:
        yield _about("node_name", new.name, place).change("neutral", old.name, new.name)
    if old.offer.name != new.offer.name:
        yield _about("node_kind", new.name, place).change("incomparable", old.offer.name, new.offer.name)
        return
    changed = sorted(name for name in old.args.keys() | new.args.keys() if old.args.get(name) != new.args.get(name))
    for name in changed:
        about = _about("node_argument", f"{new.name}.{name}", place, node=new.name, argument=name)
        yield about.change("neutral", old.args.get(name), new.args.get(name))
    if (before := _map(old.map)) != (after := _map(new.map)):
        yield _about("node_map", new.name, place).change("incomparable", before, after)
    if (waits := _retry(old.retry)) != (now := _retry(new.retry)):
        yield _about("node_retry", new.name, place).change("neutral", waits, now)


def _map(map_: Map | None) -> Json:
    """A map without its bounds, which are a matter of cost."""
    if map_ is None:
        return None
    how = "collecting failures" if map_.collect else "failing with an item"
    return f"over {map_.over.text} as {map_.item}, {how}{f' into {map_.failures}' if map_.failures else ''}"


def _retry(retry: Retry | None) -> Json:
    """A retry without its attempts, which are a matter of cost."""
    if retry is None or retry.max_attempts < 2:
        return None
    most = "" if retry.max_backoff_seconds is None else f" to {retry.max_backoff_seconds}"
    return f"after {', '.join(retry.on)}, waiting {retry.backoff_seconds}{most} s"


@frozen(order=True)
class _Key:
    """What tells the edges of a graph apart, by their new names, but for their conditions."""

    source: str
    target: str
    form: Form
    goes_back: bool
    used_up: bool

    @property
    def subject(self) -> str:
        return f"{self.source} -> {self.target}"

    @property
    def how(self) -> str:
        if self.used_up:
            return "taken when its loop is used up"
        back = " and goes back" if self.goes_back else ""
        return {"always": "always taken", "arm": "an arm of a branch", "error": "taken on an error"}[self.form] + back


def _edges(both: Both) -> Iterator[Change]:
    old = _by_key(both.old.edges, both.now)
    new = _by_key(both.new.edges, str)
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key, []), new.get(key, [])
        about = _about("edge", key.subject, (after or before)[0].place, how=key.how)
        for _ in after[len(before) :]:
            yield about.change("widens", None, key.how)
        for _ in before[len(after) :]:
            yield about.change("narrows", key.how, earlier=not after)
        yield from _same_edge(key, before, after)
    yield from _orders(both)


def _by_key(edges: tuple[Edge, ...], now: Callable[[str], str]) -> dict[_Key, list[Edge]]:
    found: dict[_Key, list[Edge]] = {}
    for edge in edges:
        source, target = now(edge.source), now(edge.target)
        found.setdefault(_Key(source, target, edge.form, edge.loop is not None, False), []).append(edge)
        if edge.loop is not None:
            leads = now(edge.loop.exhausted)
            found.setdefault(_Key(source, leads, edge.form, False, True), []).append(edge)
    return found


def _same_edge(key: _Key, old: list[Edge], new: list[Edge]) -> Iterator[Change]:
    if key.used_up:
        return
    for before, after in zip(old, new, strict=False):
        if (was := _when(before)) != (now := _when(after)):
            yield _about("branch_condition", key.subject, after.part("when")).change("incomparable", was, now)
        if before.into != after.into:
            about = About("edge_into", "state", key.subject, {}, after.part("into"))
            yield about.change("incomparable", before.into, after.into)
        if before.loop is not None and after.loop is not None and before.loop.named != after.loop.named:
            about = _about("loop_end", key.subject, after.loop.place)
            yield about.change("neutral", _loop_end(before), _loop_end(after))
        if before.loop is not None and after.loop is not None and before.loop.progress != after.loop.progress:
            one, other = sorted(before.loop.progress), sorted(after.loop.progress)
            yield _about("loop_progress", key.target, after.loop.place).change(_progress(one, other), one, other)


def _loop_end(edge: Edge) -> Json:
    """What an end is that a used up loop leads to: one that its author named is regular."""
    return None if edge.loop is None else "finished" if edge.loop.named else "capped"


def _when(edge: Edge) -> str | None:
    if edge.condition is not None:
        return edge.condition.text
    return "otherwise" if edge.form == "arm" else None


def _progress(before: list[str], after: list[str]) -> Direction:
    """A loop that looks at nothing goes on until its rounds are used up; at more fields, whenever one more changes."""
    if not before or not after:
        return "widens" if before else "narrows"
    one, other = set(before), set(after)
    return "widens" if one < other else "narrows" if other < one else "incomparable"


def _orders(both: Both) -> Iterator[Change]:
    """Yield the branches of which arms that stand on both sides are tried in another order."""
    old, new = _arms(both.old.edges, both.now), _arms(both.new.edges, str)
    for source in sorted(old.keys() & new.keys()):
        before = [arm for arm in old[source] if arm in new[source]]
        after = [arm for arm in new[source] if arm in old[source]]
        if before != after and len(set(before)) == len(before):
            place = both.new.nodes[source].place if source in both.new.nodes else None
            about = About("branch_order", "topology", source, {}, place)
            yield about.change("incomparable", [when for _, when in before], [when for _, when in after])


def _arms(edges: tuple[Edge, ...], now: Callable[[str], str]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for edge in edges:
        if edge.form == "arm" and edge.condition is not None:
            source, target = now(edge.source), now(edge.target)
            found.setdefault(source, []).append((target, edge.condition.text))
    return found
