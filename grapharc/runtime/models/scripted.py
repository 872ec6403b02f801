"""Replies that were written beforehand go in; a LangChain chat model that gives them one by one comes out."""

from __future__ import annotations

from threading import Lock
from typing import Any, Literal

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr


class ScriptExhausted(Exception):
    """A scripted model was asked once more than it has replies. ``calls``: how many it has."""

    def __init__(self, calls: int) -> None:
        super().__init__(calls)
        self.calls = calls

    def __str__(self) -> str:
        return f"the script has {self.calls} replies, and one more was asked for"


class ScriptedChatModel(BaseChatModel):
    """A chat model that answers from a list: deterministic and free, for tests and demonstrations.

    After the last reply it raises :class:`ScriptExhausted`, or with ``on_exhausted="repeat"`` gives the last again.
    Usage is reported as models do, one token for each four characters begun.
    """

    responses: list[str]
    on_exhausted: Literal["error", "repeat"] = "error"

    _calls: list[list[BaseMessage]] = PrivateAttr(default_factory=list[list[BaseMessage]])
    _lock: Lock = PrivateAttr(default_factory=Lock)

    @property
    def call_count(self) -> int:
        """How many times it was asked."""
        return len(self._calls)

    @property
    def calls(self) -> list[list[BaseMessage]]:
        """The messages of each call, in order."""
        return list(self._calls)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 -- the signature is LangChain's
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        reply = self._next(messages)
        usage = _usage(messages, reply)
        message = AIMessage(content=reply, usage_metadata=usage, response_metadata={"model_name": "scripted"})
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _next(self, messages: list[BaseMessage]) -> str:
        with self._lock:
            index = len(self._calls)
            if index >= len(self.responses) and (self.on_exhausted == "error" or not self.responses):
                raise ScriptExhausted(len(self.responses))
            self._calls.append(list(messages))
            return self.responses[min(index, len(self.responses) - 1)]


def _usage(messages: list[BaseMessage], reply: str) -> UsageMetadata:
    asked = sum(_tokens(message.text) for message in messages)
    answered = _tokens(reply)
    return UsageMetadata(input_tokens=asked, output_tokens=answered, total_tokens=asked + answered)


def _tokens(text: str) -> int:
    return (len(text) + 3) // 4
