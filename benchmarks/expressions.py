"""Evaluating a condition, and parsing and checking one that nobody has seen yet, with the grammar loaded."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time_ns

from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.condition import check_condition
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import NUMBER, STRING, ListOf, Member, Record, Type

CONDITION = "size(accepted) > 0 && score >= 0.8"
LONG = "accepted.all(c, c.text != '' && c.citation.size() > 12) && (score >= 0.8 || size(accepted) in [1, 2, 3])"
SCOPE: dict[str, Type] = {
    "accepted": ListOf(Record("Claim", (Member("text", STRING), Member("citation", STRING)))),
    "score": NUMBER,
}
VALUES: dict[str, object] = {"accepted": [{"text": "a claim", "citation": "a citation"}], "score": 0.9}


def least(run: Callable[[int], object], times: int, rounds: int = 7) -> float:
    """Return the processor seconds of one call, the least of several rounds."""
    found: list[int] = []
    for number in range(rounds):
        start = process_time_ns()
        for each in range(times):
            run(number * times + each)
        found.append(process_time_ns() - start)
    return min(found) / times / 1e9


def evaluating() -> float:
    """Return the seconds of one evaluation of the condition."""
    tree, _ = parse_expression(CONDITION, Memo())
    checked = None if tree is None else check(tree, CONDITION, SCOPE)[0]
    if checked is None:
        raise RuntimeError("the condition does not check")
    evaluate = compile_expression(checked)
    return least(lambda _: evaluate(VALUES), 20_000)


def parsing_and_checking(text: str) -> float:
    """Return the seconds of parsing and checking a text, another one each time, so that no memo knows it."""
    memo = Memo()

    def run(number: int) -> None:
        fresh = f"{text} && score != {number}.5"
        tree, _ = parse_expression(fresh, memo)
        if tree is None or check_condition(tree, fresh, SCOPE)[0] is None:
            raise RuntimeError("the condition does not check")

    return least(run, 100)


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    return [
        (f"evaluating `{CONDITION}`", f"{evaluating() * 1e6:.2f} us", "2 us"),
        ("parsing and checking it, the grammar loaded", f"{parsing_and_checking(CONDITION) * 1e3:.2f} ms", "1 ms"),
        ("parsing and checking one of 30 nodes", f"{parsing_and_checking(LONG) * 1e3:.2f} ms", "1 ms"),
    ]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
