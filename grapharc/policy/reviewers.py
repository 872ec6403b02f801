"""A case goes in; each pair of a role that reviews claims and one that wrote some comes out, or what is found of it."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import kind_place, row_of
from grapharc.spec.finding import Finding, Place, Related, Step, Value
from grapharc.spec.flow.authors import Review, Trail
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import value_at
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.offers import Role


@frozen
class Pair:
    """Who reviews, at which node, and who wrote; the trail leads from the author's node to the reviewer's."""

    node: Node
    reviewer: Role
    author: Role
    trail: Trail
    place: Place

    @property
    def is_same(self) -> bool:
        """Whether they are one role, or two names for one model; of mocks it is the file that counts."""
        if self.author.name == self.reviewer.name or self.author.spec == self.reviewer.spec:
            return True
        return self.author.file is not None and self.author.file == self.reviewer.file


def pairs(case: Case) -> Iterator[Pair]:
    """Yield the pairs of a graph and all in it, each once for a place; a subgraph is looked at within the whole."""
    if case.graph.led_by:
        return
    told: set[tuple[Place, str]] = set()
    for review in case.flow.reviews:
        for pair in _of_review(review, case.graph):
            if (pair.place, pair.author.name) not in told:
                told.add((pair.place, pair.author.name))
                yield pair


def of_pair(code: str, pair: Pair, **more: Value) -> Finding:
    """Return a finding about a pair: with both roles, and the way of the author's words as its witness."""
    author = pair.trail.node
    related = (
        Related("words_from_here", author.place, {"node": author.name, "role": pair.author.name}),
        Related("role_here", pair.reviewer.place),
    )
    values: dict[str, Value] = {"role": pair.author.name, "reviewer": pair.reviewer.name, **more}
    witness = tuple(Step(node.name, node.place) for node in pair.trail.nodes)
    return Finding(code, pair.place, values, subject=pair.node.name, related=related, witness=witness)


def _of_review(review: Review, graph: LinkedGraph) -> Iterator[Pair]:
    roles = graph.registry.roles
    reviewer = roles.get(str(review.node.args.get("reviewer")))
    if reviewer is None:
        return
    place = _reviewer_place(graph, review.node)
    for trail in review.authors:
        for name in trail.node.roles:
            yield Pair(review.node, reviewer, roles[name], trail, place)


def _reviewer_place(graph: LinkedGraph, node: Node) -> Place:
    """Where the reviewer is named; where that is pinned, the kind."""
    path = (*row_of(node), "args", "reviewer")
    text = graph.texts.get(node.place.document, graph.document)
    named = "reviewer" not in node.offer.pins and value_at(text.value, path) is not None
    return Place(node.place.document, path) if named else kind_place(graph, node)
