"""An admission and what tokens say of a run go in; the graph is compiled and run, and held to that."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langgraph.checkpoint.memory import InMemorySaver

from grapharc.compiler.compile import compile_graph
from grapharc.compiler.compiled import CompiledGraph
from grapharc.policy.admission import Admission
from grapharc.runtime.errors import NodeFailed, RunError
from grapharc.runtime.result import RunResult, Spent
from grapharc.runtime.trace import Record
from grapharc.spec.linked import Budget
from tests.law.document import Graph, Value, every_node
from tests.law.kinds.law import plain
from tests.law.tokens import Ended
from tests.law.world import project

Mode: TypeAlias = Literal["sync", "async"]


@dataclass(frozen=True)
class Ran:
    """One run as LangGraph ran it: how it stopped, what was called, and what is left of it."""

    failed: NodeFailed | None
    result: RunResult | None
    calls: Counter[str]
    runs: Counter[str]
    left: Counter[tuple[str, int, str]]
    steps: int
    """The supersteps that LangGraph has kept."""
    spent: Spent
    waiting: Mapping[str, object]
    state: Mapping[str, Value]


def compiled(admission: Admission) -> CompiledGraph:
    """Compile a graph so that what is left of its runs can be looked at."""
    return compile_graph(admission, loader=project(), checkpointer=InMemorySaver())


def run(graph: CompiledGraph, inputs: Mapping[str, Value], run_id: str, mode: Mode, budget: Budget) -> Ran:
    """Run a graph once. Whatever ends it, but the failure of a node, is raised."""
    records: list[Record] = []
    failed: NodeFailed | None = None
    result: RunResult | None = None
    try:
        if mode == "sync":
            result = graph.invoke(inputs, run_id=run_id, budget=budget, listeners=[records.append])
        else:
            result = asyncio.run(graph.ainvoke(inputs, run_id=run_id, budget=budget, listeners=[records.append]))
    except NodeFailed as error:
        failed = error
    except RunError as error:
        raise AssertionError(f"the run ended by {error!r}") from error
    kept: Any = graph.inner
    left = kept.checkpointer.get_tuple({"configurable": {"thread_id": run_id}})
    channels = left.checkpoint["channel_values"]
    return Ran(
        failed,
        result,
        calls_of(run_id),
        _runs(records),
        Counter((str(r["header"]), r["rounds"], str(r["reason"])) for r in records if r["event"] == "loop"),
        left.metadata["step"],
        _spent(failed, result),
        {name: value for name, value in channels.items() if name.startswith("join:") and value},
        graph.get_state(run_id).values,
    )


def _spent(failed: NodeFailed | None, result: RunResult | None) -> Spent:
    ended = result or (failed and failed.result)
    assert isinstance(ended, RunResult), "a run that ended says what it has spent"
    return ended.spent


def _runs(records: Iterable[Record]) -> Counter[str]:
    """Count the runs of nodes that a trace tells: of several attempts the last."""
    runs: Counter[str] = Counter()
    for record in records:
        if "index" not in record:
            runs[str(record.get("node"))] += (record["event"] in ("start", "map_start")) - ("again" in record)
    return +runs


def calls_of(run_id: str) -> Counter[str]:
    """Ask the law's own kinds how often they were called in a run."""
    counts = [module.CALLS.pop(run_id) for module in _modules() if run_id in module.CALLS]
    return counts[0] if counts else Counter()


def _modules() -> Sequence[Any]:
    """Find what was loaded for them, once it was."""
    if not _loaded:
        named = [module for name, module in sys.modules.items() if name.startswith("grapharc_kind_")]
        _loaded.extend(module for module in named if hasattr(module, "CALLS"))
    return _loaded


_loaded: list[Any] = []


def compare(graph: Graph, ran: Ran, told: Ended) -> None:
    """Hold a run that did not fail to what tokens say of it."""
    assert ran.failed is None, f"{ran.failed}, and tokens say that nothing fails"
    more, less = ran.calls - told.acts.calls, told.acts.calls - ran.calls
    cut_off = sum(times for key, times in less.items() if _may_be_left_out(graph, key))
    less = {key: times for key, times in less.items() if not _may_be_left_out(graph, key)}
    assert not more, f"functions were called more often than tokens say: {more}"
    assert not less, f"functions were called less often than tokens say: {less}"
    assert ran.runs == told.runs, f"the trace tells {ran.runs}, and tokens {told.runs}"
    assert ran.left == told.left, f"loops were left as {ran.left}, and tokens say {told.left}"
    assert ran.result is not None
    assert ran.result.stop == ("capped" if told.capped else "finished"), f"the run stopped as {ran.result.stop}"
    assert not ran.waiting, f"joins still wait: {ran.waiting}"
    nodes = dict(every_node(graph))
    plain = sum(times for name, times in told.runs.items() if nodes[name].kind.startswith("control"))
    counted = ran.calls.total() + plain + told.entries
    # An item may have begun, and be cut off before its function was called.
    begun = ran.spent.iterations - counted
    assert 0 <= begun <= cut_off, f"{begun} more iterations are counted than calls and entries"
    for name, field in graph.fields.items():
        found, meant = _settled(ran.state.get(name), field.reducer), _settled(told.state.get(name), field.reducer)
        if name != "script":
            assert found == meant, f"field '{name}' is {found}, and tokens say {meant}"


def _may_be_left_out(graph: Graph, key: str) -> bool:
    """Tell whether an item's node may fail before the item's turn comes."""
    node = dict(every_node(graph))["/".join(part for part in key.split("/") if not part.isdigit())]
    return node.fan is not None and not node.fan.collect and node.fallible


def same(one: Ran, other: Ran) -> bool:
    """Tell whether two runs left the same state, the order in which unordered nodes append included."""
    return _bare(dict(one.state)) == _bare(dict(other.state))


def _settled(value: Value, reducer: str) -> Value:
    """Leave out what a run may make differently: words, and the order in which unordered nodes append."""
    made = _bare(value)
    return sorted(map(repr, made)) if reducer in ("append", "union") else made


def _bare(value: Value) -> Value:
    if isinstance(value, list):
        return [_bare(one) for one in value]
    if isinstance(value, dict) and not value.keys() >= {"node", "attempts"}:
        return {name: _bare(one) for name, one in value.items()}
    return plain(value) if isinstance(value, dict) else value
