"""A change of state from outside is checked like a write of a node."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from grapharc.compiler.compiled import CompiledGraph
from grapharc.runtime.contract_errors import StateTypeError, WritePermissionError
from grapharc.runtime.errors import NodeFailed
from grapharc.runtime.refusals import UpdateError
from grapharc.spec.types import INTEGER, STRING, ListOf
from tests.by_hand import field, graph, node


class State(TypedDict, total=False):
    """A state of raw LangGraph."""

    n: int
    text: str


N = field("n", INTEGER, 0, output=True)
TEXT = field("text", STRING, "")
ITEMS = field("items", ListOf(INTEGER), [], output=True, reducer="append")


def fails() -> None:
    """Let a run stop before its end."""
    raise ValueError


def stopped(saver: InMemorySaver | None = None, **how: Any) -> CompiledGraph:
    """A graph whose run 'r' has stopped at node b."""
    compiled = graph(
        [N, TEXT, ITEMS],
        [node("a", lambda: {"n": 1, "items": [1]}, [], [N, ITEMS]), node("b", fails, [], [])],
        checkpointer=saver or InMemorySaver(),
        **how,
    )
    with pytest.raises(NodeFailed):
        compiled.invoke(run_id="r")
    return compiled


def test_raw_langgraph_takes_any_change() -> None:
    builder: Any = StateGraph(State)
    builder.add_node("a", lambda _: {"n": 1})
    builder.add_edge(START, "a")
    builder.add_edge("a", END)
    compiled = builder.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "r"}}
    compiled.invoke({}, thread)
    compiled.update_state(thread, {"n": "three", "nowhere": 1, "text": 5}, as_node="a")
    assert compiled.get_state(thread).values == {"n": "three", "text": 5}


def test_a_state_is_kept_and_says_what_comes_next() -> None:
    state = stopped().get_state("r")
    assert state.values == {"n": 1, "text": "", "items": [1]}
    assert state.next == ("b",)


def test_a_change_is_made() -> None:
    compiled = stopped()
    compiled.update_state("r", {"n": 5, "items": [2]}, as_node="a")
    compiled.update_state("r", {"text": "by hand"})
    assert compiled.get_state("r").values == {"n": 5, "text": "by hand", "items": [1, 2]}


@pytest.mark.parametrize(
    ("values", "as_node", "error", "words"),
    [
        ({"m": 1}, None, UpdateError, "there is no field 'm'"),
        ({"itms": []}, None, UpdateError, "there is no field 'itms', did you mean 'items'?"),
        (
            {"n": "three"},
            None,
            StateTypeError,
            "an update wrote 'n', declared as integer: expected integer, found string",
        ),
        ({"n": "three"}, "a", StateTypeError, "node 'a' wrote 'n', declared as integer"),
        (
            {"text": "x"},
            "a",
            WritePermissionError,
            "node 'a' wrote 'text', which it does not declare: it may write 'items', 'n'",
        ),
        ({"n": 1}, "c", UpdateError, "there is no node 'c'"),
    ],
)
def test_a_change_is_checked_like_a_write(
    values: dict[str, object], as_node: str | None, error: type, words: str
) -> None:
    compiled = stopped()
    before = compiled.get_state("r")
    with pytest.raises(error) as caught:
        compiled.update_state("r", values, as_node=as_node)
    assert words in str(caught.value)
    assert compiled.get_state("r") == before


def test_after_parallel_nodes_it_must_be_said_as_which_node() -> None:
    nodes = [node(name, lambda: None) for name in ("a", "b")] + [node("c", fails)]
    edges = [("__start__", "a"), ("__start__", "b"), ("a", "c"), ("b", "c"), ("c", "__end__")]
    compiled = graph([N], nodes, edges, checkpointer=InMemorySaver())
    with pytest.raises(NodeFailed):
        compiled.invoke(run_id="r")
    with pytest.raises(UpdateError, match="say as which node"):
        compiled.update_state("r", {"n": 1})


def test_there_must_be_a_run_and_it_must_be_this_graphs() -> None:
    saver = InMemorySaver()
    compiled = stopped(saver)
    with pytest.raises(UpdateError, match="there is no run 's'"):
        compiled.get_state("s")
    other = graph([N, TEXT, ITEMS], [node("a", lambda: {"n": 1}, [], [N])], checkpointer=saver, fingerprint="another")
    with pytest.raises(UpdateError, match="run 'r' was begun under another admission"):
        other.update_state("r", {"n": 1})
    with pytest.raises(UpdateError, match="without a checkpointer"):
        graph([N], []).get_state("r")


def test_a_run_id_is_used_once() -> None:
    """Raw LangGraph would go on from what the thread holds: a barrier that is half full, a list that is half filled."""
    compiled = stopped()
    with pytest.raises(UpdateError, match="run 'r' has already begun"):
        compiled.invoke(run_id="r")


def test_what_is_kept_is_plain_and_can_be_read_back() -> None:
    """No class of ours is in a checkpoint, so that none has to be allowed when it is read."""
    saver = InMemorySaver()
    compiled = stopped(saver)
    blobs = [*saver.blobs.values(), *(typed for writes in saver.writes.values() for _, _, typed, _ in writes.values())]
    texts = b"".join(data for kind, data in blobs if kind != "empty")
    assert b"items" not in texts, "there is something to look at"
    assert b"grapharc" not in texts
    again = stopped_elsewhere(saver)
    assert again.get_state("r").values == compiled.get_state("r").values
    again.update_state("r", {"items": [7]})
    assert again.get_state("r").values["items"] == [1, 7]


def stopped_elsewhere(saver: InMemorySaver) -> CompiledGraph:
    """The same graph, compiled again as another process would."""
    return graph(
        [N, TEXT, ITEMS],
        [node("a", lambda: {"n": 1, "items": [1]}, [], [N, ITEMS]), node("b", fails, [], [])],
        checkpointer=saver,
    )
