"""Whose words reach the claims that are reviewed, by whatever way."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.spec.finding import Finding
from tests.pipeline import admit_file

REGISTRY = """
[[use]]
kind = "*"
[models]
writer = "openrouter/anthropic/claude-haiku-4.5"
editor = "openrouter/mistralai/mistral-large"
reviewer = "openrouter/openai/gpt-4o-mini"
twin = "openrouter/openai/gpt-4o-mini"
cousin = "openai/gpt-4o"
"""
STATE = """
[state]
source = { type = "string", input = true, default = "s" }
claims = { type = "list[Claim]", default = [] }
accepted = { type = "list[Claim]", default = [], output = true }
verdicts = { type = "list[Verdict]", default = [], output = true }
"""


def node(name: str, kind: str, args: str, reads: str = "", writes: str = "", more: str = "") -> str:
    return (
        f'[[nodes]]\nname = "{name}"\nkind = "{kind}"\nargs = {{ {args} }}\nreads = {{ {reads} }}\n'
        f"writes = {{ {writes} }}\n{more}\n"
    )


def draft(role: str, prompt: str = "{source}", name: str = "draft", to: str = "claims", more: str = "") -> str:
    return node(
        name, "model.extract", f'role = "{role}", prompt = "{prompt}", max_tokens = 9', "", f'value = "{to}"', more
    )


def say(role: str, prompt: str, name: str, to: str) -> str:
    return node(name, "model.call", f'role = "{role}", prompt = "{prompt}", max_tokens = 9', "", f'text = "{to}"')


CHECK = node(
    "check", "verify.claims", 'reviewer = "reviewer"', 'source_text = "source"',
    'accepted = "accepted", verdicts = "verdicts"',
)  # fmt: skip


def chain(*names: str) -> str:
    return f'[[edges]]\nchain = ["__start__", {", ".join(f"{chr(34)}{n}{chr(34)}" for n in names)}, "__end__"]\n'


def reviewed(folder: Path, *parts: str, registry: str = REGISTRY, **others: str) -> list[Finding]:
    (folder / "registry.toml").write_text(registry)
    for name, text in others.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "graph.toml").write_text("".join(parts))
    findings = admit_file(folder / "graph.toml").findings
    beside = ("field_never_read", "model_steers_branch", "node_denied")  # of which no graph here is free
    found = [finding for finding in findings if finding.code not in beside]
    assert {finding.code for finding in found} <= {"reviewer_not_independent", "reviewer_same_vendor"}, found
    return found


def told(findings: list[Finding]) -> list[tuple[str, object, tuple[str, ...]]]:
    return [(f.code, f.values["role"], tuple(step.text for step in f.witness)) for f in findings]


@pytest.mark.parametrize(
    ("role", "code"),
    [
        ("writer", None),
        ("reviewer", "reviewer_not_independent"),
        ("twin", "reviewer_not_independent"),
        ("cousin", "reviewer_same_vendor"),
    ],
)
def test_role_spec_and_vendor_must_or_should_differ(tmp_path: Path, role: str, code: str | None) -> None:
    findings = reviewed(tmp_path, STATE, draft(role), CHECK, chain("draft", "check"))
    assert told(findings) == ([] if code is None else [(code, role, ("draft", "check"))])


def test_words_go_on_through_other_nodes_and_other_models(tmp_path: Path) -> None:
    state = STATE + 'notes = "string"\nkept = "string"\n'
    findings = reviewed(
        tmp_path, state, say("twin", "{source}", "note", "notes"),
        node("keep", "control.set", "", 'value = "notes"', 'result = "kept"'),
        draft("writer", "{kept}"), CHECK, chain("note", "keep", "draft", "check"),
    )  # fmt: skip
    assert told(findings) == [("reviewer_not_independent", "twin", ("note", "keep", "draft", "check"))]


def test_what_does_not_reach_the_claims_is_no_authorship(tmp_path: Path) -> None:
    """The source may be somebody's words, and what is written after the review is nobody's claim."""
    state = STATE.replace(', input = true, default = "s" }', " }") + 'report = { type = "string", output = true }\n'
    findings = reviewed(
        tmp_path, state + 'topic = { type = "string", input = true }\n', say("twin", "{topic}", "find", "source"),
        draft("writer", "{topic}"), CHECK, say("reviewer", "{accepted}", "tell", "report"),
        chain("find", "draft", "check", "tell"),
    )  # fmt: skip
    assert told(findings) == []


def test_what_is_written_after_the_review_was_not_reviewed(tmp_path: Path) -> None:
    """The reviewer's role uses the same field again; with a way back the words would be reviewed the next time."""
    again = draft("reviewer", "{source}", name="more", to="claims")
    parts = (STATE, draft("writer"), CHECK, again)
    assert told(reviewed(tmp_path, *parts, chain("draft", "check", "more"))) == []
    back = """
[[edges]]
chain = ["__start__", "draft", "check", "more"]
[[edges]]
source = "more"
target = "__end__"
when = "size(accepted) > 0"
[[edges]]
source = "more"
target = "check"
otherwise = true
loop = { max_rounds = 3 }
"""
    assert told(reviewed(tmp_path, *parts, back)) == [("reviewer_not_independent", "reviewer", ("more", "check"))]


def test_a_store_is_a_way_from_one_run_to_the_next(tmp_path: Path) -> None:
    """What the reviewer's role is told to remember at the end stands in the brief at the beginning."""
    registry = REGISTRY.replace('"*"', '"model.*"')
    registry += '[[use]]\nkind = "verify.claims"\n'
    uses = "".join(f'[[use]]\nkind = "{kind}.*"\nargs = {{ store = "s.sqlite" }}\n' for kind in ("memory", "artifact"))
    registry = uses + registry
    state = STATE + 'brief = "string"\nreport = "string"\nname = { type = "string", input = true, default = "r" }\n'
    parts = (
        node("recall", "memory.recall", "", "entities = \"['a']\"", 'brief = "brief"'),
        draft("writer", "{brief}"), CHECK, say("reviewer", "{accepted}", "sum_up", "report"),
        node("file", "artifact.put", "", 'text = "report"'),
    )  # fmt: skip
    findings = reviewed(tmp_path, state, *parts, chain("recall", "draft", "check", "sum_up", "file"), registry=registry)
    way = ("sum_up", "file", "recall", "draft", "check")
    assert told(findings) == [("reviewer_not_independent", "reviewer", way)]
    apart = registry.replace('"artifact.*"\nargs = { store = "s.sqlite"', '"artifact.*"\nargs = { store = "t.sqlite"')
    assert (
        told(reviewed(tmp_path, state, *parts, chain("recall", "draft", "check", "sum_up", "file"), registry=apart))
        == []
    )


def test_a_reviewer_who_is_read_by_the_author_is_no_author(tmp_path: Path) -> None:
    """Objections go back to the writer in a loop; nothing of the reviewer's is put forward as a claim."""
    loop = """
[[edges]]
chain = ["__start__", "draft", "check"]
[[edges]]
source = "check"
target = "__end__"
when = "size(accepted) > 0"
[[edges]]
source = "check"
target = "draft"
otherwise = true
loop = { max_rounds = 3 }
"""
    assert told(reviewed(tmp_path, STATE, draft("writer", "{source} {verdicts}"), CHECK, loop)) == []


def test_an_editor_after_the_review_whose_words_come_round_again_is_an_author(tmp_path: Path) -> None:
    state = STATE + 'advice = { type = "string", default = "" }\n'
    loop = """
[[edges]]
chain = ["__start__", "draft", "check"]
[[edges]]
source = "check"
target = "__end__"
when = "size(accepted) > 0"
[[edges]]
source = "check"
target = "advise"
otherwise = true
[[edges]]
source = "advise"
target = "draft"
loop = { max_rounds = 3 }
"""
    parts = (draft("writer", "{source} {advice}"), CHECK, say("twin", "{verdicts}", "advise", "advice"), loop)
    assert told(reviewed(tmp_path, state, *parts)) == [
        ("reviewer_not_independent", "twin", ("advise", "draft", "check"))
    ]


def test_items_of_a_map_are_followed(tmp_path: Path) -> None:
    state = STATE + 'topics = { type = "list[string]", default = [], maxItems = 3 }\n'
    mapped = 'map = { over = "topics", as = "topic", max_items = 3 }'
    gather = node(
        "gather", "model.extract", 'role = "twin", prompt = "{source}", max_tokens = 9', "", 'value = "topics"'
    )
    each = node(
        "draft", "model.extract", 'role = "writer", prompt = "{topic}", max_tokens = 9', "", 'value = "claims"', mapped
    )
    assert told(reviewed(tmp_path, state, gather, each, CHECK, chain("gather", "draft", "check"))) == [
        ("reviewer_not_independent", "twin", ("gather", "draft", "check"))
    ]


INNER = """
[state]
source = { type = "string", input = true }
claims = { type = "list[Claim]", output = true }
"""


def test_an_author_in_a_subgraph_is_found_from_outside(tmp_path: Path) -> None:
    outer = node("inside", "graph", 'path = "inner.toml"', "", 'claims = "claims"')
    inner = INNER + draft("twin") + chain("draft")
    findings = reviewed(tmp_path, STATE, outer, CHECK, chain("inside", "check"), inner=inner)
    assert told(findings) == [("reviewer_not_independent", "twin", ("inside/draft", "check"))]


def test_a_review_in_a_subgraph_is_of_what_is_written_outside(tmp_path: Path) -> None:
    inner = (
        """
[state]
source = { type = "string", input = true }
drafted = { type = "list[Claim]", input = true }
accepted = { type = "list[Claim]", output = true }
"""
        + CHECK.replace('source_text = "source"', 'source_text = "source", claims = "drafted"').replace(
            ', verdicts = "verdicts"', ""
        )
        + chain("check")
    )
    outer = node("inside", "graph", 'path = "inner.toml"', 'drafted = "claims"', 'accepted = "accepted"')
    state = STATE.replace('verdicts = { type = "list[Verdict]", default = [], output = true }\n', "")
    findings = reviewed(tmp_path, state, draft("reviewer"), outer, chain("draft", "inside"), inner=inner)
    assert told(findings) == [("reviewer_not_independent", "reviewer", ("draft", "inside/check"))]


def test_the_workspace_is_a_way(tmp_path: Path) -> None:
    state = (
        STATE + 'notes = "string"\npath = { type = "string", input = true, default = "notes.md" }\nread = "string"\n'
    )
    findings = reviewed(
        tmp_path, state, say("twin", "{source}", "note", "notes"),
        node("save", "tool.write_file", "", 'text = "notes"'), node("load", "tool.read_file", "", "", 'text = "read"'),
        draft("writer", "{read}"), CHECK, chain("note", "save", "load", "draft", "check"),
    )  # fmt: skip
    assert told(findings) == [("reviewer_not_independent", "twin", ("note", "save", "load", "draft", "check"))]


def test_two_roles_that_answer_from_one_file_are_one_voice(tmp_path: Path) -> None:
    registry = '[[use]]\nkind = "*"\n[models]\nwriter = "mock/a.json"\nreviewer = "mock/./a.json"\n'
    findings = reviewed(tmp_path, STATE, draft("writer"), CHECK, chain("draft", "check"), registry=registry)
    assert told(findings) == [("reviewer_not_independent", "writer", ("draft", "check"))]
    registry = registry.replace("./a", "b")
    assert told(reviewed(tmp_path, STATE, draft("writer"), CHECK, chain("draft", "check"), registry=registry)) == []


def test_the_kind_is_known_by_what_it_does_and_a_pinned_reviewer_too(tmp_path: Path) -> None:
    registry = REGISTRY + '[[use]]\nkind = "verify.claims"\nas = "second_opinion"\nargs = { reviewer = "twin" }\n'
    check = node(
        "check", "second_opinion", "", 'source_text = "source"', 'accepted = "accepted", verdicts = "verdicts"'
    )
    findings = reviewed(tmp_path, STATE, draft("twin"), check, chain("draft", "check"), registry=registry)
    assert told(findings) == [("reviewer_not_independent", "twin", ("draft", "check"))]
    assert findings[0].place.path[-1] == "kind"
