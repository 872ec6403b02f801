"""Every node execution is on the record, whatever becomes of it; the record is all there is to read."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grapharc.compiler.compiled import CompiledGraph
from grapharc.runtime.errors import NodeFailed, RunError, TraceLost
from grapharc.runtime.trace import Record, read_trace
from grapharc.spec.linked import Budget
from grapharc.spec.types import INTEGER, STRING, ListOf
from tests.by_hand import field, graph, node

N = field("n", INTEGER, 0, given=True, output=True)
TEXT = field("text", STRING, "", output=True)


def run_sync(compiled: CompiledGraph, **how: Any) -> object:
    return compiled.invoke(**how)


def run_async(compiled: CompiledGraph, **how: Any) -> object:
    return asyncio.run(compiled.ainvoke(**how))


BOTH = pytest.mark.parametrize("run", [run_sync, run_async])


def events(path: Path) -> list[tuple[object, ...]]:
    """What happened, in order, without times."""
    records = read_trace(path).records
    assert [record["seq"] for record in records] == list(range(len(records)))
    return [(record["event"], record.get("node"), record.get("stop")) for record in records]


@BOTH
def test_a_run_is_recorded_from_start_to_stop(run: Callable[..., Any], tmp_path: Path) -> None:
    trace = tmp_path / "deep" / "trace.jsonl"
    items = field("items", ListOf(INTEGER), [0], output=True, reducer="append")
    compiled = graph(
        [N, items],
        [node("a", lambda *, n: {"n": n + 1}, [N], [N]), node("b", lambda: {"items": [1]}, [], [items])],
        budget=Budget(max_iterations=5),
    )
    result = run(compiled, inputs={"n": 1}, trace=trace, run_id="mine")
    assert events(trace) == [
        ("run_start", None, None),
        ("start", "a", None),
        ("end", "a", None),
        ("start", "b", None),
        ("end", "b", None),
        ("run_stop", None, "finished"),
    ]
    start, _, end, *_, stop = read_trace(trace).records
    assert {
        key: start[key] for key in ("run", "format", "lowering", "graph", "budget", "inputs", "state", "reducers")
    } == {
        "run": "mine",
        "format": "1",
        "lowering": "2",
        "graph": {"name": "by-hand", "version": "1"},
        "budget": {"max_iterations": 5},
        "inputs": {"n": 1},
        "state": {"n": 1, "items": [0]},
        "reducers": {"items": "append"},
    }
    assert (end["kind"], end["activation"], end["writes"], end["order"]) == ("own.a", 1, {"n": 2}, [0])
    assert isinstance(end["duration"], float)
    assert stop["outputs"] == result.outputs == {"n": 2, "items": [0, 1]}


@BOTH
def test_a_failing_node_ends_the_run_with_name_kind_and_cause(run: Callable[..., Any], tmp_path: Path) -> None:
    def fails() -> None:
        raise ValueError("no such invoice")

    after: list[str] = []
    compiled = graph([N], [node("a", lambda: None), node("b", fails), node("c", lambda: after.append("c"))])
    with pytest.raises(NodeFailed) as caught:
        run(compiled, trace=tmp_path / "t.jsonl")
    error = caught.value
    assert (error.node, error.kind, type(error.cause), error.stop) == ("b", "own.b", ValueError, "failed")
    assert str(error) == "node 'b' of kind 'own.b' failed: ValueError: no such invoice"
    assert after == []
    assert [event for event, *_ in events(tmp_path / "t.jsonl")][-3:] == ["start", "error", "run_stop"]
    failed, stop = read_trace(tmp_path / "t.jsonl").records[-2:]
    assert failed["error"] == {"code": "node_failed", "type": "ValueError", "message": "no such invoice"}
    assert (stop["stop"], stop["error"]) == ("failed", failed["error"])
    assert error.result is not None
    assert error.result.run_id == stop["run"]


class Unspeakable(Exception):
    """An exception whose words cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "raised",
    [
        Unspeakable(),
        StopIteration("x"),
        GeneratorExit(),
        asyncio.CancelledError("mine"),
        RunError("nested"),
        MemoryError(),
    ],
    ids=lambda raised: type(raised).__name__,
)
@BOTH
def test_whatever_is_raised_the_record_is_complete(
    run: Callable[..., Any], raised: BaseException, tmp_path: Path
) -> None:
    def fails() -> None:
        raise raised

    with pytest.raises(NodeFailed) as caught:
        run(graph([], [node("a", fails)]), trace=tmp_path / "t.jsonl")
    # Python itself puts another exception in the place of a StopIteration that leaves a coroutine.
    assert caught.value.cause is raised or isinstance(raised, StopIteration)
    assert [event for event, *_ in events(tmp_path / "t.jsonl")] == ["run_start", "start", "error", "run_stop"]


@BOTH
def test_of_parallel_nodes_each_is_recorded_when_one_fails(run: Callable[..., Any], tmp_path: Path) -> None:
    def fails() -> None:
        time.sleep(0.05)
        raise ValueError

    nodes = [node("a", fails), node("b", lambda: time.sleep(0.2)), node("c", lambda: None)]
    edges = [edge for n in nodes for edge in (("__start__", n.name), (n.name, "__end__"))]
    with pytest.raises(NodeFailed):
        run(graph([], nodes, edges), trace=tmp_path / "t.jsonl")
    seen = events(tmp_path / "t.jsonl")
    ends = {name: event for event, name, _ in seen if event in ("end", "error")}
    assert ends.keys() == {"a", "b", "c"}
    assert (ends["a"], ends["c"]) == ("error", "end")
    assert seen[-1] == ("run_stop", None, "failed")


def test_a_coroutine_that_is_cancelled_with_its_sibling_is_recorded(tmp_path: Path) -> None:
    async def fails() -> None:
        raise ValueError

    async def waits() -> None:
        await asyncio.sleep(5)

    nodes = [node("a", fails), node("b", waits)]
    edges = [edge for n in nodes for edge in (("__start__", n.name), (n.name, "__end__"))]
    with pytest.raises(NodeFailed, match="node 'a'"):
        run_async(graph([], nodes, edges), trace=tmp_path / "t.jsonl")
    errors = {r["node"]: r["error"] for r in read_trace(tmp_path / "t.jsonl").records if r["event"] == "error"}
    assert errors["b"] == {"code": "stopped", "type": "CancelledError", "message": ""}


def test_an_interrupted_run_says_that_it_was_stopped(tmp_path: Path) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graph([], [node("a", interrupted)]).invoke(trace=tmp_path / "t.jsonl")
    assert events(tmp_path / "t.jsonl")[-1] == ("run_stop", None, "stopped")

    async def cancelled() -> None:
        compiled = graph([], [node("a", lambda: time.sleep(0.3))])
        await asyncio.wait_for(compiled.ainvoke(trace=tmp_path / "u.jsonl"), 0.05)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(cancelled())
    assert events(tmp_path / "u.jsonl")[-1] == ("run_stop", None, "stopped")


def test_an_activation_that_never_began_leaves_no_start(tmp_path: Path) -> None:
    with pytest.raises(RunError):
        graph([], [node("a", lambda: None)], budget=Budget(max_iterations=0)).invoke(trace=tmp_path / "t.jsonl")
    assert events(tmp_path / "t.jsonl") == [("run_start", None, None), ("run_stop", None, "over_budget")]


def test_a_run_that_cannot_be_recorded_does_not_go_on(tmp_path: Path) -> None:
    ran: list[str] = []
    with pytest.raises(IsADirectoryError):
        graph([], [node("a", lambda: ran.append("a"))]).invoke(trace=tmp_path)
    assert ran == []


def test_runs_share_a_file_and_stay_apart(tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    compiled = graph([TEXT], [node("a", lambda: {"text": "é\u2028" * 3000}, [], [TEXT])])
    threads = [threading.Thread(target=lambda i=i: compiled.invoke(trace=trace, run_id=f"r{i}")) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = read_trace(trace)
    assert read.torn == ()
    for i in range(8):
        mine = [record for record in read.records if record["run"] == f"r{i}"]
        assert [record["event"] for record in mine] == ["run_start", "start", "end", "run_stop"]
        assert [record["seq"] for record in mine] == [0, 1, 2, 3]


def test_a_line_that_a_crash_tore_is_named_and_costs_no_other(tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    compiled = graph([], [node("a", lambda: None)])
    compiled.invoke(trace=trace, run_id="before")
    whole = trace.read_bytes()
    trace.write_bytes(whole + whole[:25])
    assert read_trace(trace).torn == (5,)
    assert len(read_trace(trace).records) == 4

    compiled.invoke(trace=trace, run_id="after")
    read = read_trace(trace)
    assert read.torn == (5,)
    assert [record["run"] for record in read.records] == ["before"] * 4 + ["after"] * 4


def test_a_text_that_utf8_cannot_hold_is_recorded_all_the_same(tmp_path: Path) -> None:
    compiled = graph([TEXT], [node("a", lambda: {"text": "\ud800"}, [], [TEXT])])
    compiled.invoke(trace=tmp_path / "t.jsonl")
    assert read_trace(tmp_path / "t.jsonl").records[2]["writes"] == {"text": "\ud800"}


def test_events_are_streamed_and_what_is_done_to_them_changes_nothing() -> None:
    items = field("items", ListOf(INTEGER), [], output=True)
    seen = field("seen", ListOf(INTEGER), [], output=True)
    compiled = graph(
        [items, seen],
        [node("a", lambda: {"items": [1]}, [], [items]), node("b", lambda *, items: {"seen": items}, [items], [seen])],
    )
    order: list[object] = []
    for event in compiled.stream():
        order.append(event["event"])
        if event["event"] == "end":
            event["writes"].get("items", []).append(9)  # type: ignore[union-attr]
    assert order == ["run_start", "start", "end", "start", "end", "run_stop"]
    assert event["outputs"] == {"items": [1], "seen": [1]}

    async def follow() -> list[object]:
        return [event["event"] async for event in compiled.astream()]

    assert asyncio.run(follow()) == order


def test_events_come_while_the_run_goes_on() -> None:
    going = threading.Event()

    def waits() -> None:
        assert going.wait(5)

    async def follow() -> list[object]:
        seen: list[object] = []
        async for event in graph([], [node("a", waits)]).astream():
            seen.append(event["event"])
            if event["event"] == "start":
                going.set()
        return seen

    assert asyncio.run(follow()) == ["run_start", "start", "end", "run_stop"]

    done: list[str] = []
    stream = graph([], [node("a", lambda: done.append("a")), node("b", lambda: done.append("b"))]).stream()
    while next(stream)["event"] != "end":
        pass
    assert done == ["a"]
    stream.close()  # type: ignore[attr-defined]
    assert done == ["a"]


def test_a_failing_run_streams_its_end_and_then_raises() -> None:
    def fails() -> None:
        raise ValueError

    compiled = graph([], [node("a", fails)])
    seen: list[object] = []

    def follow_sync() -> None:
        for event in compiled.stream():
            seen.append(event["event"])

    with pytest.raises(NodeFailed):
        follow_sync()
    assert seen == ["run_start", "start", "error", "run_stop"]

    async def follow() -> None:
        async for event in compiled.astream():
            seen.append(event["event"])

    with pytest.raises(NodeFailed):
        asyncio.run(follow())
    assert seen == ["run_start", "start", "error", "run_stop"] * 2


def test_a_stream_that_is_left_stops_its_run(tmp_path: Path) -> None:
    async def waits() -> None:
        await asyncio.sleep(5)

    async def leave() -> None:
        stream = graph([], [node("a", waits)]).astream(trace=tmp_path / "t.jsonl")
        async for event in stream:
            if event["event"] == "start":
                break
        await stream.aclose()  # type: ignore[attr-defined]

    begin = time.monotonic()
    asyncio.run(leave())
    assert time.monotonic() - begin < 2
    assert events(tmp_path / "t.jsonl")[-1] == ("run_stop", None, "stopped")


@BOTH
def test_a_trace_that_is_deleted_meanwhile_ends_the_run(run: Callable[..., Any], tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    with pytest.raises(TraceLost, match="the trace cannot be kept: it was deleted while the run went on") as lost:
        run(graph([], [node("a", trace.unlink)]), trace=trace)
    assert lost.value.path == str(trace)
    assert lost.value.result is not None
    assert lost.value.result.stop == "stopped"


@BOTH
def test_a_run_does_not_go_on_unrecorded(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def fill_the_disk() -> None:
        def full(file: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)

    heard: list[Record] = []
    compiled = graph([], [node("a", fill_the_disk), node("b", lambda: ran.append("b"))])
    with pytest.raises(TraceLost, match="the trace cannot be kept: no space left on device"):
        run(compiled, trace=tmp_path / "t.jsonl", listeners=[heard.append])
    assert ran == []
    assert heard[-1]["stop"] == "stopped"


def test_nothing_is_appended_to_what_is_no_trace(tmp_path: Path) -> None:
    document = tmp_path / "graph.toml"
    document.write_text("name = 'mine'\n")
    with pytest.raises(FileExistsError, match="it is there already, and is no trace"):
        graph([], [node("a", lambda: None)]).invoke(trace=document)
    assert document.read_text() == "name = 'mine'\n"


@pytest.mark.parametrize("before", ["", '{"ev', '{"ev\n{"event":"start"}\n', '{"event":"start"}'])
def test_a_trace_is_gone_on_with_however_it_ended(tmp_path: Path, before: str) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text(before)
    graph([], [node("a", lambda: None)]).invoke(trace=trace)
    assert [record["event"] for record in read_trace(trace).records][-4:] == ["run_start", "start", "end", "run_stop"]
