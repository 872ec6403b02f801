"""A node and what it is given in a run go in; what the policies answer comes out, by the grounds of the admission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.policy.owner.decide import Ruling, answer
from grapharc.policy.owner.grounds import Asker, Grounds
from grapharc.policy.owner.situation import Situation, told
from grapharc.spec.arguments.defaults import with_defaults
from grapharc.spec.arguments.given import NotTaken, Pinned
from grapharc.spec.arguments.opened import paths_of
from grapharc.spec.arguments.schema_walk import properties_of
from grapharc.spec.documents.policy import Resource
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Node
from grapharc.spec.offers import Offer
from grapharc.spec.types import JSON, Missing
from grapharc.spec.values import conform


@frozen
class Held:
    """A kind that a node holds, and the node."""

    grounds: Grounds
    asker: Asker
    offer: Offer

    def complete(self, given: Mapping[str, object]) -> dict[str, Json]:
        """Return all that the kind is called with: what is pinned, what is given, and defaults for the rest.

        Paths in the workspace are in the form in which rules see them. Raises NotTaken for a name that the kind does
        not take, and Pinned for one that is pinned.
        """
        kind = self.offer.kind
        for name in given:
            if name in self.offer.pins:
                raise Pinned(name)
            if name not in kind.reads and name not in properties_of(kind.args):
                raise NotTaken(name)
        plain = {name: conform(JSON)(value) for name, value in given.items()}
        args = with_defaults(
            {name: plain[name] for name in plain if name not in kind.reads}, kind.args, self.offer.pins
        )
        ports = {port.name: port.default for port in kind.reads.values() if not isinstance(port.default, Missing)}
        whole = {**ports, **args, **plain, **self.offer.pins}
        return paths_of(kind).normal(whole)

    def judge(self, arguments: Mapping[str, Json]) -> tuple[Ruling, ...]:
        """Return what every policy answers to using the kind with complete arguments."""
        situation = given_to(self.grounds.at(self.asker), self.offer, arguments)
        return (ruling_on(self.grounds, "tool", self.offer, self.asker.node, situation),)


@frozen
class Deciding:
    """A node of which the run decides whether it may be activated."""

    grounds: Grounds
    asker: Asker

    def judge(self, arguments: Mapping[str, object]) -> tuple[Ruling, ...]:
        """Return what every policy answers to activating the node with these arguments and inputs."""
        node = self.asker.node
        plain = {name: conform(JSON)(value) for name, value in arguments.items()}
        situation = given_to(self.grounds.at(self.asker), node.offer, {**node.args, **plain})
        resources: tuple[Resource, ...] = ("node", "tool") if node.offer.kind.tool else ("node",)
        return tuple(ruling_on(self.grounds, resource, node.offer, node, situation) for resource in resources)


def deciding(grounds: Grounds, rulings: Iterable[Ruling]) -> Mapping[str, Deciding]:
    """Return the nodes of which rulings leave something to the run, by their whole names."""
    names = {
        node.name
        for ruling in rulings
        if ruling.resource in ("node", "tool") and ruling.pending
        for node in ruling.nodes
        if node.offer.name == ruling.ends[0]
    }
    return {asker.name: Deciding(grounds, asker) for asker in grounds.askers() if asker.name in names}


def held(grounds: Grounds) -> Mapping[str, Mapping[str, Held]]:
    """Return what nodes hold, by their whole names and the names of the kinds."""
    return {
        asker.name: {offer.name: Held(grounds, asker, offer) for offer in asker.node.held}
        for asker in grounds.askers()
        if asker.node.held
    }


def given_to(situation: Situation, offer: Offer, arguments: Mapping[str, Json]) -> Situation:
    """Return the situation of a kind that is called with these arguments and inputs: nothing is unknown any more."""
    return situation.given(*told(offer, arguments))


def ruling_on(grounds: Grounds, resource: Resource, offer: Offer, node: Node, situation: Situation) -> Ruling:
    """Return what every policy answers to one request."""
    holds = grounds.holds(offer, situation)
    decisions = tuple(answer(table, resource, offer, holds) for table in grounds.tables)
    return Ruling(resource, (offer.name,), decisions, nodes=(node,))
