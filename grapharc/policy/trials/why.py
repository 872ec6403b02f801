"""Policies and a request go in; who decides it comes out, what was beaten, and what would flip the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grapharc.policy.owner.policy import BETWEEN_ENDS, DEFAULT_TENANT, ONLY_RESTRICTS, Decision, Policy, Rule, strictest
from grapharc.policy.owner.selectors import EdgeSelector, Fault, Glob, Selector, parse_ends, parse_kind, spelt
from grapharc.policy.owner.selects import selects
from grapharc.policy.trials.ask import Match, Policies
from grapharc.policy.trials.question import Request, nameless_kind
from grapharc.spec.documents.policy import Effect
from grapharc.spec.finding import Place
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
    pairs = zip(asked.tables(request.tenant), decisions, strict=True)
    answers = tuple(_answer(asked.matching(table, request), decision, request) for table, decision in pairs)
    effect = strictest(decisions).effect
    return Why(request, effect, answers, tuple(_Flips(asked, offers, request, effect, answers).every()))


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
        decision.policy.default(request.resource),
    )


@frozen
class _Flips:
    """The changes that flip ``effect``, the answer that counts: each is made, decided, and told if it does."""

    asked: Policies
    offers: Mapping[str, Offer]
    request: Request
    effect: Effect
    answers: Sequence[Answer]

    def every(self) -> Iterator[Flip]:
        if all(policy.serves(self.request.tenant) for policy in self.asked.policies):
            yield from self._approved()
            yield from self._by_the_way()
            yield from self._in_the_run()
            yield from self._without()
        yield from self._for_others()

    def _approved(self) -> Iterator[Flip]:
        """Where the strictest answer is ask, nothing denies, and whoever asks is answered by an approval."""
        rules = [answer.decision.rule for answer in self.answers if self.effect == "ask" == answer.decision.effect]
        roles = dict.fromkeys(
            f"role '{rule.approver_role}'" if rule and rule.approver_role else "any role" for rule in rules
        )
        if roles:
            yield Flip(f"with the approval of a person in {' and of one in '.join(roles)}", "allow")

    def _by_the_way(self) -> Iterator[Flip]:
        for answer in self.answers:
            rule = answer.decision.rule
            if rule is None or answer.decision.effect != self.effect:
                continue
            kinds: dict[Effect, list[str]] = {}
            for via in rule.unless_via:
                ways = [replace(self.request, via=(*self.request.via, kind)) for kind in _selected(via, self.offers)]
                found: set[Effect] = {strictest(self.asked.decide(way)).effect for way in ways}
                if len(found) == 1 and self.effect not in found:
                    kinds.setdefault(found.pop(), []).append(f"'{spelt(via)}'")
            for other, names in kinds.items():
                yield Flip(f"with {' or '.join(names)} on every way, as rule '{rule.id}' wants", other)

    def _in_the_run(self) -> Iterator[Flip]:
        for number, answer in enumerate(self.answers):
            for rule in answer.pending:
                holding = replace(rule, when="", condition=None)
                other = self._decided(number, rule, (holding,))
                if other != self.effect:
                    yield Flip(f"where `{rule.when}` holds, by rule '{rule.id}'", other)
            rule = answer.decision.rule
            if rule is not None and rule.when:
                other = self._decided(number, rule, ())
                if other != self.effect:
                    yield Flip(f"where `{rule.when}` does not hold, without rule '{rule.id}'", other)

    def _decided(self, number: int, rule: Rule, instead: tuple[Rule, ...]) -> Effect:
        """The answer that counts if one policy had other rules instead of one of its own."""
        changed = list(self.asked.policies)
        rules = tuple(one for each in changed[number].rules for one in (instead if each is rule else (each,)))
        changed[number] = replace(changed[number], rules=rules)
        return strictest(Policies(changed, self.offers).decide(self.request)).effect

    def _without(self) -> Iterator[Flip]:
        """Take out what decides, until the answer is another; where a default decides, put in a rule against it."""
        kept, steps = list(self.asked.policies), list[str]()
        put_in: set[int] = set()
        while True:
            decisions = Policies(kept, self.offers).decide(self.request)
            now = strictest(decisions).effect
            if now != self.effect:
                yield Flip(" and ".join(steps), now)
                return
            number = next(number for number, decision in enumerate(decisions) if decision.effect == now)
            rule, policy = decisions[number].rule, kept[number]
            if rule is not None:
                steps.append(f"without rule '{rule.id}' of policy '{policy.title}'")
                kept[number] = replace(policy, rules=tuple(each for each in policy.rules if each.id != rule.id))
                continue
            against = _rule_against(self.request, "deny" if now == "allow" else "allow", policy)
            if number in put_in or against is None:
                return
            put_in.add(number)
            steps.append(f"with {_text_of(against, self.request)} in policy '{policy.title}'")
            kept[number] = replace(policy, rules=(*policy.rules, against))

    def _for_others(self) -> Iterator[Flip]:
        request, policies = self.request, self.asked.policies
        for tenant in sorted({tenant for policy in policies for tenant in policy.tenants or ()}):
            if tenant == (request.tenant or DEFAULT_TENANT) or not all(policy.serves(tenant) for policy in policies):
                continue
            situation = replace(request.situation, tenant=tenant)
            answer = strictest(self.asked.decide(replace(request, tenant=tenant, situation=situation))).effect
            if answer != self.effect:
                yield Flip(f"for tenant '{tenant}'", answer)


def _selected(via: Selector, offers: Mapping[str, Offer]) -> Sequence[Offer]:
    """The kinds that a selector lets pass; a name that no registry offers is a kind of which no more is known."""
    found = [offer for offer in offers.values() if selects(via, offer, "allow")]
    named = isinstance(via, Glob) and not set("*?") & set(via.pattern)
    return found or ([nameless_kind(spelt(via))] if named else [])


def _rule_against(request: Request, effect: Effect, policy: Policy) -> Rule | None:
    """A rule that decides just this request; None where no policy can say so."""
    if effect == "allow" and request.resource in ONLY_RESTRICTS:
        return None
    nodes: tuple[Selector, ...] = ()
    edges: tuple[EdgeSelector, ...] = ()
    if request.resource in BETWEEN_ENDS:
        ends = parse_ends(_match(request), request.resource)
        if isinstance(ends, Fault):
            return None
        edges = (ends,)
    else:
        kind = parse_kind(_match(request), "a rule")
        if isinstance(kind, Fault):
            return None
        nodes = (kind,)
    return Rule("", effect, request.resource, nodes, edges, (), "", "", Place(policy.path))


def _text_of(rule: Rule, request: Request) -> str:
    over = ", over_usd = 0" if rule.resource == "spend" else ""
    return f'{{ effect = "{rule.effect}", resource = "{rule.resource}", match = "{_match(request)}"{over} }}'


def _match(request: Request) -> str:
    return " -> ".join(each if isinstance(each, str) else each.name for each in request.ends)
