"""What LangChain's callbacks report goes in; charges to the activation in whose code the model was asked come out.

A handler is in force for the code of one activation and whatever that starts under its context: calls that a library
makes deep inside count too, sync and async, and so do those of a run within the node. What a model does not report
cannot be charged, and is counted as ``unmetered``; a thread that a kind starts without its context is beyond reach.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tracers.context import register_configure_hook

from grapharc.runtime.activation import Activation
from grapharc.runtime.budget import Call
from grapharc.spec.json_value import is_dict
from grapharc.spec.offers import Price

in_force: ContextVar[Charges | None] = ContextVar("grapharc_charges", default=None)
register_configure_hook(in_force, inheritable=True)


class Charges(BaseCallbackHandler):
    """Charges model calls to one activation, each once, and refuses one for which nothing is left."""

    raise_error = True
    run_inline = True

    def __init__(self, activation: Activation) -> None:
        self._activation = activation
        self._open: dict[UUID, object] = {}

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Remember as which role the model is asked. Raises Halt."""
        del serialized, messages
        self._begin(run_id, metadata)

    def on_llm_start(
        self,
        serialized: dict[str, Any],
        prompts: list[str],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Remember as which role the model is asked. Raises Halt."""
        del serialized, prompts
        self._begin(run_id, metadata)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """Charge what the model reports. Raises Halt."""
        self._end(run_id, response)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **values: Any) -> None:
        """Charge what a call that failed halfway reports, if it does."""
        del error
        response = values.get("response")
        if isinstance(response, LLMResult) and _usage(response) is not None:
            self._end(run_id, response)
        self._open.pop(run_id, None)

    def _begin(self, run_id: UUID, metadata: dict[str, Any] | None) -> None:
        self._activation.halt_if_over(before_call=True)
        self._open[run_id] = (metadata or {}).get("role")

    def _end(self, run_id: UUID, response: LLMResult) -> None:
        if run_id not in self._open:
            return
        price = self._activation.price(self._open.pop(run_id))
        usage = _usage(response)
        asked, answered = usage or (0, 0)
        self._activation.charge(Call(asked, answered, _usd(price, asked, answered), usage is not None))


def _usd(price: Price | None, asked: int, answered: int) -> float | None:
    return None if price is None else (asked * price.input + answered * price.output) / 1_000_000


def _usage(response: LLMResult) -> tuple[int, int] | None:
    """Return tokens in and out. Alternatives of one call all carry the call's usage, so the first one's is read."""
    for generations in response.generations:
        for generation in generations[:1]:
            message = generation.message if isinstance(generation, ChatGeneration) else None
            if isinstance(message, AIMessage) and (known := message.usage_metadata):
                return known["input_tokens"], known["output_tokens"]
    reported: object = (response.llm_output or {}).get("token_usage") or (response.llm_output or {}).get("usage")
    if not is_dict(reported):
        return None
    asked = reported.get("prompt_tokens", reported.get("input_tokens"))
    answered = reported.get("completion_tokens", reported.get("output_tokens"))
    return (asked, answered) if isinstance(asked, int) and isinstance(answered, int) else None
