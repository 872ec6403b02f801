"""An admission goes in; what its policies leave to the run comes out, as the runtime is held to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from grapharc.policy.admission import Admission
from grapharc.policy.owner.at_run import Held, deciding, held
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import Decision, strictest
from grapharc.policy.owner.spending import Bound as Bounded
from grapharc.policy.record import decision_record, request_record
from grapharc.runtime.answers import Answer, Judge, Tool
from grapharc.runtime.spending import Bound, Share
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Node
from grapharc.spec.types import JSON
from grapharc.spec.values import conform


@frozen(slots=False)
class Rules:
    """What is decided while a graph runs, by the whole names of its nodes; and each decision of the admission."""

    judges: Mapping[str, Judge] = field(default_factory=dict[str, "Judge"])
    tools: Mapping[str, Mapping[str, Tool]] = field(default_factory=dict[str, "Mapping[str, Tool]"])
    shares: Mapping[str, tuple[Share, ...]] = field(default_factory=dict[str, "tuple[Share, ...]"])
    bounds: tuple[Bound, ...] = ()
    decided: tuple[Mapping[str, Json], ...] = ()


def rules_of(admission: Admission) -> Rules:
    """Return what an admission's policies leave to the run."""
    cumulative = [each for each in admission.spending if each.rule.basis == "cumulative" and each.rule.effect == "deny"]
    judges = {name: _judge(node.judge) for name, node in deciding(admission.grounds, admission.rulings).items()}
    return Rules(
        judges,
        {name: {kind: _tool(one) for kind, one in kinds.items()} for name, kinds in held(admission.grounds).items()},
        _shares(cumulative, admission),
        tuple(map(_bound, cumulative)),
        tuple(_decided(admission.rulings)),
    )


def _judge(judge: Callable[[Mapping[str, object]], Sequence[Ruling]]) -> Judge:
    return lambda arguments: tuple(map(_answer, judge(arguments)))


def _tool(one: Held) -> Tool:
    def judge(arguments: Mapping[str, object]) -> tuple[Answer, ...]:
        plain = {name: conform(JSON)(value) for name, value in arguments.items()}
        return tuple(map(_answer, one.judge(plain)))

    return Tool(one.complete, judge)


def _answer(ruling: Ruling) -> Answer:
    counts = strictest(ruling.decisions)
    rule = counts.rule
    return Answer(
        counts.effect,
        ruling.resource,
        ruling.ends[0],
        counts.policy.title,
        None if rule is None else rule.id,
        "" if rule is None else rule.reason,
        "" if rule is None else rule.approver_role,
        tuple(_said(decision) for decision in ruling.decisions),
    )


def _said(decision: Decision) -> dict[str, Json]:
    return decision_record(decision, decision.rule)


def _shares(cumulative: Sequence[Bounded], admission: Admission) -> Mapping[str, tuple[Share, ...]]:
    found: dict[str, tuple[Share, ...]] = {}
    metered = {asker.name: _is_metered(asker.node) for asker in admission.grounds.askers()}
    for number, bound in enumerate(cumulative):
        for name, worst in bound.nodes.items():
            if worst:
                found[name] = (*found.get(name, ()), Share(number, worst, metered[name]))
    return found


def _is_metered(node: Node) -> bool:
    """Tell whether all that a node may cost is charged where it is spent; what a kind costs besides models is not."""
    return not any("usd" in offer.cost for offer in (node.offer, *node.held))


def _bound(bound: Bounded) -> Bound:
    rule = bound.rule
    record = decision_record(Decision("deny", bound.policy, rule), rule)
    return Bound(rule.over_usd, bound.policy.title, rule.id, rule.reason, record)


def _decided(rulings: Iterable[Ruling]) -> Iterator[Mapping[str, Json]]:
    """Yield each decision of the admission as a trace has it; what it leaves open is decided in the run."""
    for ruling in rulings:
        for decision in ruling.decisions:
            left: dict[str, Json] = (
                {"decided_at_run": [rule.id for rule in decision.pending]} if decision.pending else {}
            )
            yield {**request_record(ruling), **_said(decision), **left}
