"""What is said of a run: its nodes as they ran, the same whichever of two that run side by side was the quicker."""

from __future__ import annotations

from grapharc.cli.rendering.happened import told
from grapharc.spec.json_value import Json

ORDER = {"a": 0, "b": 1, "c": 2, "map": 3}


def ran(*steps: tuple[str, dict[str, Json]]) -> list[str]:
    records: list[dict[str, Json]] = [
        {"event": event, "seq": seq, **values} for seq, (event, values) in enumerate(steps)
    ]
    return [f"{line.node} {line.kind} {line.item}{line.words}" for line in told(records, ORDER)]


def start(node: str, activation: int, step: int, **more: Json) -> tuple[str, dict[str, Json]]:
    return "start", {"node": node, "kind": "k", "activation": activation, "step": step, **more}


def end(node: str, activation: int, event: str = "end", **more: Json) -> tuple[str, dict[str, Json]]:
    return event, {"node": node, "kind": "k", "activation": activation, **more}


def test_rounds_are_told_one_after_another_and_the_loop_where_it_is_left() -> None:
    left: tuple[str, dict[str, Json]] = ("loop", {"header": "a", "node": "b", "rounds": 2, "reason": "target_met"})
    first, second = (start("a", 1, 1), end("a", 1), start("b", 2, 2), end("b", 2)), (start("a", 3, 3), end("a", 3))
    assert ran(*first, *second, start("b", 4, 4), end("b", 4), left, start("c", 5, 5), end("c", 5)) == [
        "a k done",
        "b k done",
        "a k done",
        "b k done",
        "a loop 2 rounds, target met",
        "c k done",
    ]


def test_of_two_that_run_side_by_side_the_graph_says_which_comes_first() -> None:
    quick = (start("b", 1, 1), end("b", 1, "error"), start("a", 2, 1), end("a", 2))
    slow = (start("a", 1, 1), start("b", 2, 1), end("b", 2, "error"), end("a", 1))
    after = (start("c", 3, 2), end("c", 3))
    assert ran(*quick, *after) == ran(*slow, *after) == ["a k done", "b k failed", "c k done"]


def test_items_go_by_their_index_each_attempt_after_the_one_before() -> None:
    tried = [end("map", 1, "error", index=1), start("map", 3, 1, index=1), end("map", 3, index=1)]
    assert ran(start("map", 1, 1, index=1), start("map", 2, 1, index=0), *tried, end("map", 2, index=0)) == [
        "map k item 0 done",
        "map k item 1 failed",
        "map k item 1 done",
    ]


def test_what_runs_within_a_node_stands_before_the_node() -> None:
    inner = [start("a/x", 2, 1, within=1), end("a/x", 2, within=1), start("a/b", 3, 2, within=1)]
    outer = start("a", 1, 1)
    assert ran(
        outer, *inner, end("a/b", 3, "error", within=1), end("a", 1, "error"), start("b", 4, 2), end("b", 4)
    ) == [
        "a/x k done",
        "a/b k failed",
        "a k failed",
        "b k done",
    ]
