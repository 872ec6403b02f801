"""What is said of cost and of what is surely written, beside all runs that small graphs can take."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from grapharc.spec.finding import Place
from grapharc.spec.flow.access import Access, Deciding
from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.cost import by_node, total
from grapharc.spec.flow.problems import OutputNotWritten, ReadBeforeWrite
from grapharc.spec.flow.written import early_reads, owed_outputs
from grapharc.spec.linked import Field
from grapharc.spec.types import MISSING, STRING
from tests.flow.runs import MOST_RUNS, Run, drawn, runs

SEEDS = range(1500)
FIELDS = ("x", "y")


def graphs(loops: bool) -> Iterable[tuple[int, Control, list[Run]]]:
    for seed in SEEDS:
        control = drawn(seed, loops)
        if control is not None:
            found = list(runs(control))
            if len(found) < MOST_RUNS:
                yield seed, control, found


def spent(run: Run, cost: list[int]) -> int:
    return sum(cost[node] for node in run.nodes)


def duration(run: Run, cost: list[int]) -> int:
    ends: list[int] = []
    for node, past in zip(run.nodes, run.past, strict=True):
        ends.append(max((ends[one] for one in past), default=0) + cost[node])
    return max(ends)


@pytest.mark.parametrize("loops", [False, True])
def test_no_run_costs_more_than_the_worst_case_and_without_loops_one_costs_as_much(loops: bool) -> None:
    seen = 0
    for seed, control, found in graphs(loops):
        random = Random(seed)
        cost = [random.randint(0, 9) for _ in control.graph.names]
        starts = {name: Amounts(c, 0, c, 1) for name, c in zip(control.graph.names, cost, strict=True)}
        worst = total(control, starts).known
        dearest, longest = max(spent(run, cost) for run in found), max(duration(run, cost) for run in found)
        assert dearest <= worst["tokens"], seed
        assert longest <= worst["seconds"], seed
        if not control.loops.by_header:
            assert (dearest, longest) == (worst["tokens"], worst["seconds"]), seed
        each = by_node(control, starts)
        for number, name in enumerate(control.graph.names):
            most = max(run.nodes.count(number) for run in found)
            assert most * cost[number] <= (each[name].tokens or 0), seed
        seen += 1
    assert seen > 100


def drawn_access(control: Control, random: Random) -> Access:
    def some() -> list[str]:
        return [name for name in FIELDS if random.random() < 0.3]

    graph = control.graph
    failing = {
        node: some()
        for node in range(1, graph.end)
        if any(graph.outcomes[one].form == "error" for one in graph.outcomes_of[node])
    }
    deciding = {node: Deciding(some(), some()) for node in range(graph.end) if random.random() < 0.3}
    fields = {name: Field(name, STRING, MISSING, False, True, (), "last", Place("g")) for name in FIELDS}
    reads = [some() if 0 < node < graph.end else [] for node in range(graph.end + 1)]
    writes = [some() if 0 < node < graph.end else [] for node in range(graph.end + 1)]
    writes = [sorted({*mine, *failing.get(node, ())}) for node, mine in enumerate(writes)]
    return Access(reads, writes, failing, deciding, frozenset(), fields, FIELDS)


def missed(control: Control, access: Access, found: Iterable[Run]) -> set[tuple[str, str]]:
    """The reads of fields that no activation before has written, by node and field."""
    graph = control.graph
    early: set[tuple[str, str]] = set()
    for run in found:
        wrote = [set(written(control, access, one)) for one in run.outcomes]
        for index, node in enumerate(run.nodes):
            there = set[str]().union(*(wrote[one] for one in run.past[index]))
            early |= {(graph.names[node], name) for name in access.reads[node] if name not in there}
            later = access.deciding.get(node, Deciding())
            outcome = run.outcomes[index]
            if outcome >= 0:
                failed = graph.outcomes[outcome].form == "error"
                asked = later.failure if failed else later.success
                early |= {(graph.names[node], name) for name in asked if name not in there | wrote[index]}
    return early


def written(control: Control, access: Access, outcome: int) -> Iterable[str]:
    if outcome < 0:
        return ()
    one = control.graph.outcomes[outcome]
    return access.failing.get(one.node, ()) if one.form == "error" else access.writes[one.node]


def owed(control: Control, access: Access, found: Iterable[Run]) -> set[str]:
    """The fields that nobody has written at the end of some run that ends well."""
    return {
        name
        for run in found
        if not run.failed
        for name in set(FIELDS) - {name for one in run.outcomes for name in written(control, access, one)}
    }


@pytest.mark.parametrize("loops", [False, True])
def test_what_is_read_too_early_and_what_is_owed_at_the_end_is_what_some_run_shows(loops: bool) -> None:
    seen = 0
    for seed, control, found in graphs(loops):
        access = drawn_access(control, Random(seed))
        points, entries = control.together.points, control.joins.entries
        early = early_reads(control.graph, control.order, entries, access, control.tainted, points)
        outputs = owed_outputs(control.graph, points, access, control.joins.doomed)
        said = {(problem.node, problem.field) for problem in early if isinstance(problem, ReadBeforeWrite)}
        shown = missed(control, access, found)
        assert shown <= said, seed
        if not control.loops.by_header:
            assert shown == said, seed
        said_owed = {problem.field for problem in outputs if isinstance(problem, OutputNotWritten)}
        shown_owed = owed(control, access, found)
        assert shown_owed <= said_owed, seed
        if not control.loops.by_header:
            assert shown_owed == said_owed, seed
        seen += 1
    assert seen > 100
