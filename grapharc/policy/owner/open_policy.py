"""A policy document goes in; the policy that it states comes out, with every fault found in its rules."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.owner.lost_rules import faults_of_lost_rules
from grapharc.policy.owner.meaning import policy_meaning
from grapharc.policy.owner.open_rule import open_rule
from grapharc.policy.owner.policy import Ceilings, Policy
from grapharc.spec.canonical import digest
from grapharc.spec.document import Document
from grapharc.spec.documents.policy import LimitsModel, PolicyModel
from grapharc.spec.finding import Finding, Place, Related
from grapharc.spec.globs import forbidden_character, matches
from grapharc.spec.json_value import item_path
from grapharc.spec.linked import Budget
from grapharc.spec.memo import Memo
from grapharc.spec.source import Span
from grapharc.spec.suggest import suggest


def open_policy(document: Document[PolicyModel], memo: Memo | None = None) -> Policy:
    """Compile a policy document. Its findings, those of reading it first, stay with it: with an error none admits.

    ``memo`` keeps what the grammar of expressions said.
    """
    model, memo = document.model, memo or Memo()
    faults: list[Finding] = [*document.findings, *_duplicates(document), *_strangers(document)]
    faults.extend(faults_of_lost_rules(document))
    rules = tuple(open_rule(document, index, rule, memo, faults) for index, rule in model.rule.items())
    return Policy(
        model.name,
        model.version,
        digest(policy_meaning(model)),
        rules,
        {"node": model.default.node, "edge": model.default.edge, "tool": model.default.tool},
        _ceilings(model.limits),
        model.tenants,
        document.text,
        tuple(faults),
    )


def _ceilings(limits: LimitsModel) -> Ceilings:
    budget = Budget(
        limits.max_tokens, limits.max_iterations, limits.max_seconds, limits.max_usd, limits.max_concurrency
    )
    return Ceilings(limits.max_nodes, limits.max_depth, budget)


def _duplicates(document: Document[PolicyModel]) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, rule in document.model.rule.items():
        before = first.setdefault(rule.id, index)
        if before != index:
            related = Related("first_here", Place(document.path, ("rule", before, "id")))
            yield Finding(
                "duplicate_rule", Place(document.path, ("rule", index, "id")), subject=rule.id, related=(related,)
            )


def _strangers(document: Document[PolicyModel]) -> Iterator[Finding]:
    """Rules for tenants that the policy does not serve, or that nobody can be."""
    served = document.model.tenants
    for index, rule in document.model.rule.items():
        for number, pattern in enumerate(rule.tenant or ()):
            path = item_path(document.text.value, ("rule", index, "tenant"), number)
            inert = forbidden_character(pattern)
            if inert is not None:
                span, values = Span(inert[0], inert[0] + 1), {"pattern": pattern, "character": inert[1]}
                yield Finding("inert_pattern", Place(document.path, path, within=span), values, subject=rule.id)
            elif served is not None and not any(matches(pattern, tenant) for tenant in served):
                near = suggest(pattern, served)
                values = {"tenant": pattern, "known": tuple(sorted(served)), "suggestion": near}
                yield Finding("tenant_cannot_occur", Place(document.path, path), values, subject=rule.id, rule=rule.id)
