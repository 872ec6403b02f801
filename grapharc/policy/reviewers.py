"""A case goes in; each pair of a role that reviews claims and a role that wrote some of them comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.policy.places import kind_place, row_of
from grapharc.spec.finding import Place, Related, Step
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

    @property
    def related(self) -> tuple[Related, ...]:
        """Where the author's node is, and where the reviewer's model."""
        author = self.trail.node
        return (
            Related("words_from_here", author.place, {"node": author.name, "role": self.author.name}),
            Related("role_here", self.reviewer.place),
        )

    @property
    def witness(self) -> tuple[Step, ...]:
        """The way of the author's words."""
        return tuple(Step(node.name, node.place) for node in self.trail.nodes)


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
