"""What a run may spend is metered by the runtime: no node takes part in it, and none can leave it out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langchain_core.language_models import BaseLLM
from langchain_core.messages import AIMessage
from langchain_core.outputs import Generation, LLMResult
from langchain_core.runnables import RunnableLambda

from grapharc.compiler.compiled import CompiledGraph
from grapharc.runtime.budget import Declared
from grapharc.runtime.errors import OverBudget, OverDeclaredCost
from grapharc.runtime.result import Spent
from grapharc.spec.finding import Place
from grapharc.spec.linked import Budget
from grapharc.spec.offers import Price, Role
from grapharc.spec.types import INTEGER, STRING
from grapharc.testing import ScriptedChatModel
from tests.by_hand import field, graph, node, raw


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    text: str
    n: int


TEXT = field("text", STRING, "", output=True)
N = field("n", INTEGER, 0, output=True)
TEN = "x" * 36  # nine tokens in answer to one


def model() -> ScriptedChatModel:
    """A model each of whose calls costs ten tokens: one in, nine out."""
    return ScriptedChatModel(responses=[TEN], on_exhausted="repeat")


def asks(chat: ScriptedChatModel, times: int = 1, **config: Any) -> Callable[..., object]:
    """A node that asks a model deep inside of a library that it calls, and reports nothing."""

    def function(*_: object, **__: object) -> dict[str, str]:
        chain = RunnableLambda(lambda text: chat.invoke(text, **config))
        return {"text": [chain.invoke("1234").text for _ in range(times)][-1]}

    return function


def spent(compiled: CompiledGraph, **how: Any) -> Spent:
    """Run a graph to its end."""
    return compiled.invoke(**how).spent


def test_tokens_are_charged_without_the_nodes_help_and_end_the_run() -> None:
    chat = model()
    raw(State, {"a": asks(chat, 50)}).invoke({})
    assert chat.call_count == 50, "nobody counts"

    chat = model()
    compiled = graph([TEXT], [node("a", asks(chat, 50), [], [TEXT])], budget=Budget(max_tokens=25))
    with pytest.raises(OverBudget) as caught:
        compiled.invoke()
    assert chat.call_count == 3, "ended by the call that passed the ceiling"
    assert (caught.value.dimension, caught.value.limit, caught.value.spent) == ("tokens", 25, 30)
    assert str(caught.value) == "the run's budget of 25 tokens ran out in node 'a': 30 tokens spent"
    assert caught.value.result is not None
    assert caught.value.result.spent.tokens == 30


def test_a_ceiling_that_is_met_lets_no_other_call_begin() -> None:
    chat = model()
    compiled = graph([TEXT], [node("a", asks(chat, 2), [], [TEXT])], budget=Budget(max_tokens=10))
    with pytest.raises(OverBudget):
        compiled.invoke()
    assert chat.call_count == 1
    assert spent(graph([TEXT], [node("a", asks(model()), [], [TEXT])], budget=Budget(max_tokens=10))).tokens == 10


def test_a_node_that_swallows_everything_still_ends() -> None:
    chat = model()

    def stubborn() -> dict[str, str]:
        for _ in range(20):
            with contextlib.suppress(BaseException):
                chat.invoke("1234")
        return {"text": "got away"}

    with pytest.raises(OverBudget):
        graph([TEXT], [node("a", stubborn, [], [TEXT])], budget=Budget(max_tokens=25)).invoke()
    assert chat.call_count == 3


def ways() -> dict[str, Callable[[ScriptedChatModel], Callable[..., Any]]]:
    """Ways to ask a model twice."""

    def batch(chat: ScriptedChatModel) -> Callable[..., Any]:
        return lambda: {"text": chat.batch(["1234", "1234"])[0].text}

    def stream(chat: ScriptedChatModel) -> Callable[..., Any]:
        return lambda: {"text": "".join(str(c.content) for _ in range(2) for c in chat.stream("1234"))}

    def coroutine(chat: ScriptedChatModel) -> Callable[..., Any]:
        async def function() -> dict[str, str]:
            await chat.ainvoke("1234")
            return {"text": (await chat.ainvoke("1234")).text}

        return function

    def gathered(chat: ScriptedChatModel) -> Callable[..., Any]:
        async def function() -> dict[str, str]:
            replies = await asyncio.gather(chat.ainvoke("1234"), asyncio.create_task(chat.ainvoke("1234")))
            return {"text": replies[0].text}

        return function

    def own_callbacks(chat: ScriptedChatModel) -> Callable[..., Any]:
        return asks(chat, 2, config={"callbacks": []})

    def plain(chat: ScriptedChatModel) -> Callable[..., Any]:
        return asks(chat, 2)

    return {f.__name__: f for f in (plain, batch, stream, coroutine, gathered, own_callbacks)}


@pytest.mark.parametrize("way", ways().values(), ids=ways())
def test_each_call_is_charged_once_however_it_is_made(way: Callable[[ScriptedChatModel], Callable[..., Any]]) -> None:
    chat = model()
    done = asyncio.run(graph([TEXT], [node("a", way(chat), [], [TEXT])]).ainvoke())
    assert (done.spent.calls, done.spent.input_tokens, done.spent.output_tokens) == (2, 2, 18)
    if not asyncio.iscoroutinefunction(way(chat)):
        assert spent(graph([TEXT], [node("a", way(model()), [], [TEXT])])).tokens == 20


def test_parallel_nodes_are_each_charged_their_own() -> None:
    events: list[Any] = []
    chat = model()

    def asking(times: int) -> Callable[..., None]:
        return lambda: [chat.invoke("1234") for _ in range(times)].clear()

    nodes = [node(name, asking(times)) for name, times in (("a", 1), ("b", 2), ("c", 3))]
    edges = [edge for n in nodes for edge in (("__start__", n.name), (n.name, "__end__"))]
    done = graph([], nodes, edges).invoke(listeners=[events.append])
    own = {e["node"]: e["spent"]["output_tokens"] for e in events if e["event"] == "end"}
    assert own == {"a": 9, "b": 18, "c": 27}
    assert done.spent.output_tokens == 54


def test_what_a_model_does_not_report_is_counted_as_unmetered() -> None:
    class Silent(ScriptedChatModel):
        def _generate(self, *args: Any, **kwargs: Any) -> Any:
            result = super()._generate(*args, **kwargs)
            result.generations[0].message = AIMessage("no usage")
            return result

    chat = Silent(responses=["x"])
    done = spent(graph([TEXT], [node("a", asks(chat), [], [TEXT])]))
    assert (done.calls, done.unmetered, done.tokens) == (1, 1, 0)


class Texts(BaseLLM):
    """A model of texts, that reports its usage beside them."""

    @property
    def _llm_type(self) -> str:
        return "texts"

    def _generate(self, prompts: list[str], *args: Any, **kwargs: Any) -> LLMResult:
        usage = {"prompt_tokens": 3, "completion_tokens": 4}
        return LLMResult(generations=[[Generation(text="x")]], llm_output={"token_usage": usage})


def test_models_of_texts_are_charged_too() -> None:
    done = spent(graph([], [node("a", lambda: Texts().invoke("1234") and None)]))
    assert (done.calls, done.input_tokens, done.output_tokens, done.unmetered) == (1, 3, 4, 0)


def test_a_call_that_fails_is_charged_what_it_reports() -> None:
    class Broken(ScriptedChatModel):
        def _generate(self, *args: Any, **kwargs: Any) -> Any:
            raise ConnectionError("lost")

    def goes_on() -> None:
        with contextlib.suppress(ConnectionError):
            Broken(responses=[]).invoke("1234")

    assert spent(graph([], [node("a", goes_on)])).calls == 0


def role(name: str, price: Price | None) -> Role:
    """A role of the registry."""
    return Role(name, f"some/{name}", None, price, None, Place("registry.toml"))


CHEAP, DEAR, UNKNOWN = role("cheap", Price(1, 2)), role("dear", Price(10, 20)), role("unknown", None)


@pytest.mark.parametrize(
    ("roles", "named", "usd"),
    [
        ([CHEAP], None, (1 * 1 + 9 * 2) / 1e6),
        ([CHEAP, DEAR], "cheap", (1 * 1 + 9 * 2) / 1e6),
        ([CHEAP, DEAR], "dear", (1 * 10 + 9 * 20) / 1e6),
        ([CHEAP, DEAR], None, (1 * 10 + 9 * 20) / 1e6),
    ],
)
def test_usd_are_what_the_role_costs_and_where_it_is_not_said_the_dearest(
    roles: list[Role], named: str | None, usd: float
) -> None:
    config = {"config": {"metadata": {"role": named}}} if named else {}
    one = node("a", asks(model(), **config), [], [TEXT], roles=tuple(r.name for r in roles))
    assert spent(graph([TEXT], [one], roles=roles)).usd == pytest.approx(usd)


def test_usd_end_the_run_and_so_does_a_price_that_nobody_knows() -> None:
    chat = model()
    one = node("a", asks(chat, 50), [], [TEXT], roles=("dear",))
    with pytest.raises(OverBudget, match=r"the run's budget of 0.0003 usd ran out in node 'a': 0.00038 usd spent"):
        graph([TEXT], [one], roles=[DEAR], budget=Budget(max_usd=0.0003)).invoke()
    assert chat.call_count == 2

    one = node("a", asks(model()), [], [TEXT], roles=("unknown",))
    with pytest.raises(OverBudget, match="an unknown amount spent"):
        graph([TEXT], [one], roles=[UNKNOWN], budget=Budget(max_usd=1)).invoke()
    assert spent(graph([TEXT], [one], roles=[UNKNOWN])).unpriced == 10


def test_a_run_within_a_node_is_charged_to_both() -> None:
    inner = graph([TEXT], [node("deep", asks(model(), 2), [], [TEXT])])
    results: list[Any] = []

    def nests() -> None:
        results.append(inner.invoke())

    done = graph([], [node("a", nests)]).invoke()
    assert results[0].spent.tokens == 20
    assert done.spent.tokens == 20

    with pytest.raises(OverBudget) as caught:
        graph([], [node("a", nests)], budget=Budget(max_tokens=15)).invoke()
    assert (caught.value.node, caught.value.spent) == ("a", 20)


def test_a_run_within_a_coroutine_is_charged_to_both() -> None:
    chat = model()

    async def asks_too() -> None:
        await chat.ainvoke("1234")
        await chat.ainvoke("1234")

    inner = graph([], [node("deep", asks_too)])
    events: list[Any] = []

    async def nests() -> None:
        await inner.ainvoke(listeners=[events.append])

    with pytest.raises(OverBudget) as caught:
        asyncio.run(graph([], [node("a", nests)], budget=Budget(max_tokens=15)).ainvoke())
    assert (caught.value.node, caught.value.spent) == ("a", 20)
    assert [e["stop"] for e in events if e["event"] == "run_stop"] == ["stopped"], "its own budget was not passed"


def test_iterations_end_the_run_before_the_node_that_is_too_many() -> None:
    ran: list[str] = []
    nodes = [node(name, lambda name=name: ran.append(name)) for name in "abc"]
    with pytest.raises(OverBudget) as caught:
        graph([], nodes, budget=Budget(max_iterations=2)).invoke()
    assert ran == ["a", "b"]
    assert (caught.value.dimension, caught.value.node, caught.value.spent) == ("iterations", "c", 3)


def test_concurrency_is_kept_and_measured() -> None:
    lock, now, peak = threading.Lock(), [0], [0]

    def busy(*_: object) -> None:
        with lock:
            now[0] += 1
            peak[0] = max(peak[0], now[0])
        time.sleep(0.02)
        with lock:
            now[0] -= 1

    nodes = [node(f"n{i}", busy) for i in range(6)]
    edges = [edge for n in nodes for edge in (("__start__", n.name), (n.name, "__end__"))]
    for limit in (1, 2):
        for run in (lambda c: c.invoke(), lambda c: asyncio.run(c.ainvoke())):
            peak[0] = 0
            done = run(graph([], nodes, edges, budget=Budget(max_concurrency=limit)))
            assert peak[0] <= limit
            assert done.spent.concurrency <= limit
    assert spent(graph([], nodes, edges)).concurrency > 2, "without a ceiling more run at once"


def test_a_budget_of_a_run_can_only_narrow_what_was_admitted() -> None:
    compiled = graph([], [node(n, lambda: None) for n in "abc"], budget=Budget(max_iterations=2))
    for wider in (Budget(), Budget(max_iterations=9), Budget(max_tokens=1)):
        with pytest.raises(OverBudget):
            compiled.invoke(budget=wider)
    narrow = graph([], [node(n, lambda: None) for n in "abc"])
    with pytest.raises(OverBudget):
        narrow.invoke(budget=Budget(max_iterations=1))


@pytest.mark.parametrize(
    ("declared", "dimension"),
    [(Declared(tokens=15), "tokens"), (Declared(tokens=0), "tokens"), (Declared(usd=0.0001), "usd")],
)
def test_an_activation_that_passes_its_declared_worst_case_is_ended(declared: Declared, dimension: str) -> None:
    chat = model()
    one = node("a", asks(chat, 9), [], [TEXT], roles=("dear",))
    with pytest.raises(OverDeclaredCost) as caught:
        graph([TEXT], [one], roles=[DEAR], declared={"a": declared}).invoke()
    assert (caught.value.node, caught.value.kind, caught.value.dimension) == ("a", "own.a", dimension)
    assert caught.value.stop == "over_declared_cost"
    assert chat.call_count <= 2
