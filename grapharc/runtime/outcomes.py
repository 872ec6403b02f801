"""What a node wrote goes in; which way its run goes on - an arm, its error edge, another round - comes out.

Where ways lead is text here, which only the compiler understands. A loop keeps its round, the rounds without a change,
and the values of its progress fields in a channel of its own, for as long as it lasts: the channel is empty before the
header's first run of an entry and once the loop is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from grapharc.runtime.contracts import View
from grapharc.runtime.errors import NoWayOn
from grapharc.runtime.reducers import Reduce, start_of
from grapharc.spec.expressions.comparison import equal
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Reducer

Reason: TypeAlias = Literal["target_met", "round_cap", "no_progress", "failed"]
"""Why a loop was left: by an edge out of it, used up, without progress, or by an error edge."""
Scope: TypeAlias = "Mapping[str, Json]"
"""Values by field, of those that have one."""


@frozen
class Loop:
    """A loop: its header, the channel of its round, and the progress fields with their channels."""

    header: str
    channel: str
    progress: tuple[tuple[str, str], ...] = ()

    def round_in(self, view: View) -> int:
        """Return the round that a view is of, from 1."""
        return _state(self, view).round


class _State(NamedTuple):
    """What a loop's channel holds."""

    round: int
    still: int
    values: Scope


@frozen
class Way:
    """One outcome: the steps that it goes to, the targets as the document names them, and the loops that it leaves."""

    goto: tuple[str, ...]
    targets: tuple[str, ...]
    leaves: tuple[Loop, ...] = ()


@frozen
class Turn:
    """An outcome with an edge that goes back: another round, or the way on once the loop is used up.

    ``capped`` is the channel that notes an end that nobody named.
    """

    loop: Loop
    max_rounds: int
    patience: int
    again: Way
    exhausted: Way
    capped: str | None


Outcome: TypeAlias = Way | Turn


@frozen
class Arm:
    """An outcome of a node that succeeded, and when it is taken; without a condition, whenever it is come to."""

    holds: Callable[[Scope], bool] | None
    outcome: Outcome


class FieldRead(NamedTuple):
    """A field that deciding reads: its channel, and how it folds what the node itself wrote; None for the last."""

    field: str
    channel: str
    reducer: Reducer
    reduce: Reduce | None


@frozen
class Control:
    """How the run goes on after a node. ``enters`` is the loop whose header the node is, where that keeps values."""

    node: str
    arms: tuple[Arm, ...]
    error: Outcome | None
    into: str | None
    enters: Loop | None
    reads: tuple[FieldRead, ...]


class Left(NamedTuple):
    """A loop that was left: its header, the rounds it took, and why it ended."""

    header: str
    rounds: int
    reason: Reason


class Decision(NamedTuple):
    """Which way a run goes on: steps, targets, what is written to the lowering's own channels, loops that are left."""

    goto: tuple[str, ...]
    targets: tuple[str, ...]
    hidden: Mapping[str, Json]
    left: Sequence[Left]


def decide(control: Control, view: View, writes: Mapping[str, Json]) -> Decision:
    """Say how a run goes on after a node that wrote this. Raises ConditionFailed and NoWayOn."""
    scope = _scope(control, view, writes)
    for arm in control.arms:
        if arm.holds is None or arm.holds(scope):
            return _take(control, arm.outcome, view, scope, "target_met")
    raise NoWayOn(control.node)


def divert(control: Control, error: Outcome, view: View, writes: Mapping[str, Json]) -> Decision:
    """Say how a run goes on after a node that failed; ``writes`` has what its error edge writes."""
    return _take(control, error, view, _scope(control, view, writes), "failed")


def _scope(control: Control, view: View, writes: Mapping[str, Json]) -> Scope:
    """The state as the node leaves it, whatever others write beside it."""
    scope: dict[str, Json] = {}
    for field, channel, reducer, reduce in control.reads:
        if field not in writes:
            if channel in view:
                scope[field] = view[channel]
        elif reduce is None:
            scope[field] = writes[field]
        elif channel in view:
            scope[field] = reduce(view[channel], writes[field])
        else:
            scope[field] = start_of(reducer, writes[field])
    return scope


def _take(control: Control, outcome: Outcome, view: View, scope: Scope, reason: Reason) -> Decision:
    hidden: dict[str, Json] = {}
    left: list[Left] = []
    entered = control.enters
    if entered is not None and view.get(entered.channel) is None:
        hidden[entered.channel] = [1, 0, {name: view[channel] for name, channel in entered.progress if channel in view}]
    now = {**view, **hidden} if hidden else view
    if isinstance(outcome, Turn):
        way, why = _turn(outcome, now, scope, hidden)
        turned: Loop | None = outcome.loop
    else:
        way, turned, why = outcome, None, None
    for loop in way.leaves:
        left.append(Left(loop.header, loop.round_in(now), why if why and loop is turned else reason))
        hidden.pop(loop.channel, None)
        if view.get(loop.channel) is not None:
            hidden[loop.channel] = None
    return Decision(way.goto, way.targets, hidden, left)


def _turn(turn: Turn, view: View, scope: Scope, hidden: dict[str, Json]) -> tuple[Way, Reason | None]:
    """Begin another round if there may be one: the cap is looked at first, then progress."""
    state = _state(turn.loop, view)
    values = {name: scope[name] for name, _ in turn.loop.progress if name in scope}
    why: Reason | None = None
    still = 0
    if state.round >= turn.max_rounds:
        why = "round_cap"
    elif turn.loop.progress and _same(values, state.values):
        still = state.still + 1
        why = "no_progress" if still >= turn.patience else None
    if why is None:
        hidden[turn.loop.channel] = [state.round + 1, still, values]
        return turn.again, None
    if turn.capped is not None:
        hidden[turn.capped] = True
    return turn.exhausted, why


def _same(one: Scope, other: Scope) -> bool:
    """Values that nobody wrote to are the very same objects, so that comparing them costs nothing."""
    return one.keys() == other.keys() and all(
        value is other[name] or equal(value, other[name]) for name, value in one.items()
    )


def _state(loop: Loop, view: View) -> _State:
    match view.get(loop.channel):
        case [int(round_), int(still), dict(values)]:
            return _State(round_, still, values)
        case _:
            return _State(1, 0, {})
