"""A linked graph, its owner's policies, a tenant and ceilings go in; an admission comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from grapharc.policy.admission import MADE_BY_ADMIT, Admission, Approval, Verdict
from grapharc.policy.case import Case
from grapharc.policy.cases import every_case
from grapharc.policy.ceilings import budget, ceilings
from grapharc.policy.judge import judge
from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.decide import Ruling, decide
from grapharc.policy.owner.grounds import Grounds, capabilities_of
from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy
from grapharc.policy.owner.say import say
from grapharc.policy.owner.spending import Bound, bounds, decide_spend, unknown_spend
from grapharc.policy.owner.stopped import decide_stopped, say_stopped, stopped
from grapharc.policy.owner.tenants import check_tenant
from grapharc.policy.suppress import part_suppressed
from grapharc.spec.finding import Finding
from grapharc.spec.flow.facts import facts
from grapharc.spec.in_order import in_order
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.meaning import registry_digest
from grapharc.spec.nesting import every_graph, led
from grapharc.spec.reasons import severity
from grapharc.spec.reserved import NO_PREMISES, Premises, reserved

if TYPE_CHECKING:
    from grapharc.policy.owner.trails import Trail

NO_LIMITS = Budget()


def admit(
    graph: LinkedGraph,
    policies: Sequence[Policy] = (),
    *,
    today: date,
    tenant: str | None = None,
    limits: Budget = NO_LIMITS,
    premises: Premises = NO_PREMISES,
) -> Admission:
    """Judge a graph. Without a policy the built-in one stands; without a tenant the request is ``default``'s.

    ``limits`` are the caller's own ceilings, beside those of the graph and the policies. ``today`` decides which
    suppressions have expired, and nothing else; ``premises`` say where the workspace lies. The same arguments give the
    same record, byte for byte. A refused graph is an answer like any other, but the
    compiler does not take it.
    """
    policies = tuple({policy.digest: policy for policy in policies}.values()) or (builtin_policy(),)
    limited = ceilings(graph, policies, limits)
    kept = reserved(graph, [policy.path for policy in policies], premises)
    case = Case(graph, facts(graph, budget(limited).max_concurrency), limited, kept)
    grounds = Grounds(graph, case.flow, policies, tenant)
    spending = bounds(grounds, case.flow)
    trails = stopped(case.flow, grounds)
    rulings = (*decide(graph, grounds), *decide_spend(grounds, spending), *decide_stopped(trails))
    texts = {**graph.texts, **{policy.path: policy.text for policy in policies}}
    found = in_order(
        [*_findings(case, policies, rulings, grounds), *_of_rules(graph, grounds, spending, trails)], texts
    )
    standing, suppressed = part_suppressed(found, texts, today)
    return Admission(
        verdict=_verdict(found, rulings),
        graph=graph,
        registry_digest=registry_digest(graph.registry),
        policies=policies,
        tenant=tenant or DEFAULT_TENANT,
        budget=budget(case.ceilings),
        flow=case.flow,
        capabilities=capabilities_of(graph),
        labels=graph.labels,
        grounds=grounds,
        rulings=rulings,
        spending=spending,
        approvals=tuple(_approvals(rulings)),
        findings=standing,
        suppressed=suppressed,
        texts=texts,
        premises=premises,
        made_by=MADE_BY_ADMIT,
    )


def _findings(case: Case, policies: Sequence[Policy], rulings: Iterable[Ruling], grounds: Grounds) -> Iterator[Finding]:
    yield from case.graph.findings
    for policy in policies:
        yield from policy.findings
    yield from check_tenant(policies, grounds.named)
    for each in every_case(case):
        yield from led(each.graph, judge(each))
    ways = {inner.path: inner for inner in every_graph(case.graph)}
    for ruling in rulings:
        for finding in say(case.graph, ruling, grounds.named, grounds.broken):
            yield from led(ways.get(finding.place.document, case.graph), [finding])


def _of_rules(
    graph: LinkedGraph, grounds: Grounds, spending: Sequence[Bound], trails: Sequence[Trail]
) -> Iterator[Finding]:
    """What keeps rules from being decided, conditions that do not fit and costs that nobody knows; and stopped ways."""
    yield from grounds.findings
    yield from unknown_spend(graph, spending)
    ways = {inner.path: inner for inner in every_graph(graph)}
    for finding in say_stopped(graph, trails, grounds.named):
        yield from led(ways.get(finding.place.document, graph), [finding])


def _verdict(findings: Iterable[Finding], rulings: Iterable[Ruling]) -> Verdict:
    """A deny refuses also where nothing is said of it, since a rule beside it could not be read.

    Somebody who may have to be asked during the run is somebody to be asked: without a session nobody could be.
    """
    effects = {ruling.effect for ruling in rulings}
    if "deny" in effects or any(severity(finding) == "error" for finding in findings):
        return "refused"
    return "needs_approval" if any(ruling.holds for ruling in rulings) else "admitted"


def _approvals(rulings: Iterable[Ruling]) -> Iterator[Approval]:
    """Each person who will be asked, once for each node before which they are; for one node in the policies' order."""
    asked: dict[tuple[str, str, str], Approval] = {}
    for ruling in rulings:
        for decision, rule in ruling.holds:
            for before in ruling.held_before:
                key = before, decision.policy.digest, rule.id
                asked.setdefault(key, Approval(before, rule.approver_role, decision, rule))
    yield from (asked[key] for key in sorted(asked, key=lambda key: key[0]))
