"""An answer with its reasons goes in; the lines that a person reads come out, or the document that a program does."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import Role, paint
from grapharc.cli.rendering.shown import spot
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import DEFAULT_TENANT, ONLY_RESTRICTS, Decision, Rule
from grapharc.policy.trials.why import Answer, Flip, Why
from grapharc.project.asking import Explanation
from grapharc.spec.documents.policy import Effect
from grapharc.spec.json_value import Json

_COLOURS: dict[Effect, Role] = {"deny": "error", "ask": "warning", "allow": "good"}


def why_text(asked: Explanation, *, colour: bool = False) -> str:
    """Return the answer, what each policy says, and what would flip it."""
    return "".join(f"{line}\n" for line in _lines(asked, colour)) if asked.why else ""


def why_json(asked: Explanation) -> dict[str, Json]:
    """Return the same as a document."""
    if asked.why is None:
        return {}
    found = asked.why
    return {
        "request": str(found.request),
        "tenant": found.request.tenant or DEFAULT_TENANT,
        "answer": found.effect,
        "unknown_kinds": list(asked.unknown),
        "policies": [_answer_json(answer, found) for answer in found.answers],
        "flips": [{"change": flip.change, "answer": flip.answer} for flip in found.flips],
        "graph": None if asked.admission is None else [_ruling_json(ruling) for ruling in asked.rulings],
    }


def _lines(asked: Explanation, colour: bool) -> Iterator[str]:
    found = asked.why
    if found is None:
        return
    tenant = found.request.tenant
    whom = f", for tenant '{tenant}'" if tenant else ""
    if asked.admission is not None:
        yield from _of_graph(asked, found, colour)
    else:
        yield f"{printable(str(found.request))}{whom}: {paint(found.effect, _COLOURS[found.effect], colour)}"
    for name in asked.unknown:
        yield f"  no registry is named, and '{printable(name)}' is not shipped: it is judged by its name alone"
    if asked.admission is not None and not asked.rulings:
        return
    for answer in found.answers:
        yield from _answer(answer, found, asked, colour)
    if found.flips:
        yield "what would flip it:"
    yield from (f"  {_flip(flip)}" for flip in found.flips)


def _of_graph(asked: Explanation, found: Why, colour: bool) -> Iterator[str]:
    graph = asked.admission.graph if asked.admission else None
    name = "" if graph is None else graph.name or graph.path
    if not asked.rulings:
        yield f"graph '{printable(name)}' makes no request '{printable(str(found.request))}'"
        return
    for ruling in asked.rulings:
        effect = paint(ruling.effect, _COLOURS[ruling.effect], colour)
        who = _makers(ruling)
        yield f"{printable(str(found.request))}: {effect}, in graph '{printable(name)}' by {printable(who)}"
        for _, rule in ruling.pending:
            yield f"  decided in the run: rule '{rule.id}', where `{printable(rule.when)}`"


def _makers(ruling: Ruling) -> str:
    nodes = [f"'{node.name}'" for node in ruling.nodes]
    return ", ".join(sorted({*nodes, *(f"'{edge.source} -> {edge.target}'" for edge in ruling.edges)}))


def _answer(answer: Answer, found: Why, asked: Explanation, colour: bool) -> Iterator[str]:
    decision = answer.decision
    effect = paint(decision.effect, _COLOURS[decision.effect], colour)
    yield f"policy '{printable(decision.policy.title)}': {effect}, {_by(decision, found, asked)}"
    for rule in answer.pending:
        yield f"  only a run knows: {_rule(rule, asked)} where `{printable(rule.when)}`"
    for rule in answer.unmet:
        yield f"  does not apply: {_rule(rule, asked)}"
    for rule in answer.beaten:
        yield f"  beats {_rule(rule, asked)}"
    if decision.rule is not None:
        yield f"  beats the default: {answer.default}"


def _by(decision: Decision, found: Why, asked: Explanation) -> str:
    if not decision.policy.serves(found.request.tenant):
        return "it does not serve the tenant"
    if decision.rule is None:
        if found.request.resource in ONLY_RESTRICTS:
            return "no rule stops it"
        return "by default"
    reason = f": {printable(decision.rule.reason)}" if decision.rule.reason else ""
    return f"by {_rule(decision.rule, asked)}{reason}"


def _rule(rule: Rule, asked: Explanation) -> str:
    role = f", role '{rule.approver_role}'" if rule.effect == "ask" and rule.approver_role else ""
    return f"rule '{rule.id}' ({rule.effect}{role}; {printable(str(spot(rule.place, asked.report.texts)))})"


def _flip(flip: Flip) -> str:
    return f"{printable(flip.change)}: {flip.answer}"


def _answer_json(answer: Answer, found: Why) -> Json:
    decision = answer.decision
    return {
        "policy": decision.policy.name,
        "version": decision.policy.version,
        "digest": decision.policy.digest,
        "serves_tenant": decision.policy.serves(found.request.tenant),
        "answer": decision.effect,
        "rule": _rule_json(decision.rule) if decision.rule else None,
        "beaten": [_rule_json(rule) for rule in answer.beaten],
        "unmet": [_rule_json(rule) for rule in answer.unmet],
        "pending": [_rule_json(rule) for rule in answer.pending],
        "default": answer.default,
    }


def _rule_json(rule: Rule) -> Json:
    return {
        "id": rule.id,
        "effect": rule.effect,
        "reason": rule.reason,
        "approver_role": rule.approver_role or None,
        "when": rule.when or None,
    }


def _ruling_json(ruling: Ruling) -> Json:
    return {
        "answer": ruling.effect,
        "nodes": [node.name for node in ruling.nodes],
        "edges": sorted({f"{edge.source} -> {edge.target}" for edge in ruling.edges}),
        "decided_at_run": [rule.id for _, rule in ruling.pending],
    }
