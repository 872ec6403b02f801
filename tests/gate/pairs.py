"""Texts of a graph go in, as it was and as it is; what changed between them, in words and apart, comes out."""

from __future__ import annotations

from collections.abc import Sequence

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.decisions import Elsewhere
from grapharc.policy.diff.diff import GraphDiff, diff
from grapharc.policy.diff.words import say
from grapharc.policy.owner.policy import Policy
from tests.policy.judging import TODAY, linked, opened

ALLOW = 'default = "allow"\n'


def admitted(text: str, *policies: str, registry: str | None = None) -> Admission:
    """Judge a graph, under a policy that allows everything where none is given."""
    named = [opened(policy, f"policy{number}.toml") for number, policy in enumerate(policies or (ALLOW,))]
    return admit(linked(text, registry=registry), named, today=TODAY)


def compared(old: str | None, new: str | None, *policies: str, registry: str | None = None) -> GraphDiff:
    """Compare two texts under the same policies and the same registry."""
    sides = [None if text is None else admitted(text, *policies, registry=registry) for text in (old, new)]
    return diff(*sides)


def under(old: str, new: str, before: Sequence[Policy], after: Sequence[Policy]) -> GraphDiff:
    """Compare two texts, each under its own policies, and each as the other's policies judge it."""
    one, other = linked(old), linked(new)
    elsewhere = Elsewhere(
        (admit(other, before, today=TODAY),),
        (admit(one, after, today=TODAY),),
    )
    return diff(admit(one, before, today=TODAY), admit(other, after, today=TODAY), elsewhere)


def told(found: GraphDiff, category: str) -> list[str]:
    """Say the changes of one category, each after its direction."""
    return [f"{change.direction}: {say(change)}" for change in found.changes if change.category == category]


def apart(changes: Sequence[Change]) -> list[tuple[str, str, str]]:
    """What each change is, without its direction."""
    return sorted((change.category, change.what, change.subject) for change in changes)
