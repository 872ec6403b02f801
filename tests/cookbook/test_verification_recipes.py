"""The recipes about verification, run against the door: what they printed is printed again.

Sanctioned difference: the reviewer's prompt is fenced, and shows every place where the quote stands.
"""

from __future__ import annotations

import json

import pytest

from grapharc.testing import ScriptedChatModel
from grapharc.verification import VerifierStats, different_providers, evaluate_verdicts, verify_claim
from tests.cookbook.seed import printed

Captured = pytest.CaptureFixture[str]


def same(capsys: Captured, expected: list[str]) -> None:
    assert capsys.readouterr().out.splitlines() == [line.rstrip() for line in expected]


def test_a_fabricated_citation_is_rejected_without_a_call(capsys: Captured) -> None:
    reviewer = ScriptedChatModel(responses=['{"supported": true, "reason": "fine by me"}'])
    verdict = verify_claim(
        reviewer,
        text="The wrapper was measured at ten times the speed",
        citation="benchmarked at 10x faster",
        source_text="Typed state contracts are wrapped around a graph.\nBudgets put ceilings on tokens and time.\n",
    )
    print("accepted:      ", verdict.accepted)
    print("anchor_ok:     ", verdict.anchor_ok)
    print("model_accepted:", verdict.model_accepted)
    print("reason:        ", verdict.reason)
    print("reviewer calls:", reviewer.call_count)
    same(capsys, printed("How do I reject a fabricated citation without paying for a model call?", "accepted:"))


def test_a_line_wrapped_source_is_no_reason_to_reject(capsys: Captured) -> None:
    question = "How do I keep a line-wrapped source from causing a false reject?"
    expected = printed(question, "True ")
    quotes = [line[6:].strip().strip("'") for line in expected[:4]]
    source = "Every node declares which state\nfields it may write, and what it does not declare raises."
    reviewer = ScriptedChatModel(responses=['{"supported": true}'], on_exhausted="repeat")
    for quote in quotes:
        verdict = verify_claim(reviewer, text="Nodes say what they write", citation=quote, source_text=source)
        print(f"{verdict.anchor_ok!s:<5}  {quote!r}")
    print("verbatim in source:", quotes[0] in source)
    print("reviewer calls:    ", reviewer.call_count)
    same(capsys, expected)


def test_a_quote_lifted_out_of_a_negated_sentence_is_caught(capsys: Captured) -> None:
    """Sanctioned difference: the same claim, quote and window are in the one message, but as fenced data."""
    question = "How do I catch a quote lifted out of a negated sentence?"
    claim, evidence, window = (line.partition(": ")[2] for line in printed(question, "Claim: ", 3))
    reviewer = ScriptedChatModel(responses=['{"supported": false, "reason": "the sentence negates the quote"}'])
    verdict = verify_claim(reviewer, text=claim, citation=evidence, source_text=window)
    print("anchor_ok:", verdict.anchor_ok, "| accepted:", verdict.accepted)
    print("reason:   ", verdict.reason)
    same(capsys, printed(question, "anchor_ok:", 2))
    [[message]] = reviewer.calls
    assert message.type == "human"
    data = [line.partition(" ") for line in message.text.splitlines() if line[:6] in ("CLAIM ", "QUOTE ", "SOURCE")]
    assert [(name, json.loads(text)) for name, _, text in data] == [
        ("CLAIM", claim),
        ("QUOTE", evidence),
        ("SOURCE", window),
    ]
    [instruction] = printed(question, "You are verifying", 1)
    assert instruction.split(" The surrounding")[0] in message.text.replace("\n", " ")


def test_a_reply_that_is_no_verdict_rejects(capsys: Captured) -> None:
    replies = [
        "sounds right to me!",
        '{"supported": "false"}',
        '{"supported": "true"}',
        '{"supported": 1}',
        '{"verdict": true}',
        '{"supported": true}',
    ]
    for reply in replies:
        verdict = verify_claim(
            ScriptedChatModel(responses=[reply]),
            text="Work is bounded",
            citation="Budgets put ceilings on tokens",
            source_text="Budgets put ceilings on tokens and time.",
        )
        print(f"{verdict.accepted!s:<5} {reply!r:<26} {verdict.reason or '(reviewer gave no reason)'}")
    question = "What happens when the reviewer replies with something that isn't a verdict?"
    same(capsys, printed(question, "False 'sounds right"))


def test_a_verifier_that_rejects_everything_is_told_from_a_good_one(capsys: Captured) -> None:
    source = "Typed state contracts stand around every node. Budgets put ceilings on tokens and time."
    claims = [
        ("State is typed", "Typed state contracts stand", True),
        ("Runs are twice as fast", "measured at twice the speed", False),
        ("Budgets make runs faster", "Budgets put ceilings on tokens", False),
    ]

    def run(reviewer: ScriptedChatModel) -> VerifierStats:
        verdicts = [
            verify_claim(reviewer, text=text, citation=citation, source_text=source) for text, citation, _ in claims
        ]
        return evaluate_verdicts(verdicts, {text: truth for text, _, truth in claims})

    good = ScriptedChatModel(
        responses=['{"supported": true, "reason": "it says so"}', '{"supported": false, "reason": "it does not"}']
    )
    paranoid = ScriptedChatModel(responses=['{"supported": false, "reason": "no"}'], on_exhausted="repeat")
    print("good verifier: ", run(good).model_dump())
    print("rejects-all:   ", run(paranoid).model_dump())
    same(capsys, printed("How do I tell whether my verifier is actually any good?", "good verifier:  {"))


def test_a_reviewer_of_another_vendor_is_told_from_one_of_the_same() -> None:
    """The seed prints no output for these pairs, and says which share a vendor: the first."""
    question = "How do I make sure the reviewer is genuinely a different model?"
    written = printed(question, '    ("openrouter/anthropic', 3)
    pairs = [tuple(part.strip(' (")') for part in line.strip().rstrip(",").split(", ")) for line in written]
    assert [different_providers(a, b) for a, b in pairs] == [False, True, True]
    assert not different_providers("claude-cli/claude-sonnet-5", "openrouter/anthropic/claude-haiku-4.5")
