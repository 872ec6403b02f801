"""The policies as they were and as they are go in; what they let through more, less or otherwise comes out.

A rule that is the same but for its reason or its place says the same. Of one that is neither gone nor new, more or less
is told only where one pattern, tenant or effect makes the whole difference; else the two cannot be compared, and
whoever gates on authority takes that for a widening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from grapharc.policy.diff.both import About, direction_of_amounts, direction_of_sets
from grapharc.policy.diff.change import TURNED, Change, Direction
from grapharc.policy.owner.policy import TIERS, Policy, Rule
from grapharc.policy.owner.selectors import ends_spelt, spelt
from grapharc.spec.documents.graph import ceilings_by_name
from grapharc.spec.finding import Place, Value
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Json

_NOWHERE = Place("")


def policy_changes(old: Sequence[Policy], new: Sequence[Policy]) -> Iterator[Change]:
    """Yield what changed in the policies that hold, whether a graph is stopped by it or not."""
    pairs = _paired(old, new)
    for before, after in pairs:
        if before is None and after is not None:
            yield About("policy", "authority", after.title, {}, Place(after.path)).change("narrows", None, after.digest)
        elif after is None and before is not None:
            about = About("policy", "authority", before.title, {}, Place(before.path))
            yield about.change("widens", before.digest, earlier=True)
        elif before is not None and after is not None and before.digest != after.digest:
            yield from _policy(before, after)


def _paired(old: Sequence[Policy], new: Sequence[Policy]) -> list[tuple[Policy | None, Policy | None]]:
    """A policy is the same that has the same meaning, else the same path, else the same name."""
    pairs: list[tuple[Policy | None, Policy | None]] = []
    left, right = list(old), list(new)
    for same in _SAME:
        for before in list(left):
            after = next((other for other in right if same(other) == same(before)), None)
            if after is not None:
                pairs.append((before, after))
                left.remove(before)
                right.remove(after)
    return [*pairs, *((one, None) for one in left), *((None, one) for one in right)]


_SAME: tuple[Callable[[Policy], str], ...] = (
    lambda policy: policy.digest,
    lambda policy: policy.path,
    lambda policy: policy.title,
)


def _policy(old: Policy, new: Policy) -> Iterator[Change]:
    title = new.title
    for resource in sorted(old.defaults.keys() | new.defaults.keys()):
        before, after = old.default(resource), new.default(resource)
        if before != after:
            values: dict[str, Value] = {"policy": title, "resource": resource}
            about = About("policy_default", "authority", f"{title}: {resource}", values, Place(new.path, ("default",)))
            yield about.change("widens" if after == "allow" else "narrows", before, after)
    if old.tenants != new.tenants:
        about = About("policy_tenants", "authority", title, {}, Place(new.path, ("tenants",)))
        yield about.change(_tenants(old, new), _list(old.tenants), _list(new.tenants))
    yield from _limits(old, new)
    yield from _rules(old, new)


def _list(names: Sequence[str] | None) -> Json:
    return None if names is None else sorted(set(names))


def _tenants(old: Policy, new: Policy) -> Direction:
    """Without a list a policy serves everybody."""
    if old.tenants is None or new.tenants is None:
        return "widens" if new.tenants is None else "narrows"
    return direction_of_sets(old.tenants, new.tenants) if set(old.tenants) != set(new.tenants) else "neutral"


def _limits(old: Policy, new: Policy) -> Iterator[Change]:
    before, after = _ceilings(old), _ceilings(new)
    for name in sorted(before):
        if before[name] != after[name]:
            values: dict[str, Value] = {"policy": new.title, "limit": name}
            about = About("limit", "cost", f"{new.title}: {name}", values, Place(new.path, ("limits", name)))
            yield about.change(direction_of_amounts(before[name], after[name]), before[name], after[name])


def _ceilings(policy: Policy) -> Mapping[str, float | None]:
    ceilings = policy.ceilings
    return {"max_nodes": ceilings.max_nodes, "max_depth": ceilings.max_depth, **ceilings_by_name(ceilings.budget)}


def _rules(old: Policy, new: Policy) -> Iterator[Change]:
    before, after = ({rule.id: rule for rule in policy.rules} for policy in (old, new))
    for identity in sorted(before.keys() | after.keys()):
        rule = after.get(identity) or before[identity]
        values: dict[str, Value] = {"policy": new.title, "rule": identity, "effect": rule.effect}
        about = About("rule", "authority", f"{new.title}: {identity}", values, rule.place)
        if identity not in after:
            yield about.change("narrows" if rule.effect == "allow" else "widens", _said(rule), earlier=True)
        elif identity not in before:
            yield about.change("widens" if rule.effect == "allow" else "narrows", None, _said(rule))
        elif _core(before[identity]) != _core(rule):
            yield about.change(_compare(before[identity], rule), _said(before[identity]), _said(rule))
        elif before[identity].reason != rule.reason:
            yield about.change("neutral", before[identity].reason, rule.reason)


def _core(rule: Rule) -> Rule:
    """A rule without what decides nothing."""
    return replace(
        rule,
        reason="",
        place=_NOWHERE,
        condition=None,
        tenants=tuple(sorted(set(rule.tenants))),
        nodes=tuple(sorted(set(rule.nodes), key=repr)),
        edges=tuple(sorted(set(rule.edges), key=repr)),
        unless_via=tuple(sorted(set(rule.unless_via), key=repr)),
    )


def _compare(old: Rule, new: Rule) -> Direction:
    one, other = _core(old), _core(new)
    if replace(one, effect=other.effect, approver_role=other.approver_role) == other and one.effect != other.effect:
        return "widens" if TIERS.index(other.effect) > TIERS.index(one.effect) else "narrows"
    matching = (one.nodes, one.edges), (other.nodes, other.edges)
    if replace(one, nodes=other.nodes, edges=other.edges) == other:
        grows = direction_of_sets({*matching[0][0], *matching[0][1]}, {*matching[1][0], *matching[1][1]})
        return grows if other.effect == "allow" else TURNED[grows]
    if replace(one, unless_via=other.unless_via) == other and one.unless_via and other.unless_via:
        return direction_of_sets(one.unless_via, other.unless_via)
    return "incomparable"


def _said(rule: Rule) -> str:
    """A rule in one line: enough for people to know it by, and for an approval to notice when it becomes another."""
    core = _core(rule)
    match = ", ".join((*map(spelt, core.nodes), *map(ends_spelt, core.edges)))
    more = [f"tenants {', '.join(core.tenants)}"] if core.tenants else []
    more += [f"when {core.when}"] if core.when else []
    more += [f"unless via {', '.join(map(spelt, core.unless_via))}"] if core.unless_via else []
    more += [f"over {core.over_usd} usd for a {core.basis}"] if core.resource == "spend" else []
    more += [f"role {core.approver_role}"] if core.approver_role else []
    more += ["explicit flows alone"] if not core.implicit else []
    return " ".join([core.effect, core.resource, match, *more])
