"""Judging twenty rules over paths and flows in a graph of ten thousand nodes: what they add to an admission."""

from __future__ import annotations

import gc
from math import log10
from time import process_time

from benchmarks.admit import LARGE, ROUNDS, SMALL, TODAY, linked
from benchmarks.control_admit import blocks
from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.read import read_policy

BARS = {"seconds": "2 s", "exponent": "1.1"}


def policy(rules: int) -> Policy:
    """Return a policy of rules by turns over paths and flows; some are proved, some stop a way to every node."""
    lines = ['default = "allow"\n']
    for number in range(rules):
        resource = "path" if number % 2 else "flow"
        ends = ("label:untrusted -> tool.*", "__start__ -> control.*", "control.* -> capability:network")[
            number // 2 % 3
        ]
        via = f'unless_via = ["verify.*", "control.{number}"]\n' if number % 4 > 1 else ""
        lines.append(f'[[rule]]\nid = "r{number}"\neffect = "deny"\nresource = "{resource}"\nmatch = "{ends}"\n{via}')
    return open_policy(read_policy("".join(lines).encode(), "policy.toml")[0])


def governed(nodes: int) -> Json:
    """Return blocks that branch and loop, and begin with an input that nobody trusts."""
    graph = blocks(nodes)
    assert isinstance(graph, dict)  # noqa: S101
    state = graph["state"]
    assert isinstance(state, dict)  # noqa: S101
    state["source"] = {"type": "string", "input": True, "labels": ["untrusted"]}
    return graph


def seconds(graph: LinkedGraph, governing: Policy) -> float:
    """Return the processor time of one admission, the least of several; as in timeit, nothing is collected."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        start = process_time()
        admit(graph, [governing], today=TODAY)
        best = min(best, process_time() - start)
        gc.enable()
    return best


def added(nodes: int) -> float:
    """Measure what twenty rules add to the admission of a graph."""
    graph = linked(governed(nodes))
    return seconds(graph, policy(20)) - seconds(graph, policy(0))


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    less, more = added(SMALL), added(LARGE)
    what = f"20 rules over paths and flows in {LARGE} nodes"
    return [
        (what, f"{more:.2f} s", BARS["seconds"]),
        (f"{what}, exponent from {SMALL}", f"{log10(more / less):.2f}", BARS["exponent"]),
    ]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ")
