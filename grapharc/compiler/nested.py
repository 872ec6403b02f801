"""A compiled subgraph goes in; the functions that run it within an activation of its node come out.

The subgraph has a state and a budget of its own for each entry. Run, trace, clock, secrets and what is shared by all
nodes are those of the run that it is a part of.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from grapharc.compiler.apart import apart
from grapharc.compiler.engine import Inner
from grapharc.compiler.runs import Runs
from grapharc.runtime.activation import Activation
from grapharc.runtime.budget import Halt
from grapharc.runtime.charges import in_force
from grapharc.runtime.clocks import current
from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.errors import NodeFailed, RunError
from grapharc.runtime.refusals import InputError
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen(slots=False)
class Nested:
    """One subgraph, at its place. Both ways to run it take its inputs by keyword and return its outputs."""

    inner: Inner
    runs: Runs

    def run(self, **inputs: object) -> dict[str, Json]:
        """Run it in this thread. Raises NodeFailed, and Halt for what no error edge catches."""
        outer = _entered()
        with _inside(outer), self.runs.entry(inputs, outer) as opened:
            latest = self.runs.before(opened)
            for chunk in self.inner.stream(opened.given, opened.config, stream_mode="values", durability=None):
                latest = chunk
            return self.runs.leave(opened, latest, outer)

    async def run_async(self, **inputs: object) -> dict[str, Json]:
        """Run it on this event loop. Raises NodeFailed, and Halt for what no error edge catches."""
        outer = _entered()
        with _inside(outer), self.runs.entry(inputs, outer) as opened:
            latest = self.runs.before(opened)
            async for chunk in self.inner.astream(opened.given, opened.config, stream_mode="values", durability=None):
                latest = chunk
            return self.runs.leave(opened, latest, outer)


def _entered() -> Activation:
    """The activation whose function this is."""
    activation = current.get()
    if not isinstance(activation, Activation):
        raise AssertionError("a subgraph is entered by an activation of its node")
    return activation


@contextmanager
def _inside(outer: Activation) -> Generator[None]:
    """What is charged inside goes to the nodes there, once; what ends the whole run is no failure of this node."""
    token = in_force.set(None)
    try:
        with apart():
            yield
    except NodeFailed:
        raise
    except RunError as error:
        raise Halt(error, outer) from error
    except InputError as error:
        wrong = StateTypeError(outer.plan.name, "an input", "the subgraph's", str(error))
        raise Halt(wrong, outer) from error
    finally:
        in_force.reset(token)
