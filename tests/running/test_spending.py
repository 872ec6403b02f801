"""Rules over spend: one activation is bounded before the run, a whole run before each activation that could cross."""

from __future__ import annotations

import sys
from threading import Barrier, Thread
from typing import Any

import pytest

from grapharc.policy.record import record
from grapharc.runtime.errors import Denied
from grapharc.runtime.spending import Account, Bound
from grapharc.testing import ScriptedChatModel
from tests.policy.judging import codes
from tests.running.road import Road

# A call of ten tokens costs 0.1 usd, and an activation may cost 1 usd at worst.
MODELS = """
[models]
writer = { spec = "openai/gpt-4o", price = { input = 10_000, output = 10_000 } }
unpriced = "openai/gpt-4o"
"""
ASKS = 'required = ["role"]\nproperties.role = { type = "string", format = "role" }\n'
ASKS += 'properties.max_tokens = { type = "integer", default = 100 }\n[kind.cost]\ntokens = "args.max_tokens"\n'
ITEMS = """
[[nodes]]
name = "ask"
kind = "ask"
args = { role = "writer" }
map = { over = "[1, 2, 3, 4, 5]", as = "item", max_items = 5, concurrency = 1 }
[[edges]]
chain = ["__start__", "ask", "__end__"]
"""


def asking(road: Road, *policies: str) -> None:
    chat = ScriptedChatModel(responses=["x" * 36], on_exhausted="repeat")

    def ask(role: str, max_tokens: int) -> dict[str, str]:
        del max_tokens
        road.note(role)
        chat.invoke("1234", config={"metadata": {"role": role}})
        return {}

    road.kind("ask", ask, schema=ASKS, capabilities=["model"])
    road.models = MODELS
    road.policies[:] = policies


def spend(over: float, basis: str = "cumulative", effect: str = "deny", match: str = "ask", more: str = "") -> str:
    lines = ['name = "house"\ndefault = "allow"\n[[rule]]\nid = "purse"', f'effect = "{effect}"', f'match = "{match}"']
    lines += ['resource = "spend"', f"over_usd = {over}", f'basis = "{basis}"', 'reason = "that is enough"', more]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("rule", "found", "left"),
    [
        (spend(0.9, "call"), ["spend_denied"], 0),
        (spend(1.0, "call"), [], 0),
        (spend(0.9), ["spend_denied"], 0),
        (spend(1.0), [], 1),
        (spend(4.9), [], 1),
        (spend(5.0), [], 0),
        (spend(0.5, match="role:writer"), ["spend_denied"], 0),
        (spend(0.5, match="role:unpriced"), [], 0),
        (spend(0.5, match="other"), [], 0),
        (spend(0.5, match="capability:model"), ["spend_denied"], 0),
        (spend(0.5, more='when = "node.in_map"'), ["spend_denied"], 0),
        (spend(0.5, more='when = "node.in_loop"'), [], 0),
        (spend(0.5, more="when = \"tenant == 'acme'\""), [], 0),
        (spend(0.5, "call", "ask"), ["spend_needs_approval"], 0),
        (spend(4.9, effect="ask"), ["spend_needs_approval"], 1),
        (spend(5.0, effect="ask"), [], 0),
    ],
)
def test_what_is_certain_is_decided_before_the_run(rule: str, found: list[str], left: int) -> None:
    road = Road()
    asking(road, rule)
    admission = road.admission(ITEMS)
    assert codes(admission) == found
    said = record(admission)["decided_at_run"]
    assert isinstance(said, list)
    assert len(said) == left


def test_whoever_may_have_to_be_asked_is_named_with_the_node() -> None:
    road = Road()
    asking(road, spend(2.0, effect="ask", more='approver_role = "lead"'))
    admission = road.admission(ITEMS)
    assert admission.verdict == "needs_approval"
    assert [(asked.before, asked.role, asked.rule.id) for asked in admission.approvals] == [("ask", "lead", "purse")]


def test_what_has_no_price_cannot_be_held_to_a_bound() -> None:
    road = Road()
    asking(road, spend(2.0))
    admission = road.admission(ITEMS.replace('"writer"', '"unpriced"'))
    assert codes(admission) == ["unpriced_role"]
    assert admission.findings[0].rule == "purse"


@pytest.mark.parametrize(("over", "activations"), [(5.0, 5), (1.4, 5), (1.25, 3), (1.0, 1)])
def test_a_run_that_could_cross_is_stopped_before_it_does(road: Road, over: float, activations: int) -> None:
    asking(road, spend(over))
    compiled = road.compile(ITEMS)
    if activations == 5:
        assert road.run(compiled).stop == "finished"
    else:
        with pytest.raises(Denied) as denied:
            road.run(compiled)
        assert denied.value.rule == "purse"
        assert "that is enough; " in str(denied.value)
        assert denied.value.result is not None
        assert denied.value.result.stop == "denied"
    assert len(road.ran) == activations


def test_each_activation_is_a_decision_on_the_record(road: Road) -> None:
    asking(road, spend(1.25))
    records: list[Any] = road.records(road.compile(ITEMS))
    said = [record for record in records if record["event"] == "decision" and record["stage"] == "run"]
    assert [(each["effect"], each["rule"], each["spent"], each["worst"]) for each in said] == [
        ("allow", "purse", 0.0, 1.0),
        ("allow", "purse", 0.1, 1.0),
        ("allow", "purse", 0.2, 1.0),
        ("deny", "purse", 0.3, 1.0),
    ]


INNER = ITEMS
OUTER = """
[[nodes]]
name = "inside"
kind = "graph"
args = { path = "inner.toml" }
[[nodes]]
name = "after"
kind = "ask"
args = { role = "writer" }
[[edges]]
chain = ["__start__", "inside", "after", "__end__"]
"""


@pytest.mark.parametrize(
    ("match", "over", "activations"), [("ask", 1.45, 5), ("ask", 1.55, 6), ("graph", 1.35, 4), ("graph", 1.45, 6)]
)
def test_a_subgraph_counts_with_the_rest_and_a_rule_over_it_governs_what_is_inside(
    road: Road, match: str, over: float, activations: int
) -> None:
    asking(road, spend(over, match=match))
    road.files["inner.toml"] = INNER
    compiled = road.compile(OUTER)
    if activations == 6:
        road.run(compiled)
    else:
        with pytest.raises(Denied):
            road.run(compiled)
    assert len(road.ran) == activations


def test_two_runs_do_not_share_what_they_may_spend(road: Road) -> None:
    asking(road, spend(1.45))
    compiled = road.compile(ITEMS)
    road.run(compiled)
    road.run(compiled)
    assert len(road.ran) == 10


def test_what_is_set_aside_counts_until_it_is_known_what_was_spent() -> None:
    account = Account(Bound(2.0, "house", "purse", "", {}))
    assert account.set_aside(1.2) == (0.0, True)
    assert account.set_aside(1.2) == (1.2, False), "the first has not ended, and may yet cost all of it"
    account.settle(1.2, 0.3)
    assert account.set_aside(1.2) == (0.3, True)
    account.settle(1.2, 1.2)
    assert round(account.spent, 9) == 1.5


def test_of_threads_that_set_aside_at_once_each_is_told_what_was_spent_before_it() -> None:
    account = Account(Bound(1000.0, "house", "purse", "", {}))
    told: list[float] = []
    gate = Barrier(8)

    def take() -> None:
        gate.wait()
        for _ in range(200):
            told.append(account.set_aside(0.5)[0])

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=take) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert sorted(told) == [number * 0.5 for number in range(1600)]
