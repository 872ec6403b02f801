"""An edge rule goes in; a way round it comes out: kinds that may stand between two ends that the rule keeps apart.

A kind in between has no other match than it must have, so of all that match the same edges one is enough, and of those
that match less than others only they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grapharc.policy.lint.column import Column, is_as_strict
from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.subjects import Subject
from grapharc.policy.owner.policy import Rule
from grapharc.spec.frozen import frozen


@frozen
class _Between:
    """A kind that may stand in between, with the edges that it is stopped from coming by, and from going on by."""

    subject: Subject
    into: int
    out: int


def way_round(linting: Linting, rule: Rule, tenant: str) -> tuple[Subject, ...] | None:
    """Return the shortest way between ends that an edge rule keeps apart; None where there is none, or a path rule."""
    edges, paths = linting.column("edge", tenant), linting.column("path", tenant)
    stops = edges.of(_standing(edges.rules, rule))
    twins = paths.of(_standing(paths.rules, rule))
    between = _between(linting, rule, tenant, edges, stops)
    for number in edges.numbers(rule):
        sources, targets = (_ends(edges, paths, number, end, stops, twins) for end in (0, 1))
        for source, out, from_twins in sources:
            for target, into, to_twins in targets:
                if not from_twins & to_twins and (way := _way(out, into, between)) is not None:
                    return (source, *way, target)
    return None


def _standing(rules: Sequence[Rule], rule: Rule) -> Iterator[Rule]:
    """The rules that certainly stop what the rule stops. A path rule is its twin whatever it wants on the way."""
    for other in rules:
        if is_as_strict(other.effect, rule.effect) and other.when in ("", rule.when):
            yield other


def _ends(
    edges: Column, paths: Column, number: int, end: int, stops: int, twins: int
) -> list[tuple[Subject, int, int]]:
    need = [edges.rows[number].needs(end)]
    found = {
        (edges.mask(subject, end) & stops, paths.mask(subject, end) & twins): subject
        for subject in edges.subjects(need, end)
    }
    return [(subject, stopped, twin) for (stopped, twin), subject in found.items()]


def _between(linting: Linting, rule: Rule, tenant: str, edges: Column, stops: int) -> list[_Between]:
    nodes = linting.column("node", tenant)
    kept_out = nodes.of(other for other in nodes.rules if other.effect == "deny" and other.when in ("", rule.when))
    found: dict[tuple[int, int], _Between] = {}
    for subject in nodes.subjects((), 0):
        if not nodes.mask(subject, 0) & kept_out:
            into, out = edges.mask(subject, 1) & stops, edges.mask(subject, 0) & stops
            found.setdefault((into, out), _Between(subject, into, out))
    least: list[_Between] = []
    for one in sorted(found.values(), key=lambda one: one.into.bit_count() + one.out.bit_count()):
        if not any(less.into & one.into == less.into and less.out & one.out == less.out for less in least):
            least.append(one)
    return least


def _way(out: int, into: int, between: Sequence[_Between]) -> tuple[Subject, ...] | None:
    """The fewest kinds over which edges that nothing stops lead from one end to the other."""
    ways = [(one, (one.subject,)) for one in between if not out & one.into]
    seen = {id(one) for one, _ in ways}
    while ways:
        for last, way in ways:
            if not last.out & into:
                return way
        ways = [(one, (*way, one.subject)) for last, way in ways for one in between if not last.out & one.into]
        ways = [(one, way) for one, way in ways if id(one) not in seen and not seen.add(id(one))]
    return None
