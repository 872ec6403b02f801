"""How a run ended, what it gave and what it spent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json

Stop: TypeAlias = Literal[
    "finished",
    "capped",
    "failed",
    "contract_broken",
    "expression_failed",
    "over_budget",
    "over_declared_cost",
    "denied",
    "stopped",
    "crashed",
]
"""Why a run stopped. ``finished``: nothing was left to run. ``capped``: the same, but a loop was used up and its author
had not said where that leads. ``denied``: a policy did not let an activation, or the use of a tool, go on.
``stopped``: from outside. ``crashed``: a bug of ours."""


@frozen
class Spent:
    """What a run or an activation has spent. ``usd`` leaves out ``unpriced`` tokens, whose price nobody knows.

    ``unmetered`` are model calls that reported no usage. ``concurrency`` is the largest number of nodes at once.
    ``steps`` are supersteps, those of all entries of subgraphs included, as the admission's worst case counts them.
    """

    iterations: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    unmetered: int = 0
    unpriced: int = 0
    concurrency: int = 0
    steps: int = 0

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.input_tokens + self.output_tokens


@frozen
class RunResult:
    """One run. ``outputs`` are the output fields that have a value; none for a run that something ended.

    ``shown`` are the same with secrets of the environment masked, for printing.
    """

    run_id: str
    stop: Stop
    outputs: Mapping[str, Json]
    shown: Mapping[str, Json]
    spent: Spent
