"""A registry goes in; the text of a policy that says of each of its kinds what it may comes out, to be reviewed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Capability, Offer, Registry

_REASONS: Mapping[Capability, tuple[str, str]] = {
    "write_files": ("no-written-files", "files that are changed outlast the run, and nobody has said which may be"),
    "run_command": ("no-commands", "a command can do whatever its user can"),
    "network": ("no-network", "what leaves for the network cannot be called back"),
    "model": ("no-models", "a model costs money, and what it is asked leaves the house where it is hosted"),
    "memory_write": ("no-memories", "what is remembered steers later runs"),
}
"""What writes, runs or spends: the id and the reason of the rule that denies it."""

_HEAD = """\
# REVIEW THIS. `grapharc policy init` wrote it from what {kinds} say that they touch.
# Nobody has decided anything here yet: read each rule, allow what your graphs need and nothing else, put your own
# reasons in, and take these lines out.
name = "starting"
version = "1"
default = {{ node = "deny", edge = "allow", tool = "deny" }}
"""

_RULE = """
[[rule]]
id = "{id}"
effect = "{effect}"
resource = "node"
match = {match}
reason = {reason}
"""


@frozen
class Started:
    """The text of a policy, and the kinds that it allows and denies."""

    text: str
    allowed: tuple[str, ...]
    denied: tuple[str, ...]


def starting_policy(registry: Registry, path: str = "") -> Started:
    """Write a policy that allows each kind that only reads, by its name, and denies the others by what they touch.

    ``path`` is what the registry is shown under, if somebody named one.
    """
    offers = [registry.offers[name] for name in sorted(registry.offers)]
    reaching = [offer for offer in offers if _reaching(offer)]
    dear = [offer.name for offer in offers if not _reaching(offer) and "usd" in offer.cost]
    denied = sorted([*(offer.name for offer in reaching), *dear])
    allowed = [offer.name for offer in offers if offer.name not in denied]
    kinds = f"the kinds of {path}" if path else "the shipped kinds"
    rules = [_rule(capabilities) for capabilities in _together(reaching)]
    if dear:
        reason = "it costs money, as its manifest says"
        rules.append(_RULE.format(id="no-costs", effect="deny", match=_listed(dear), reason=json.dumps(reason)))
    if allowed:
        reason = "it reads at most: no file, no store and no money is changed by it"
        rules.append(_RULE.format(id="reading", effect="allow", match=_listed(allowed), reason=json.dumps(reason)))
    text = _HEAD.format(kinds=kinds) + "".join(rules)
    return Started(text, tuple(allowed), tuple(denied))


def _reaching(offer: Offer) -> list[Capability]:
    return [capability for capability in _REASONS if capability in offer.capabilities]


def _together(denied: Sequence[Offer]) -> list[list[Capability]]:
    """Part capabilities into rules, each of which denies a kind that no other does."""
    parts: list[list[Capability]] = [[each] for each in _REASONS if any(each in offer.capabilities for offer in denied)]
    while (spare := _spare(parts, denied)) is not None:
        other = next(part for part in parts if part is not spare and _kinds(part, denied) & _kinds(spare, denied))
        other += spare
        parts = [part for part in parts if part is not spare]
    return parts


def _spare(parts: Sequence[list[Capability]], denied: Sequence[Offer]) -> list[Capability] | None:
    for part in parts:
        others = {name for other in parts if other is not part for name in _kinds(other, denied)}
        if _kinds(part, denied) <= others:
            return part
    return None


def _kinds(part: Sequence[Capability], denied: Sequence[Offer]) -> set[str]:
    return {offer.name for offer in denied if any(capability in offer.capabilities for capability in part)}


def _rule(capabilities: Sequence[Capability]) -> str:
    first, *_ = capabilities
    reason = "; ".join(_REASONS[capability][1] for capability in capabilities)
    match = [f"capability:{capability}" for capability in capabilities]
    return _RULE.format(id=_REASONS[first][0], effect="deny", match=_listed(match), reason=json.dumps(reason))


def _listed(names: Sequence[str]) -> str:
    """Names as a list, a line each where one line does not hold them."""
    if len(names) == 1:
        return json.dumps(names[0])
    line = json.dumps(list(names))
    if len(line) <= 100:
        return line
    return "[\n" + "".join(f"  {json.dumps(name)},\n" for name in names) + "]"
