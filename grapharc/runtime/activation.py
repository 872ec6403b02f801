"""A node of a compiled graph and a run go in: one activation, that knows its ceilings and what it has spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from dataclasses import field as changing
from itertools import count

from grapharc.runtime.answers import Judge, Tool
from grapharc.runtime.budget import Call, Declared, Halt, Meter, Tally, over
from grapharc.runtime.context import Grants
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import OverDeclaredCost, RunError
from grapharc.runtime.fan import Fan
from grapharc.runtime.outcomes import Control, Loop
from grapharc.runtime.redact import NOTHING, Redactor
from grapharc.runtime.slots import Line
from grapharc.runtime.spending import Account, Share
from grapharc.runtime.trace import Records
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import Retry
from grapharc.spec.offers import Dimension, Price


@frozen(slots=False)
class Plan:
    """A node as the compiler prepared it: everything that does not change from run to run.

    ``bind`` makes the keyword arguments from the view of the state, ``accept`` checks what comes back and gives it by
    field. ``prices`` are those of the node's roles. ``order`` is by which what unordered nodes write is folded.
    ``control`` says how the run goes on, where that is not always the same. ``around`` are the loops that the node lies
    in, the outermost first, each with its header's order. With a ``fan``, all of it is said of one item.
    """

    name: str
    kind: str
    function: Callable[..., object]
    asynchronous: bool
    wants_context: bool
    bind: Callable[[View], dict[str, object]]
    accept: Callable[[object], dict[str, Json]]
    declared: Declared
    grants: Grants
    prices: Mapping[str, Price | None]
    order: int
    control: Control | None = None
    around: tuple[tuple[int, Loop], ...] = ()
    retry: Retry | None = None
    timeout: float | None = None
    fan: Fan | None = None
    coroutine: Callable[..., object] | None = None
    """Of a subgraph, what runs it on an event loop, where ``function`` runs it in this thread."""
    judge: Judge | None = None
    """What policies leave to the run to decide: it is asked before each activation."""
    tools: Mapping[str, Tool] = field(default_factory=dict[str, "Tool"])
    """The kinds that it holds."""
    shares: tuple[Share, ...] = ()
    """What one activation may take of each bound on what a run spends."""

    @property
    def is_subgraph(self) -> bool:
        """Whether it only waits for the nodes inside, which are counted and stand in line themselves."""
        return self.coroutine is not None

    def place(self, view: View) -> tuple[int, ...]:
        """Return by what this run's writes are folded: by the rounds of all loops around the node, and its order."""
        if not self.around:
            return (self.order,)
        rounds = (number for order, loop in self.around for number in (order, loop.round_in(view)))
        return (*rounds, self.order)


@dataclass
class Run:
    """One run of a compiled graph.

    ``graph`` is the identity of what may run under it, ``outer`` the activation of another run that started it, if any.
    ``slots`` bound what runs at once, where LangGraph alone cannot.
    """

    graph: object
    id: str
    meter: Meter
    trace: Records | None
    redactor: Redactor = NOTHING
    outer: object | None = None
    slots: Line | None = None
    store: MutableMapping[str, object] = changing(default_factory=dict[str, object])
    numbers: Iterator[int] = changing(default_factory=lambda: count(1))
    accounts: tuple[Account, ...] = ()
    capped: bool = False
    """Whether a subgraph ended by a loop that was used up, and nobody had said where that leads."""


class Activation:
    """One attempt at a node in a run, or at one of its items: its place in the trace, its ceilings, what it has spent.

    ``attempt`` counts from 1; ``index`` is the item's, from 0.
    """

    __slots__ = (
        "aside",
        "attempt",
        "began",
        "deadline",
        "denied",
        "index",
        "inside",
        "number",
        "outer",
        "plan",
        "run",
        "tally",
    )

    def __init__(self, plan: Plan, run: Run, attempt: int = 1, index: int | None = None) -> None:
        self.plan, self.run, self.outer = plan, run, run.outer
        self.attempt, self.index = attempt, index
        self.began = time.monotonic()
        self.deadline = _earliest(run.meter.deadline, self.began, plan.declared.seconds, plan.timeout)
        self.number = next(run.numbers)
        self.inside = False  # whether it is the kind's own code that runs, and not ours around it
        self.tally: Tally | None = None
        self.aside: tuple[Share, ...] = ()
        self.denied: RunError | None = None  # by which it was told to end, should its code go on all the same

    def charge(self, call: Call) -> None:
        """Count one model call to the activation and its run. Raises Halt once a ceiling is passed."""
        if self.tally is None:
            self.tally = Tally()
        self.tally.add(call)
        self.run.meter.charge(call)
        self.halt_if_over()

    def halt_if_over(self, *, before_call: bool = False) -> None:
        """Raise Halt if a ceiling is passed, or before a model call, if one is met."""
        if (error := self.excess(before_call=before_call)) is not None:
            raise Halt(error, self)

    def excess(self, *, before_call: bool = False) -> RunError | None:
        """Return the ceiling that is passed, if any: first the run's, then the activation's own."""
        plan, declared = self.plan, self.plan.declared
        if (error := self.run.meter.excess(plan.name, before_call=before_call)) is not None:
            return error
        if (tally := self.tally) is not None:
            if over(declared.tokens, tally.tokens, before_call):
                return self._over("tokens", declared.tokens, tally.tokens)
            if over(declared.usd, tally.usd, before_call):
                return self._over("usd", declared.usd, tally.usd)
        if declared.seconds is not None and (took := time.monotonic() - self.began) >= declared.seconds:
            # What may take that long by its timeout as well has only timed out.
            return None if self.timed_out else self._over("seconds", declared.seconds, took)
        return None

    @property
    def timed_out(self) -> bool:
        """Whether the attempt has taken as long as it may, which is no longer than the kind declares."""
        timeout, declared = self.plan.timeout, self.plan.declared.seconds
        if timeout is None or (declared is not None and declared < timeout):
            return False
        return time.monotonic() - self.began >= timeout

    def _over(self, dimension: Dimension, declared: float | None, spent: float) -> OverDeclaredCost:
        return OverDeclaredCost(self.plan.name, self.plan.kind, dimension, declared or 0, spent)

    def price(self, role: object) -> Price | None:
        """Return the price of a call made as a role; of one that names none of the node's roles, the dearest."""
        prices = self.plan.prices
        if isinstance(role, str) and role in prices:
            return prices[role]
        known = [price for price in prices.values() if price is not None]
        if not known or len(known) < len(prices):
            return None
        return Price(max(price.input for price in known), max(price.output for price in known))


def _earliest(deadline: float | None, began: float, *lengths: float | None) -> float | None:
    for seconds in lengths:
        if seconds is not None:
            deadline = began + seconds if deadline is None else min(deadline, began + seconds)
    return deadline
