"""What a node wrote, or how it failed, goes in; how its run goes on comes out."""

from __future__ import annotations

from grapharc.runtime.activation import Plan
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import NodeFailed
from grapharc.runtime.failures import failure_record
from grapharc.runtime.outcomes import Decision, decide, divert
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json


@frozen
class Settled:
    """What a node has come to: its writes by field, and how the run goes on where that is not always the same.

    Of an item of a map, ``writes`` are its share of the node's.
    """

    writes: dict[str, Json] = field(default_factory=dict[str, Json])
    decision: Decision | None = None


@frozen
class Again:
    """An attempt failed, and there is to be another after some seconds."""

    seconds: float
    error: NodeFailed


def succeeded(plan: Plan, view: View, writes: dict[str, Json]) -> Settled:
    """Decide how the run goes on after a node that wrote this. A field that holds its failure becomes null.

    Raises ConditionFailed and NoWayOn.
    """
    if (control := plan.control) is None:
        return Settled(writes)
    if control.into is not None:
        writes = {control.into: None, **writes}
    return Settled(writes, decide(control, view, writes))


def diverted(plan: Plan, view: View, error: BaseException) -> Settled | None:
    """Take a failed node's error edge; None where it has none, or where the error is none that it catches."""
    control = plan.control
    if control is None or control.error is None or not isinstance(error, NodeFailed):
        return None
    writes: dict[str, Json] = {} if control.into is None else {control.into: failure_record(error)}
    return Settled(writes, divert(control, control.error, view, writes))
