"""What ends a run, or keeps one from starting: few exceptions, carrying values, wording themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from grapharc.spec.linked import Dimension

if TYPE_CHECKING:
    from grapharc.runtime.result import RunResult

Stop: TypeAlias = Literal[
    "finished",
    "failed",
    "contract_broken",
    "expression_failed",
    "over_budget",
    "over_declared_cost",
    "stopped",
    "crashed",
]
"""Why a run stopped. ``finished``: nothing was left to run. ``stopped``: from outside. ``crashed``: a bug of ours."""


class RunError(Exception):
    """Ends a run that has begun. ``result``, with what was spent, is filled in as it leaves the compiled graph."""

    stop: ClassVar[Stop] = "failed"
    code: ClassVar[str] = "node_failed"
    result: RunResult | None = None


@dataclass(eq=False)
class NodeFailed(RunError):
    """A kind's function raised. ``cause`` is what it raised, ``message`` its words with secrets taken out."""

    node: str
    kind: str
    cause: BaseException
    message: str

    def __str__(self) -> str:
        words = f": {self.message}" if self.message else ""
        return f"node '{self.node}' of kind '{self.kind}' failed: {type(self.cause).__name__}{words}"


@dataclass(eq=False)
class ContractError(RunError):
    """A node broke its contract with the state, or with no ``node`` an update did. Never caught by an error edge."""

    stop: ClassVar[Stop] = "contract_broken"
    node: str


@dataclass(eq=False)
class WritePermissionError(ContractError):
    """A node wrote what it does not declare. ``written`` is a port, or a field that it has no port for."""

    code: ClassVar[str] = "undeclared_write"
    written: str
    declared: tuple[str, ...]

    def __str__(self) -> str:
        may = f"it may write {_listed(self.declared)}" if self.declared else "it may write nothing"
        return f"{_writer(self.node)} wrote '{self.written}', which it does not declare: {may}"


@dataclass(eq=False)
class StateTypeError(ContractError):
    """A value does not fit its field. ``declared`` is the type as documents write it, ``found`` what arrived."""

    code: ClassVar[str] = "wrong_type"
    field: str
    declared: str
    found: str

    def __str__(self) -> str:
        return f"{_writer(self.node)} wrote '{self.field}', declared as {self.declared}: {self.found}"


@dataclass(eq=False)
class ExpressionFailed(RunError):
    """An expression could not be evaluated. ``at`` is the place, as ``port 'x' of node 'n'``."""

    stop: ClassVar[Stop] = "expression_failed"
    code: ClassVar[str] = "expression_failed"
    node: str
    at: str
    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.at} of node '{self.node}' could not be evaluated: {self.why} in {self.text}"


@dataclass(eq=False)
class OverBudget(RunError):
    """The run spent, or was about to spend, more than its budget. Never caught by an error edge."""

    stop: ClassVar[Stop] = "over_budget"
    code: ClassVar[str] = "over_budget"
    dimension: Dimension
    limit: float
    spent: float
    node: str

    def __str__(self) -> str:
        limit, spent = _amount(self.dimension, self.limit), _amount(self.dimension, self.spent)
        return f"the run's budget of {limit} ran out in node '{self.node}': {spent} spent"


@dataclass(eq=False)
class OverDeclaredCost(RunError):
    """One activation passed the worst case that its kind declares, by which the graph was admitted."""

    stop: ClassVar[Stop] = "over_declared_cost"
    code: ClassVar[str] = "over_declared_cost"
    node: str
    kind: str
    dimension: Dimension
    declared: float
    spent: float

    def __str__(self) -> str:
        declared, spent = _amount(self.dimension, self.declared), _amount(self.dimension, self.spent)
        return (
            f"node '{self.node}' passed what kind '{self.kind}' declares as its worst case, {declared}: {spent} spent"
        )


class Refusal(Exception):
    """Nothing ran: what was asked for cannot be done."""

    code: ClassVar[str] = "refused"


@dataclass(eq=False)
class MissingRunContextError(Refusal):
    """LangGraph's object was driven directly: there would be no budget and no trace."""

    code: ClassVar[str] = "missing_run_context"
    node: str

    def __str__(self) -> str:
        return f"node '{self.node}' has no run context: run the compiled graph itself, not its inner LangGraph object"


@dataclass(eq=False)
class AsyncNodeError(Refusal):
    """A synchronous entry point met nodes whose functions are coroutines. ``nodes`` is sorted."""

    code: ClassVar[str] = "async_nodes"
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{_listed(self.nodes)} can only run asynchronously: use ainvoke or astream"


@dataclass(eq=False)
class InputError(Refusal):
    """The inputs of a run do not fit. ``problems`` has one line for each."""

    code: ClassVar[str] = "wrong_inputs"
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join(self.problems)


@dataclass(eq=False)
class NotAdmitted(Refusal):
    """A graph that was not admitted cannot be compiled. ``codes`` are those of the errors, sorted."""

    verdict: str
    graph: str
    codes: tuple[str, ...] = field(default=())

    @property
    def reason(self) -> str:
        """The slug: a graph that waits for a person needs a session, any other is refused."""
        return "approval_without_session" if self.verdict == "needs_approval" else "not_admitted"

    def __str__(self) -> str:
        if self.verdict == "needs_approval":
            return f"graph '{self.graph}' needs approval, and without a session nobody can be asked"
        return f"graph '{self.graph}' is {self.verdict}: {_listed(self.codes) if self.codes else 'no reason recorded'}"


@dataclass(eq=False)
class EntryError(Refusal):
    """A kind's entry cannot be used. ``why`` says what is wrong with it."""

    code: ClassVar[str] = "entry_unusable"
    kind: str
    entry: str
    why: str

    def __str__(self) -> str:
        return f"kind '{self.kind}' cannot be loaded from '{self.entry}': {self.why}"


@dataclass(eq=False)
class UpdateError(Refusal):
    """A change of state from outside is not allowed."""

    code: ClassVar[str] = "update_refused"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(eq=False)
class NotGranted(Exception):
    """A kind reached for something that its manifest does not declare."""

    kind: str
    what: str
    needs: str

    def __str__(self) -> str:
        return f"kind '{self.kind}' may not use {self.what}: its manifest does not declare {self.needs}"


def _writer(node: str) -> str:
    return f"node '{node}'" if node else "an update"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _amount(dimension: Dimension, value: float) -> str:
    if value == inf:
        return "an unknown amount"
    match dimension:
        case "usd":
            return f"{value:.6g} usd"
        case "seconds":
            return f"{value:.3g} seconds"
        case _:
            return f"{int(value)} {dimension}"
