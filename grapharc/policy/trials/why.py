"""Policies and a request go in; who decides it comes out, what was beaten, and what would flip the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grapharc.policy.owner.policy import DEFAULT_TENANT, Decision, Effect, Policy, Rule
from grapharc.policy.owner.spelling import spelt
from grapharc.policy.trials.ask import Match, Policies, serves, strictest
from grapharc.policy.trials.question import Request
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.offers import Offer


@frozen
class Answer:
    """What one policy answers. ``beaten`` are rules that match as well and come after; of the rules above the one that
    decides, ``unmet`` are those whose condition does not hold, and ``pending`` those of which only a run knows."""

    decision: Decision
    beaten: tuple[Rule, ...]
    unmet: tuple[Rule, ...]
    pending: tuple[Rule, ...]
    default: Effect


@frozen
class Flip:
    """A change that would give another answer: what to do, in words, and what the answer would be then."""

    change: str
    answer: Effect


@frozen
class Why:
    """The answer that counts, what each policy says, and the nearest changes that would flip it."""

    request: Request
    effect: Effect
    answers: tuple[Answer, ...]
    flips: tuple[Flip, ...]


def why(policies: Sequence[Policy], offers: Mapping[str, Offer], request: Request) -> Why:
    """Explain what policies answer to a request."""
    asked = Policies(policies, offers)
    decisions = asked.decide(request)
    tables = asked.tables(request.tenant)
    pairs = zip(tables, decisions, strict=True)
    answers = tuple(_answer(asked.matching(table, request), decision, request) for table, decision in pairs)
    effect = strictest(decisions)
    return Why(request, effect, answers, tuple(_flips(policies, offers, request, effect, answers)))


def _answer(matches: Sequence[Match], decision: Decision, request: Request) -> Answer:
    above = [match for match in matches if match.rule is not decision.rule]
    numbers = [number for number, match in enumerate(matches) if match.rule is decision.rule]
    if numbers:
        above = list(matches[: numbers[0]])
    beaten = [match.rule for match in (matches[numbers[0] + 1 :] if numbers else ())]
    return Answer(
        decision,
        tuple(rule for rule in beaten if rule is not decision.rule),
        tuple(match.rule for match in above if match.holds is False),
        tuple(match.rule for match in above if match.holds is None),
        default_of(decision.policy, request),
    )


def default_of(policy: Policy, request: Request) -> Effect:
    """Return what a policy answers where no rule decides."""
    if request.resource in ("node", "tool", "edge"):
        return policy.defaults.get(request.resource, "deny")
    return "allow"


def _flips(
    policies: Sequence[Policy],
    offers: Mapping[str, Offer],
    request: Request,
    effect: Effect,
    answers: Sequence[Answer],
) -> Iterator[Flip]:
    strangers = [policy for policy in policies if not serves(policy, request.tenant)]
    if strangers:
        tenants = ", ".join(f"'{tenant}'" for tenant in sorted(strangers[0].tenants or ()))
        yield Flip(f"for a tenant that policy '{strangers[0].title}' serves ({tenants})", "allow")
        return
    yield from _approved(answers, effect)
    yield from _by_the_way(answers, effect)
    yield from _in_the_run(answers, effect)
    yield from _without(policies, offers, request, effect)
    yield from _for_others(policies, offers, request, effect)


def _approved(answers: Sequence[Answer], effect: Effect) -> Iterator[Flip]:
    rules = [answer.decision.rule for answer in answers if effect == "ask" == answer.decision.effect]
    roles = dict.fromkeys(
        f"role '{rule.approver_role}'" if rule.approver_role else "any role" for rule in rules if rule
    )
    if roles:
        yield Flip(f"with the approval of a person in {' and of one in '.join(roles)}", "allow")


def _by_the_way(answers: Sequence[Answer], effect: Effect) -> Iterator[Flip]:
    for answer in answers:
        rule = answer.decision.rule
        if rule is not None and rule.unless_via and answer.decision.effect == effect:
            kinds = " or ".join(f"'{spelt(via)}'" for via in rule.unless_via)
            yield Flip(f"with {kinds} on every way, without rule '{rule.id}'", answer.default)


def _in_the_run(answers: Sequence[Answer], effect: Effect) -> Iterator[Flip]:
    for answer in answers:
        for rule in answer.pending:
            if rule.effect != effect:
                yield Flip(f"where `{rule.when}` holds, by rule '{rule.id}'", rule.effect)
        rule = answer.decision.rule
        if rule is not None and rule.when and answer.decision.effect == effect:
            yield Flip(f"where `{rule.when}` does not hold, without rule '{rule.id}'", answer.default)


def _without(
    policies: Sequence[Policy], offers: Mapping[str, Offer], request: Request, effect: Effect
) -> Iterator[Flip]:
    """Take out what decides, until the answer is another; where a default decides, put in a rule against it."""
    kept, steps = list(policies), list[str]()
    while True:
        decisions = Policies(kept, offers).decide(request)
        now = strictest(decisions)
        if now != effect:
            yield Flip(" and ".join(steps), now)
            return
        number = next(number for number, decision in enumerate(decisions) if decision.effect == effect)
        rule, policy = decisions[number].rule, kept[number]
        if rule is None:
            other: Effect = "allow" if effect == "deny" else "deny"
            steps.append(f"with {_rule_against(request, other)} in policy '{policy.title}'")
            yield Flip(" and ".join(steps), other)
            return
        steps.append(f"without rule '{rule.id}' of policy '{policy.title}'")
        kept[number] = replace(policy, rules=tuple(each for each in policy.rules if each.id != rule.id))


def _rule_against(request: Request, effect: Effect) -> str:
    match = " -> ".join(each if isinstance(each, str) else each.name for each in request.ends)
    over = ", over_usd = 0" if request.resource == "spend" else ""
    return f'{{ effect = "{effect}", resource = "{request.resource}", match = "{match}"{over} }}'


def _for_others(
    policies: Sequence[Policy], offers: Mapping[str, Offer], request: Request, effect: Effect
) -> Iterator[Flip]:
    listed = sorted({tenant for policy in policies for tenant in policy.tenants or ()})
    asked = Policies(policies, offers)
    for tenant in listed:
        if tenant == (request.tenant or DEFAULT_TENANT) or not all(serves(policy, tenant) for policy in policies):
            continue
        situation = replace(request.situation, tenant=tenant)
        answer = strictest(asked.decide(replace(request, tenant=tenant, situation=situation)))
        if answer != effect:
            yield Flip(f"for tenant '{tenant}'", answer)
