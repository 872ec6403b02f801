"""A prompt goes in, its template filled; a model's text, or the value that it holds, comes out."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from grapharc.runtime.models.roles import ModelContext, open_model
from grapharc.spec.json_value import Json
from grapharc.stdlib_kinds.model.replies import value_in


def call_model(
    *, role: str, prompt: str, max_tokens: int, messages: list[Mapping[str, str]], ctx: ModelContext
) -> dict[str, Json]:
    """Return the reply as ``text``, and ``messages`` with the prompt and the reply after those that were given."""
    text = _ask(role, prompt, max_tokens, messages, ctx)
    conversation: list[Json] = [*messages, {"role": "user", "content": prompt}, {"role": "assistant", "content": text}]
    return {"text": text, "messages": conversation}


def extract_value(
    *, role: str, prompt: str, max_tokens: int, messages: list[Mapping[str, str]], ctx: ModelContext
) -> dict[str, Json]:
    """Return the ``value`` that the reply holds, of the port's solved type. Raises NoSuchValue."""
    text = _ask(role, prompt, max_tokens, messages, ctx)
    return {"value": value_in(text, ctx.output_types["value"])}


def _ask(role: str, prompt: str, max_tokens: int, messages: list[Mapping[str, str]], ctx: ModelContext) -> str:
    """``max_tokens`` is the ceiling of prompt and reply together; the runtime ends an activation that passes it."""
    model = open_model(role, ctx)
    conversation = [*map(_message, messages), HumanMessage(prompt)]
    return model.invoke(conversation, config={"metadata": {"role": role, "max_tokens": max_tokens}}).text


def _message(message: Mapping[str, str]) -> BaseMessage:
    makers = {"system": SystemMessage, "assistant": AIMessage}
    return makers.get(message["role"], HumanMessage)(message["content"])
