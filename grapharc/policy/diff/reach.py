"""Both sides of a graph go in; which kinds it reaches more or less comes out, and past which guards no longer.

A guard is a kind that takes a label away or asks a person, or one that a policy wants to stand on every way.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from grapharc.policy.diff.both import About, Both
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.side import Side
from grapharc.policy.diff.ways import Pair
from grapharc.policy.owner.selectors import Glob, HasCapability, HasLabel, Selector
from grapharc.policy.places import arrows
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import matches
from grapharc.spec.offers import Offer


def reach(both: Both) -> Iterator[Change]:
    """Yield what changed in the kinds that a graph has, and in which of them can follow which."""
    old, new = _Reach(both.old), _Reach(both.new)
    yield from _kinds(old, new)
    yield from _pairs(old, new)
    yield from _guards(old, new)


@frozen(slots=False)
class _Reach:
    side: Side

    @cached_property
    def kinds(self) -> dict[str, Offer]:
        """Every kind that a node is of or holds."""
        offers = [offer for node in self.side.nodes.values() for offer in (node.offer, *node.held)]
        return {offer.name: offer for offer in offers}

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        return self.side.ways.pairs()

    @cached_property
    def guards(self) -> frozenset[str]:
        policies = self.side.admission.policies if self.side.admission is not None else ()
        wanted = [selector for policy in policies for rule in policy.rules for selector in rule.unless_via]
        return frozenset(
            name
            for name, offer in self.kinds.items()
            if offer.endorses or "human" in offer.capabilities or any(_is_wanted(one, offer) for one in wanted)
        )

    def past(self, guard: str) -> frozenset[Pair]:
        """Return who reaches whom on ways on which the guard does not stand."""
        if guard not in self._past:
            self._past[guard] = self.side.ways.pairs(guard) if guard in self.kinds else self.pairs
        return self._past[guard]

    @cached_property
    def _past(self) -> dict[str, frozenset[Pair]]:
        return {}

    def place(self, kind: str) -> Place | None:
        nodes = [
            node for node in self.side.nodes.values() if any(offer.name == kind for offer in (node.offer, *node.held))
        ]
        return nodes[0].place if nodes else None


def _is_wanted(selector: Selector, offer: Offer) -> bool:
    match selector:
        case Glob():
            return matches(selector.pattern, offer.name) or matches(selector.pattern, offer.kind.name)
        case HasCapability():
            return selector.name in offer.capabilities
        case HasLabel():
            return selector.name in offer.labels
        case _:
            return False


def _kinds(old: _Reach, new: _Reach) -> Iterator[Change]:
    for kind in sorted(old.kinds.keys() ^ new.kinds.keys()):
        is_new = kind in new.kinds
        side = new if is_new else old
        way = side.side.ways.way("", kind)
        touches = ", ".join(side.kinds[kind].capabilities) or "nothing"
        about = About("kind_reached", "authority", kind, {"touches": touches}, side.place(kind), way)
        yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _pairs(old: _Reach, new: _Reach) -> Iterator[Change]:
    for source, target in sorted(old.pairs ^ new.pairs):
        is_new = (source, target) in new.pairs
        side = new if is_new else old
        about = _way("kind_follows_kind", source, target, "", side)
        yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _guards(old: _Reach, new: _Reach) -> Iterator[Change]:
    """A pair that is reached on both sides, but on one of them only past the guard."""
    for guard in sorted(old.guards | new.guards):
        before, after = old.past(guard), new.past(guard)
        for source, target in sorted((before ^ after) & old.pairs & new.pairs):
            if guard not in (source, target):
                is_new = (source, target) in after
                about = _way("guard_passed_by", source, target, guard, new if is_new else old)
                yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _way(what: str, source: str, target: str, guard: str, side: _Reach) -> About:
    way = side.side.ways.way(source, target, guard)
    values = {"source": source, "target": target, "guard": guard, "way": arrows(way)}
    subject = f"{source} -> {target}" + (f" without {guard}" if guard else "")
    return About(what, "authority", subject, values, side.place(target), way)
