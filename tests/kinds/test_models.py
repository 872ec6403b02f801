"""Scripted models, the roles they play, and the values that replies hold."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from grapharc.runtime.models.roles import BadScript, UnknownBackend
from grapharc.spec.finding import Place
from grapharc.spec.offers import Role
from grapharc.spec.types import BOOLEAN, INTEGER, STRING, ListOf, Member, Record, Type
from grapharc.stdlib_kinds.model.calls import call_model, extract_value
from grapharc.stdlib_kinds.model.replies import NoSuchValue, value_in
from grapharc.testing import ScriptedChatModel, ScriptExhausted

VERDICT = Record("Verdict", (Member("supported", BOOLEAN),))


class Context:
    """The part of a run's context that model kinds use."""

    def __init__(self, script: object, spec: str = "mock/replies.json", node: str = "draft") -> None:
        self.script, self.spec, self.node = script, spec, node
        self.index: int | None = None
        self.output_types: Mapping[str, Type] = {"value": ListOf(INTEGER)}
        self.run_store: dict[str, object] = {}

    def role(self, name: str) -> Role:
        return Role(name, self.spec, None, None, "replies.json", Place("registry.toml"))

    def read_beside(self, document: str, reference: str) -> bytes:
        assert (document, reference) == ("registry.toml", "replies.json")
        return self.script if isinstance(self.script, bytes) else json.dumps(self.script).encode()


def ask(ctx: Context, role: str = "writer") -> str:
    outputs = call_model(role=role, prompt="go", max_tokens=100, messages=[], ctx=ctx)
    return str(outputs["text"])


def test_a_scripted_model_answers_in_order_and_then_ends() -> None:
    model = ScriptedChatModel(responses=["one", "two"])
    assert [model.invoke("a").text, model.invoke("b").text] == ["one", "two"]
    with pytest.raises(ScriptExhausted, match="2 replies"):
        model.invoke("c")
    assert model.call_count == 2
    assert [message.text for call in model.calls for message in call] == ["a", "b"]


def test_a_scripted_model_may_repeat_its_last_reply_and_reports_usage() -> None:
    model = ScriptedChatModel(responses=["once"], on_exhausted="repeat")
    replies = [model.invoke("12345678") for _ in range(3)]
    assert {reply.text for reply in replies} == {"once"}
    assert replies[0].usage_metadata == {"input_tokens": 2, "output_tokens": 1, "total_tokens": 3}


def test_an_item_of_a_map_is_answered_by_its_index() -> None:
    ctx = Context({"draft": ["zero", "one"]})
    for index, reply in ((1, "one"), (0, "zero"), (1, "one")):
        ctx.index = index
        assert ask(ctx) == reply
    ctx.index = 2
    with pytest.raises(ScriptExhausted):
        ask(ctx)


def test_a_list_has_one_cursor_for_each_role_and_run() -> None:
    ctx = Context(["one", "two"])
    assert [ask(ctx), ask(ctx, "reviewer"), ask(ctx)] == ["one", "one", "two"]
    with pytest.raises(ScriptExhausted):
        ask(ctx)
    ctx.run_store.clear()
    assert ask(ctx) == "one"


def test_an_object_has_a_list_for_each_node() -> None:
    ctx = Context({"draft": [{"a": 1}], "other": ["o"]})
    assert ask(ctx) == '{"a": 1}'
    ctx.node = "other"
    assert ask(ctx) == "o"
    ctx.node = "third"
    with pytest.raises(BadScript, match="no replies for node 'third'"):
        ask(ctx)


@pytest.mark.parametrize("script", [b"{", 7, {"draft": 1}, "text"])
def test_a_bad_script_says_what_would_be_right(script: object) -> None:
    with pytest.raises(BadScript, match=r"replies\.json"):
        ask(Context(script))


def test_a_backend_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownBackend, match=r"'openai/gpt', and .* no backend but 'mock/FILE'"):
        ask(Context([], spec="openai/gpt"))


def test_a_conversation_goes_on() -> None:
    ctx = Context(["hello"])
    before = [{"role": "system", "content": "be brief"}]
    outputs = call_model(role="writer", prompt="hi", max_tokens=9, messages=before, ctx=ctx)
    assert outputs["messages"] == [
        *before,
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
    ]


def test_a_value_of_the_fields_type_is_extracted() -> None:
    ctx = Context(["numbers: [1, 2]"])
    assert extract_value(role="w", prompt="go", max_tokens=9, messages=[], ctx=ctx) == {"value": [1, 2]}


@pytest.mark.parametrize(
    "reply",
    [
        '{"supported": false}',
        'Analysis (note [1]): {"supported": false}',
        'Based on [lines 3-5]: {"supported": false}. See {also} this.',
        '```json\n{"supported": false}\n```',
        'twice {"supported": false} and {"supported": false}',
        '[101, 205, 309] then {"supported": false}',
    ],
)
def test_prose_around_a_value_does_not_hide_it(reply: str) -> None:
    assert value_in(reply, VERDICT) == {"supported": False}


@pytest.mark.parametrize(
    "reply",
    [
        "sounds right",
        '{"supported": "true"}',
        '{"supported": 1}',
        '{"supported": true} {"supported": false}',
        '{"wrapped": {"supported": true}}',
        '{"supported": NaN}',
        "[" * 10_000,
        "",
    ],
)
def test_what_is_no_single_value_is_refused(reply: str) -> None:
    with pytest.raises(NoSuchValue):
        value_in(reply, VERDICT)


def test_a_string_is_taken_as_json_only() -> None:
    with pytest.raises(NoSuchValue, match="type string"):
        value_in("plain", STRING)
    assert value_in('"plain"', STRING) == "plain"
