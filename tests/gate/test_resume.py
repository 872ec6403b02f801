"""A session may go on under another graph only where all that its checkpoint is kept by is the same to the letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from grapharc.policy.admit import admit
from grapharc.policy.resume import Obstacle, can_resume, resume_needs
from grapharc.runtime.outcomes import Arm, Control, Loop, Turn, Way, decide
from tests.gate.drawn import drawn, judged
from tests.gate.kept import kept, touched
from tests.gate.pairs import ALLOW, admitted
from tests.policy.judging import TODAY, linked, opened

GRAPHS = 160
BLOCK = 40
TRIES = 4


@pytest.mark.parametrize("first", range(0, GRAPHS, BLOCK))
def test_where_a_session_may_go_on_its_checkpoint_fits(
    first: int, record_property: Callable[[str, object], None]
) -> None:
    seen = Counter[str]()
    for seed in range(first, first + BLOCK):
        document, _ = drawn(seed)
        old, random = judged(document), Random(seed)
        for _ in range(TRIES if old.verdict != "refused" else 0):
            new = judged(touched(document, random))
            if new.verdict == "refused":
                continue
            found = can_resume(resume_needs(old), resume_needs(new))
            seen["may not" if found else "may"] += 1
            assert can_resume(resume_needs(old), resume_needs(old)) == ()
            assert turned(found) == set(can_resume(resume_needs(new), resume_needs(old))), seed
            assert found or kept(old) == kept(new), seed
    record_property("resume", dict(seen))
    assert seen["may"] > BLOCK / 4, seen
    assert seen["may not"], seen


def turned(found: tuple[Obstacle, ...]) -> set[Obstacle]:
    hows = {"gone": "new", "new": "gone", "changed": "changed"}
    return {Obstacle(one.part, one.subject, hows[one.how]) for one in found}


BASE = """
[state]
question = { type = "string", input = true }
draft = { type = "string", default = "" }
tone = { type = "string", default = "plain" }
answer = { type = "string", output = true, default = "" }
[[nodes]]
name = "write"
kind = "control.set"
reads = { value = "question" }
writes = { result = "draft" }
[[nodes]]
name = "look"
kind = "control.pass"
[[nodes]]
name = "read"
kind = "control.pass"
[[nodes]]
name = "polish"
kind = "control.set"
reads = { value = "draft" }
writes = { result = "answer" }
[[edges]]
chain = ["__start__", "write", "look", "polish"]
[[edges]]
chain = ["write", "read", "polish"]
[[edges]]
source = "polish"
target = "__end__"
when = "answer == 'good'"
[[edges]]
source = "polish"
target = "write"
otherwise = true
loop = { max_rounds = 9 }
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param('"read"', '"skim"', ["node read gone", "node skim new"], id="a node that waits has another name"),
        pytest.param(
            '"write", "read", "polish"', '"write", "look"', ["node read gone"], id="a node that waits is gone"
        ),
        pytest.param(
            'draft = { type = "string"', 'draft = { type = "string | null"', ["field draft changed"], id="wider"
        ),
        pytest.param(
            'tone = { type = "string"', 'tone = { type = \'"plain" | "warm"\'', ["field tone changed"], id="narrowed"
        ),
        pytest.param(
            'chain = ["write", "read", "polish"]',
            'chain = ["write", "read"]',
            ["edge read -> polish gone"],
            id="a join waits for less",
        ),
        pytest.param("max_rounds = 9", "max_rounds = 2", [], id="fewer rounds"),
        pytest.param("'good'", "'fine'", [], id="another condition"),
        pytest.param(
            'tone = { type = "string", default = "plain" }',
            'tone = { type = "string", input = true }',
            ["field tone changed"],
            id="an input must be given that was not",
        ),
        pytest.param(
            "max_rounds = 9 }",
            'max_rounds = 9, exhausted = "__end__" }',
            [
                "edge polish -> write, an arm, back, then __end__ new",
                "edge polish -> write, an arm, back, then capped gone",
            ],
            id="what a used up loop ends a run as",
        ),
    ],
)
def test_what_keeps_a_session_from_going_on(old: str, new: str, said: list[str]) -> None:
    assert old in BASE
    text = BASE.replace(old, new)
    if said == ["node read gone"]:
        text = text.replace('[[nodes]]\nname = "read"\nkind = "control.pass"\n', "")
    found = can_resume(resume_needs(admitted(BASE)), resume_needs(admitted(text)))
    words = [f"{one.part} {one.subject} {one.how}" for one in found]
    assert set(said) <= set(words) if said else not words


ASKING = """
[state]
text = { type = "string", input = true }
[[nodes]]
name = "save"
kind = "tool.write_file"
reads = { path = "'out.md'", text = "text" }
[[edges]]
chain = ["__start__", "save", "__end__"]
"""
ASK = '[[rule]]\nid = "ask"\neffect = "ask"\nresource = "node"\nmatch = "tool.*"\napprover_role = "owner"\n'
USE = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "tool.write_file"\n'


def needs(registry: str, policy: str = ASK) -> dict[str, object]:
    judged = admit(linked(ASKING, registry=registry), [opened(ALLOW + policy)], today=TODAY)
    assert judged.verdict == ("needs_approval" if policy else "admitted"), judged.findings
    return dict(resume_needs(judged))


def test_who_said_yes_said_it_to_what_the_registry_says_of_the_kind() -> None:
    pinned = f'{USE}args = {{ root = "reports" }}\n'
    assert can_resume(needs(USE), needs(USE)) == ()
    assert can_resume(needs(USE), needs(pinned)) == (Obstacle("question", "save", "changed"),)
    assert can_resume(needs(USE, ""), needs(pinned, "")) == ()
    assert can_resume(needs(USE, ""), needs(USE)) == (Obstacle("question", "save", "new"),)


def test_a_loop_that_took_more_rounds_than_it_now_may_is_used_up() -> None:
    loop = Loop("write", "hidden/loop/write", ())
    on, out = Way(("node/write",), ("write",), ()), Way((), ("__end__",), (loop,))
    turn = Turn(loop, max_rounds=2, patience=1, again=on, exhausted=out, capped=None)
    control = Control("polish", (Arm(None, turn),), None, None, None, ())
    decision = decide(control, {"hidden/loop/write": [7, 0, {}]}, {})
    assert decision.targets == ("__end__",)
    assert [(left.header, left.rounds, left.reason) for left in decision.left] == [("write", 7, "round_cap")]
