"""What is spent goes in; a run, or one activation of a node, is ended once that passes its ceiling.

The meter belongs to the run and is fed by the runtime alone. Tokens and usd are charged where a model reports them,
iterations where a node begins, seconds by the clock; supersteps, which no budget limits, are only counted. Each
activation also has the worst case that its kind declares.
"""

from __future__ import annotations

import threading
import time
from math import inf

from grapharc.runtime.errors import OverBudget, RunError
from grapharc.runtime.result import Spent
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Budget


class Halt(BaseException):
    """Ends the code of an activation from within. No ``except Exception`` of a kind swallows it."""

    def __init__(self, error: RunError, owner: object) -> None:
        super().__init__(error)
        self.error, self.owner = error, owner


@frozen
class Declared:
    """The worst case of one activation, as the kind declares it; None where it declares nothing.

    ``tokens`` and ``usd`` are 0 for a kind that declares none: it must not call a model.
    """

    tokens: float | None = None
    usd: float | None = None
    seconds: float | None = None


class Tally:
    """Sums of model calls; those of an activation, or of the whole run."""

    __slots__ = ("calls", "input_tokens", "output_tokens", "unmetered", "unpriced", "usd")

    def __init__(self) -> None:
        self.input_tokens = self.output_tokens = self.calls = self.unmetered = self.unpriced = 0
        self.usd = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def record(self) -> dict[str, Json]:
        """Return the sums as a trace has them."""
        sums: dict[str, Json] = {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "usd": round(self.usd, 9),
            "calls": self.calls,
        }
        rare = {"unmetered": self.unmetered, "unpriced": self.unpriced}
        return sums | {name: value for name, value in rare.items() if value}

    def add(self, call: Call) -> None:
        self.calls += 1
        self.input_tokens += call.input_tokens
        self.output_tokens += call.output_tokens
        self.unmetered += not call.metered
        if call.usd is None:
            self.unpriced += call.input_tokens + call.output_tokens
        else:
            self.usd += call.usd


@frozen
class Call:
    """One model call as it was reported; ``usd`` is None where no price is known."""

    input_tokens: int
    output_tokens: int
    usd: float | None
    metered: bool


class Meter:
    """What one run has spent, against its budget. Safe to use from many threads.

    That of a subgraph, ``name``, counts for the run ``around`` it as well. ``deadline`` is when whatever runs under it
    is interrupted: once its time is over, or that of what it is a part of, ``until``.
    """

    def __init__(self, budget: Budget, around: Meter | None = None, until: float | None = None, name: str = "") -> None:
        self.budget = budget
        self.began = time.monotonic()
        self._around, self._name = around, name
        self._ends = None if budget.max_seconds is None else self.began + budget.max_seconds
        moments = (self._ends, until, None if around is None else around.deadline)
        self.deadline = min((moment for moment in moments if moment is not None), default=None)
        self.tally = Tally()
        self._lock = threading.Lock()
        self._iterations = 0
        self._running = 0
        self._peak = 0
        self._step = 0
        self._steps_inside = 0

    def begin(self, node: str, *, waits: bool = False) -> None:
        """Count one activation; one that only ``waits`` for others does not run beside them.

        Raises OverBudget where no iteration is left for it.
        """
        limit = self.budget.max_iterations
        with self._lock:
            if limit is not None and self._iterations >= limit:
                raise OverBudget("iterations", limit, self._iterations + 1, node, self._name)
            if self._around is not None:
                self._around.begin(node, waits=waits)
            self._iterations += 1
            self._running += not waits
            self._peak = max(self._peak, self._running)

    def end(self, *, waits: bool = False) -> None:
        """Count one activation out."""
        with self._lock:
            self._running -= not waits
        if self._around is not None:
            self._around.end(waits=waits)

    def reach(self, step: int) -> None:
        """Note that the run has come to a superstep, numbered from 1."""
        self._step = max(self._step, step)

    def leave(self) -> None:
        """Let the run around this entry of a subgraph count the supersteps that were taken here."""
        if self._around is not None:
            self._around._take_in(self.steps)

    @property
    def step(self) -> int:
        """The superstep that the run has come to, its own alone."""
        return self._step

    @property
    def steps(self) -> int:
        """The supersteps so far, those of all entries of subgraphs included."""
        return self._step + self._steps_inside

    def _take_in(self, steps: int) -> None:
        with self._lock:
            self._steps_inside += steps

    def charge(self, call: Call) -> None:
        """Count one model call."""
        with self._lock:
            self.tally.add(call)
        if self._around is not None:
            self._around.charge(call)

    def spent(self) -> Spent:
        """Return what was spent so far."""
        tally = self.tally
        return Spent(
            self._iterations,
            tally.input_tokens,
            tally.output_tokens,
            tally.usd,
            time.monotonic() - self.began,
            tally.calls,
            tally.unmetered,
            tally.unpriced,
            self._peak,
            self.steps,
        )

    def record(self) -> dict[str, Json]:
        """Return what was spent so far as a trace has it."""
        counted = {"iterations": self._iterations, "steps": self.steps, "concurrency": self._peak}
        return {**counted, **self.tally.record()}

    def excess(self, node: str, *, before_call: bool = False) -> OverBudget | None:
        """Return what has run out, if anything; before another model call, a ceiling that is met has run out too.

        Under a ceiling of usd, tokens whose price nobody knows are as good as any price.
        """
        budget, tally = self.budget, self.tally
        if over(budget.max_tokens, tally.tokens, before_call):
            return OverBudget("tokens", budget.max_tokens or 0, tally.tokens, node, self._name)
        usd = inf if tally.unpriced else tally.usd
        if over(budget.max_usd, usd, before_call):
            return OverBudget("usd", budget.max_usd or 0, usd, node, self._name)
        if self._ends is not None and (now := time.monotonic()) >= self._ends:
            return OverBudget("seconds", budget.max_seconds or 0, now - self.began, node, self._name)
        return None if self._around is None else self._around.excess(node, before_call=before_call)


def least(*budgets: Budget) -> Budget:
    """Return the least of each ceiling that somebody set."""
    return Budget(
        max_tokens=min((b.max_tokens for b in budgets if b.max_tokens is not None), default=None),
        max_iterations=min((b.max_iterations for b in budgets if b.max_iterations is not None), default=None),
        max_seconds=min((b.max_seconds for b in budgets if b.max_seconds is not None), default=None),
        max_usd=min((b.max_usd for b in budgets if b.max_usd is not None), default=None),
        max_concurrency=min((b.max_concurrency for b in budgets if b.max_concurrency is not None), default=None),
    )


def over(limit: float | None, spent: float, before_call: bool) -> bool:
    """Tell whether a ceiling is passed, or before another call, met by something spent."""
    return limit is not None and (spent > limit or (before_call and spent == limit and spent > 0))
