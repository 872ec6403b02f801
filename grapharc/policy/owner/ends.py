"""Selectors of rules over paths and flows go in; the nodes of an unfolded graph that they select come out.

A node is what its kind is and what each kind is that it holds. The kind ``graph`` is no end: what runs inside is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grapharc.policy.owner.selectors import EdgeSelector, Glob, HasLabel, Selector, spelt
from grapharc.policy.owner.selects import selects
from grapharc.spec.flow.cells import Question, Spread
from grapharc.spec.flow.spread import spread
from grapharc.spec.flow.unfolded import Unfolded
from grapharc.spec.globs import matches
from grapharc.spec.linked import END, START, Node
from grapharc.spec.offers import Offer


class Ends:
    """What selectors select, each found once."""

    def __init__(self, graph: Unfolded) -> None:
        self.graph = graph
        self._by_kind: dict[tuple[Selector, int], bool] = {}
        self._selected: dict[Selector, frozenset[int]] = {}
        self._via: dict[tuple[Selector, ...], frozenset[int]] = {}
        self._endorsing: dict[str, frozenset[int]] = {}
        self._spread: dict[tuple[Selector, frozenset[int], bool], Spread] = {}

    def selected(self, selector: Selector) -> frozenset[int]:
        """Return the spots of the nodes that an end of a rule selects, by what they are or hold."""
        known = self._selected.get(selector)
        if known is None:
            nodes = self.graph.nodes.items()
            known = frozenset(spot for spot, node in nodes if any(self.fits(selector, one) for one in _parts(node)))
            self._selected[selector] = known
        return known

    def fits(self, selector: Selector, offer: Offer) -> bool:
        """Tell whether a selector selects a kind, by its manifest's name or its alias."""
        key = selector, id(offer)
        if key not in self._by_kind:
            self._by_kind[key] = selects(selector, offer, "deny")
        return self._by_kind[key]

    def kind(self, selector: Selector, spot: int) -> str:
        """Say what a selector selects at a spot: the name in use of a kind, itself for a label or an end of the run."""
        node = self.graph.nodes.get(spot)
        if node is None or isinstance(selector, HasLabel):
            return spelt(selector)
        if self.fits(selector, node.offer):
            return node.offer.name
        return next((one.name for one in node.held if self.fits(selector, one)), spelt(selector))

    def via(self, selectors: Sequence[Selector]) -> frozenset[int]:
        """Return the spots of the nodes that stand for what must be passed.

        That is a permission: as an allow does, it looks at the kind's name in use, and not at what an agent holds.
        """
        key = tuple(selectors)
        if key not in self._via:
            stands: dict[int, bool] = {}
            for node in self.graph.nodes.values():
                if id(node.offer) not in stands:
                    stands[id(node.offer)] = any(selects(one, node.offer, "allow") for one in key)
            self._via[key] = frozenset(spot for spot, node in self.graph.nodes.items() if stands[id(node.offer)])
        return self._via[key]

    def endorsing(self, label: str) -> frozenset[int]:
        """Return the spots of the nodes whose kinds take a label from what passes through them."""
        if label not in self._endorsing:
            nodes = self.graph.nodes.items()
            self._endorsing[label] = frozenset(spot for spot, node in nodes if label in node.offer.endorses)
        return self._endorsing[label]

    def labelling(self, label: str) -> frozenset[int]:
        """Return the spots of the nodes that add a label to all they write, subgraphs among them."""
        adding: set[int] = set()
        for copy in self.graph.copies:
            for number in copy.inside:
                node = copy.layout.nodes[number]
                if node is not None and label in node.offer.labels:
                    adding.add(copy.base + number)
        return self.selected(HasLabel(label)) | adding

    def spread(self, source: Selector, via: frozenset[int], implicit: bool) -> Spread:
        """Follow all data that begins at an end of a rule over flows, once for all rules that ask the same."""
        key = source, via, implicit
        if key not in self._spread:
            label = source.name if isinstance(source, HasLabel) else ""
            sources = self.labelling(label) if label else self.selected(source)
            endorsing = self.endorsing(label) if label else frozenset[int]()
            self._spread[key] = spread(self.graph, Question(sources, via, endorsing, label, is_start(source), implicit))
        return self._spread[key]

    def holding_both(
        self, ends: EdgeSelector, via: frozenset[int], *, within_kind: bool
    ) -> Iterator[tuple[int, str, str]]:
        """Yield the nodes that are or hold both ends, with the names of the kinds; nobody looks inside them.

        What an agent holds it may use in any order and again. A kind that is both ends by itself counts too where a
        rule over what it takes in asks (``within_kind``), unless one end is but a wider word for the other.
        """
        for spot in sorted(self.selected(ends.source) & self.selected(ends.target) - via, key=self.graph.name):
            node = self.graph.nodes[spot]
            for source in _parts(node):
                found = self._other_end(node, source, ends, within_kind)
                if self.fits(ends.source, source) and found is not None:
                    yield spot, source.name, found.name
                    break

    def _other_end(self, node: Node, source: Offer, ends: EdgeSelector, within_kind: bool) -> Offer | None:
        for target in _parts(node):
            if source is target and source is node.offer:
                counts = within_kind and not (covers(ends.source, ends.target) or covers(ends.target, ends.source))
            else:
                counts = True
            if counts and self.fits(ends.target, target):
                return target
        return None


def covers(wide: Selector, narrow: Selector) -> bool:
    """Tell, by the words alone, whether whatever one selector selects the other selects too."""
    if wide == narrow or wide == Glob("*"):
        return True
    if not isinstance(wide, Glob) or not isinstance(narrow, Glob) or "?" in wide.pattern:
        return False
    return matches(wide.pattern, narrow.pattern)


def is_start(selector: Selector) -> bool:
    """Tell whether an end is the start of the run, spelled out."""
    return selector == Glob(START)


def is_end(selector: Selector) -> bool:
    """Tell whether an end is the end of the run, spelled out."""
    return selector == Glob(END)


def _parts(node: Node) -> Iterable[Offer]:
    return (node.offer, *node.held)
