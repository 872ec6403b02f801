"""A linked graph, its owner's policies, a tenant and ceilings go in; an admission comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from grapharc.policy.admission import MADE_BY_ADMIT, Admission, Approval, Verdict
from grapharc.policy.case import Case
from grapharc.policy.cases import every_case
from grapharc.policy.ceilings import budget, ceilings
from grapharc.policy.judge import judge
from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.decide import Ruling, decide
from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy
from grapharc.policy.owner.say import say
from grapharc.policy.owner.table import Table
from grapharc.policy.owner.tenants import check_tenant
from grapharc.policy.suppress import part_suppressed
from grapharc.spec.canonical import digest
from grapharc.spec.finding import Finding
from grapharc.spec.flow.facts import facts
from grapharc.spec.in_order import in_order
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.meaning import graph_meaning, registry_meaning
from grapharc.spec.nesting import every_graph, led
from grapharc.spec.offers import CAPABILITIES, Capability
from grapharc.spec.reasons import severity

NO_LIMITS = Budget()


def admit(
    graph: LinkedGraph,
    policies: Sequence[Policy] = (),
    *,
    today: date,
    tenant: str | None = None,
    limits: Budget = NO_LIMITS,
) -> Admission:
    """Judge a graph. Without a policy the built-in one stands; without a tenant the request is ``default``'s.

    ``limits`` are the caller's own ceilings, beside those of the graph and the policies. ``today`` decides which
    suppressions have expired, and nothing else. The same arguments give the same record, byte for byte. A refused
    graph is an answer like any other, but the compiler does not take it.
    """
    policies = tuple({policy.digest: policy for policy in policies}.values()) or (builtin_policy(),)
    limited = ceilings(graph, policies, limits)
    case = Case(graph, facts(graph, budget(limited).max_concurrency), limited)
    rulings = decide(graph, [Table(policy, tenant) for policy in policies])
    texts = {**graph.texts, **{policy.path: policy.text for policy in policies}}
    found = in_order(_findings(case, policies, rulings, tenant), texts)
    standing, suppressed = part_suppressed(found, texts, today)
    return Admission(
        verdict=_verdict(found, rulings),
        graph=graph,
        graph_digest=digest(graph_meaning(graph)),
        registry_digest=digest(registry_meaning(graph.registry)),
        policies=policies,
        tenant=tenant or DEFAULT_TENANT,
        budget=budget(case.ceilings),
        flow=case.flow,
        capabilities=_capabilities(graph),
        labels=graph.labels,
        rulings=rulings,
        approvals=tuple(_approvals(rulings)),
        findings=standing,
        suppressed=suppressed,
        texts=texts,
        made_by=MADE_BY_ADMIT,
    )


def _findings(
    case: Case, policies: Sequence[Policy], rulings: Iterable[Ruling], tenant: str | None
) -> Iterator[Finding]:
    yield from case.graph.findings
    for policy in policies:
        yield from policy.findings
    yield from check_tenant(policies, tenant)
    for each in every_case(case):
        yield from led(each.graph, judge(each))
    ways = {inner.path: inner for inner in every_graph(case.graph)}
    for ruling in rulings:
        for finding in say(case.graph, ruling, tenant):
            yield from led(ways.get(finding.place.document, case.graph), [finding])


def _verdict(findings: Iterable[Finding], rulings: Iterable[Ruling]) -> Verdict:
    """A deny refuses also where nothing is said of it, since a rule beside it could not be read."""
    effects = {ruling.effect for ruling in rulings}
    if "deny" in effects or any(severity(finding) == "error" for finding in findings):
        return "refused"
    return "needs_approval" if "ask" in effects else "admitted"


def _approvals(rulings: Iterable[Ruling]) -> Iterator[Approval]:
    """Each person who will be asked, once for each node before which they are; for one node in the policies' order."""
    asked: Mapping[tuple[str, str], Approval] = {
        (before, f"{decision.policy.digest} {decision.rule.id}"): Approval(
            before, decision.rule.approver_role, decision
        )
        for ruling in rulings
        if ruling.effect == "ask"
        for decision in ruling.decisions
        if decision.effect == "ask" and decision.rule is not None
        for before in (*(node.name for node in ruling.nodes), *(edge.target for edge in ruling.edges))
    }
    yield from (asked[key] for key in sorted(asked, key=lambda key: key[0]))


def _capabilities(graph: LinkedGraph) -> tuple[Capability, ...]:
    used = {capability for node in graph.nodes.values() for capability in node.capabilities}
    return tuple(capability for capability in sorted(CAPABILITIES) if capability in used)
