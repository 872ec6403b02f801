"""Kinds and policies for tests that need no document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapharc.policy.owner.policy import Ceilings, Policy, Rule
from grapharc.policy.owner.selectors import EdgeSelector, Fault, parse_ends, parse_kind
from grapharc.spec.document import Text
from grapharc.spec.documents.policy import Effect, Resource
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Path
from grapharc.spec.offers import Capability, Kind, Offer
from grapharc.spec.source import Source, Span

NOWHERE = Place("nowhere.toml")


class NoLayout:
    """A layout of a document that was never written."""

    def span(self, path: Path, part: str = "value") -> Span:
        return Span(0, 0)

    def inner(self, path: Path, within: Span) -> Span:
        return within


TEXT = Text(Source("policy.toml", ""), "toml", {}, NoLayout(), complete=True)


def offer(name: str, alias: str = "", capabilities: Sequence[Capability] = (), labels: Sequence[str] = ()) -> Offer:
    """A kind under its own name or an alias."""
    kind = Kind(
        name=name,
        version="1",
        summary="",
        entry="",
        manifest="kinds.toml",
        capabilities=tuple(capabilities),
        labels=tuple(labels),
        endorses=(),
        idempotent=True,
        tool=False,
        reads={},
        writes={},
        args={},
        cost={},
        env=(),
        place=NOWHERE,
    )
    return Offer(alias or name, kind, {}, kind.capabilities, kind.labels, (), {}, NOWHERE)


def rule(identity: str, effect: Effect, match: str, tenants: Sequence[str] = (), reason: str = "") -> Rule:
    """A rule over edges if its pattern has an arrow, else over nodes."""
    if "->" in match:
        edge = parse_ends(match, "edge")
        assert isinstance(edge, EdgeSelector)
        return Rule(identity, effect, "edge", (), (edge,), tuple(tenants), reason, "", NOWHERE)
    node = parse_kind(match, "a rule over nodes")
    assert not isinstance(node, Fault)
    return Rule(identity, effect, "node", (node,), (), tuple(tenants), reason, "", NOWHERE)


def policy(*rules: Rule, defaults: Mapping[Resource, Effect] | None = None, name: str = "p") -> Policy:
    """A policy of rules, denying what they leave out unless told otherwise."""
    return Policy(name, "1", "sha256:0", rules, defaults or {}, Ceilings(), None, TEXT, ())
