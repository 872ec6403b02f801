"""One attempt to get past what verifiers stand for and what labels say, and its twin that is let through."""

from __future__ import annotations

import pytest

from tests.ways.attempts import (
    APPROVE,
    CHECK,
    CHECKED,
    DIRTY,
    ENDORSED,
    GET,
    GO,
    GO_CHECKED,
    LABEL,
    LINE,
    MANIFEST,
    NETWORK,
    STATE,
    Attempt,
    chain,
    edge,
    judged,
    node,
    rule,
    said,
    use,
    witness,
)

ATTEMPTS: dict[str, Attempt] = {
    "a label enters with a kind": (
        node("get", "dirty", 'writes = { page = "page" }') + GO + chain("__start__", "get", "go", "__end__"),
        LABEL,
        {},
        ["get writes page", "go reads page"],
    ),
    "endorsing takes a label from what passes, and not from what is read beside it": (
        node("get", "dirty", 'writes = { page = "page" }')
        + CHECK
        + GO
        + chain("__start__", "get", "look", "go", "__end__"),
        LABEL,
        {},
        ["get writes page", "go reads page"],
    ),
    "a field read raw beside its verifier": (
        GET + CHECK + GO + chain("__start__", "get", "look", "go", "__end__"),
        CHECKED,
        {},
        ["get writes page", "go reads page"],
    ),
}


CLAIMS = """
[state]
claims = { type = "list[Claim]", input = true, labels = ["untrusted"] }
source = { type = "string", input = true }
kept = "list[Claim]"
lost = "list[Claim]"
said = "list[Verdict]"
out = { type = "string", default = "", output = true }
"""


VERIFIERS = '[models]\nother = "openrouter/openai/gpt-4o-mini"\n[[use]]\nkind = "verify.*"\n'


OURS = "__start__ -> run"


def test_data_that_passes_a_verifier_or_a_person_is_let_through() -> None:
    assert said(judged(GET + CHECK + GO_CHECKED + LINE, CHECKED)) == []
    asked = chain("__start__", "get", "ask", "go", "__end__")
    assert said(judged(GET + APPROVE + GO_CHECKED + asked, CHECKED)) == []
    assert said(judged(GET + APPROVE + GO + asked, CHECKED)) == ["flow_denied"], "only what was bound is handed on"


def test_an_own_kinds_endorsement_counts_only_where_the_registry_repeats_it() -> None:
    graph = DIRTY + CHECK + GO_CHECKED + LINE
    assert said(judged(graph, LABEL)) == ["flow_denied"]
    assert said(judged(graph, LABEL, uses=ENDORSED)) == []


def test_endorsing_changes_label_selectors_only() -> None:
    assert said(judged(GET + CHECK + GO_CHECKED + LINE, NETWORK, uses=ENDORSED)) == ["flow_denied"]


def test_labels_enter_with_inputs_and_with_fields_at_each_write() -> None:
    state = STATE.replace(
        'q = { type = "string", input = true }', 'q = { type = "string", input = true, labels = ["pii"] }'
    )
    go = node("go", "run", 'reads = { value = "q" }\nwrites = {}') + chain("__start__", "go", "__end__")
    admission = judged(go, rule("flow", "label:pii -> run"), state)
    assert witness(admission) == ["q has label 'pii'", "go reads q"]
    state = STATE.replace(
        'checked = { type = "string", default = "" }', 'checked = { type = "string", default = "", labels = ["pii"] }'
    )
    graph = GET + CHECK + GO_CHECKED + LINE
    admission = judged(graph, rule("flow", "label:pii -> run", '"verify.*"'), state, uses=ENDORSED)
    assert witness(admission) == ["checked has label 'pii'", "look writes checked", "go reads checked"]


def test_a_field_with_a_label_is_a_target_of_it() -> None:
    state = STATE.replace(
        'note = { type = "string", default = "" }', 'note = { type = "string", default = "", labels = ["public"] }'
    )
    graph = GET + node("tell", "hand_on", 'reads = { value = "page" }\nwrites = { out = "note" }')
    admission = judged(
        graph + chain("__start__", "get", "tell", "__end__"), rule("flow", "fetch -> label:public"), state
    )
    assert witness(admission) == ["get writes page", "tell reads page", "tell writes note", "note has label 'public'"]


def test_a_registry_adds_labels_and_capabilities() -> None:
    graph = node("get", "load", 'writes = { page = "page" }') + GO + chain("__start__", "get", "go", "__end__")
    assert said(judged(graph, LABEL + NETWORK.replace('"r"', '"s"'))) == []
    assert said(judged(graph, LABEL, uses=use("load", 'labels = ["untrusted"]'))) == ["flow_denied"]
    assert said(judged(graph, NETWORK, uses=use("load", 'capabilities = ["network"]'))) == ["flow_denied"]


def test_a_kind_of_which_an_agent_holds_a_verifier_stands_for_none() -> None:
    graph = GET + node(
        "help", "agent", 'args = { tools = ["verify.page"] }\nreads = { value = "page" }\nwrites = { out = "checked" }'
    )
    uses = use("verify.page", "").replace("\n\n", "\n")
    kinds = MANIFEST.replace('name = "verify.page"', 'name = "verify.page"\ntool = true')
    admission = judged(
        graph + GO_CHECKED + chain("__start__", "get", "help", "go", "__end__"),
        CHECKED,
        more={"kinds.toml": kinds},
        uses=uses,
    )
    assert said(admission) == ["flow_denied"]


@pytest.mark.parametrize("verifier", ["verify.anchor", "verify.claims"])
@pytest.mark.parametrize(
    ("port", "field", "codes"),
    [("accepted", "kept", []), ("rejected", "lost", ["flow_denied"]), ("verdicts", "said", ["flow_denied"])],
)
def test_only_what_a_verifier_of_ours_accepted_has_passed_it(
    port: str, field: str, codes: list[str], verifier: str
) -> None:
    """The hole: what was rejected, and what was said of it, counted as passed, and as free of its label."""
    args = 'args = { reviewer = "other", max_tokens = 10 }\n' if verifier == "verify.claims" else ""
    graph = node(
        "look", verifier, f'{args}reads = {{ claims = "claims", source_text = "source" }}\nwrites.{port} = "{field}"'
    )
    graph += node("go", "run", f'reads = {{ value = "{field}" }}\nwrites = {{}}')
    straight = graph + chain("__start__", "look", "go", "__end__")
    via = rule("flow", OURS, '"verify.*"')
    assert said(judged(straight, via, CLAIMS, uses=VERIFIERS)) == codes
    if verifier == "verify.claims":  # it endorses; an anchor alone does not
        assert said(judged(straight, rule("flow", "label:untrusted -> run"), CLAIMS, uses=VERIFIERS)) == codes
    asked = graph.replace(f'reads = {{ value = "{field}" }}', "reads = {}") + chain("__start__", "look")
    asked += edge("look", "go", f'when = "size({field}) > 1"') + edge("look", "__end__", "otherwise = true")
    asked += chain("go", "__end__")
    assert said(judged(asked, via, CLAIMS, uses=VERIFIERS)) == codes, "a decision by it tells as much"
