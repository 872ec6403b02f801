"""An activation that is about to begin goes in; policies' answers are recorded, and what they deny ends the run."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.runtime.activation import Activation
from grapharc.runtime.answers import Answer
from grapharc.runtime.budget import Halt
from grapharc.runtime.context import Granting
from grapharc.runtime.errors import Denied, NotGranted
from grapharc.runtime.spending import Share, cost_of
from grapharc.spec.arguments.given import NotTaken, Pinned
from grapharc.spec.json_value import Json


def hold_to_rules(activation: Activation, arguments: Mapping[str, object]) -> None:
    """Ask for an activation with these arguments. Raises Denied."""
    if activation.plan.judge is not None:
        for answer in activation.plan.judge(arguments):
            _follow(activation, answer, tool=False)
    for share in activation.plan.shares:
        _set_aside(activation, share)


def settle_shares(activation: Activation) -> None:
    """Count what an activation has cost against what bounds it."""
    tally = activation.tally
    usd, unpriced = (0.0, 0) if tally is None else (tally.usd, tally.unpriced)
    for share in activation.aside:
        activation.run.accounts[share.bound].settle(share.worst, cost_of(share, usd, unpriced))
    activation.aside = ()


def decides_tools(activation: Activation) -> Granting | None:
    """Return what decides for a context whether its activation may use a tool; None where it holds none."""
    tools = activation.plan.tools
    if not tools:
        return None

    def decide(kind: str, given: Mapping[str, object]) -> dict[str, Json]:
        tool = tools.get(kind)
        if tool is None:
            raise NotGranted(activation.plan.kind, f"kind '{kind}'", "an argument that lists it")
        try:
            arguments = tool.complete(given)
        except (NotTaken, Pinned) as wrong:
            why = "the registry pins it" if isinstance(wrong, Pinned) else f"'{kind}' takes nothing of that name"
            raise NotGranted(activation.plan.kind, f"argument '{wrong.args[0]}' of kind '{kind}'", why=why) from None
        try:
            for answer in tool.judge(arguments):
                _follow(activation, answer, tool=True)
        except Denied as denied:
            activation.denied = denied
            raise Halt(denied, activation) from None
        return arguments

    return decide


def _follow(activation: Activation, answer: Answer, *, tool: bool) -> None:
    for decision in answer.decisions:
        _record(activation, answer.resource, answer.kind, decision)
    if answer.effect != "allow":
        raise Denied(
            activation.plan.name,
            answer.kind,
            "tool" if tool else "node",
            answer.policy,
            answer.rule,
            answer.reason,
            answer.role if answer.effect == "ask" else None,
        )


def _set_aside(activation: Activation, share: Share) -> None:
    account = activation.run.accounts[share.bound]
    before, fits = account.set_aside(share.worst)
    if fits:
        activation.aside = (*activation.aside, share)
    bound = account.bound
    spent: dict[str, Json] = {"spent": round(before, 9), "worst": round(share.worst, 9)}
    said: dict[str, Json] = {**bound.record, **spent, "effect": "allow" if fits else "deny"}
    _record(activation, "spend", activation.plan.kind, said)
    if not fits:
        why = f"{before + share.worst:.6g} usd may be spent, and {bound.over_usd:.6g} is the most"
        reason = f"{bound.reason}; {why}" if bound.reason else why
        raise Denied(activation.plan.name, activation.plan.kind, "node", bound.policy, bound.rule, reason)


def _record(activation: Activation, resource: str, kind: str, decision: Mapping[str, Json]) -> None:
    if (trace := activation.run.trace) is not None:
        who: dict[str, Json] = {"node": activation.plan.name, "activation": activation.number}
        if activation.index is not None:
            who["index"] = activation.index
        trace.write("decision", stage="run", resource=resource, kinds=[kind], **who, **decision)
