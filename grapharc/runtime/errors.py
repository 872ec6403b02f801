"""What ends a run: few exceptions, carrying values, wording themselves.

They are plain classes: LangGraph keeps an exception with a checkpoint, a dataclass by its class, anything else by its
words alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from grapharc.spec.linked import RetryOn
from grapharc.spec.offers import Dimension

if TYPE_CHECKING:
    from grapharc.runtime.result import RunResult, Stop

FailureReason: TypeAlias = "RetryOn | Literal['too_many_items']"
"""What a failure is: ``error`` is what is none of the others."""


class RunError(Exception):
    """Ends a run that has begun. ``result``, with what was spent, is filled in as it leaves the compiled graph."""

    stop: ClassVar[Stop] = "failed"
    code: ClassVar[str] = "run_failed"
    result: RunResult | None = None

    def mask(self, text: Callable[[str], str]) -> None:
        """Take secrets out of all words that it carries."""
        self.args = tuple(text(value) if isinstance(value, str) else value for value in self.args)
        for name, value in vars(self).items():
            if isinstance(value, str):
                setattr(self, name, text(value))


class NodeFailed(RunError):
    """A node failed: an error edge may catch it. ``cause`` is what its function raised, ``message`` its words.

    Secrets are taken out of the words. ``reason`` is what retries and authors tell failures apart by; ``attempts`` is
    how often the node, or its item ``index``, was tried.
    """

    code: ClassVar[str] = "node_failed"

    def __init__(
        self,
        node: str,
        kind: str,
        cause: BaseException,
        message: str,
        *,
        reason: FailureReason = "error",
        attempts: int = 1,
        index: int | None = None,
    ) -> None:
        super().__init__(node, kind, message)
        self.node, self.kind, self.cause, self.message = node, kind, cause, message
        self.reason: FailureReason = reason
        self.attempts, self.index = attempts, index

    def __str__(self) -> str:
        if isinstance(self.cause, NodeFailed):  # a node inside, which says of what kind its cause is
            return f"{self.subject} failed{self.after}: {self.message}"
        words = f": {self.message}" if self.message else ""
        return f"{self.subject} failed{self.after}: {type(self.cause).__name__}{words}"

    @property
    def subject(self) -> str:
        """What failed, in words."""
        item = "" if self.index is None else f"item {self.index} of "
        return f"{item}node '{self.node}' of kind '{self.kind}'"

    @property
    def after(self) -> str:
        """How often it was tried, in words, where that was more than once."""
        return f" after {self.attempts} attempts" if self.attempts > 1 else ""


class NodeTimedOut(NodeFailed):
    """An attempt took longer than ``timeout_seconds``, ``limit``."""

    code: ClassVar[str] = "node_timed_out"

    def __init__(
        self, node: str, kind: str, cause: BaseException, limit: float, *, attempts: int = 1, index: int | None = None
    ) -> None:
        message = f"no end within {_amount('seconds', limit)}"
        super().__init__(node, kind, cause, message, reason="timeout", attempts=attempts, index=index)
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.subject} failed{self.after}: {self.message}"


class TooManyItems(NodeFailed):
    """A list is longer than ``max_items``, ``limit``; none of its items was run."""

    code: ClassVar[str] = "too_many_items"

    def __init__(self, node: str, kind: str, found: int, limit: int) -> None:
        message = f"a list of {found} items, at most {limit} would be right"
        super().__init__(node, kind, ValueError(message), message, reason="too_many_items")
        self.found, self.limit = found, limit

    def __str__(self) -> str:
        return f"{self.subject} failed: {self.message}"


class ExpressionFailed(RunError):
    """An expression could not be evaluated. ``at`` is where it stands in the node, ``text`` the expression.

    ``where`` is the part of it that failed, as ``document:line:column``; "" where no document says it.
    """

    stop: ClassVar[Stop] = "expression_failed"
    code: ClassVar[str] = "expression_failed"

    def __init__(self, node: str, at: str, text: str, why: str, where: str = "") -> None:
        super().__init__(node, at, text, why, where)
        self.node, self.at, self.text, self.why, self.where = node, at, text, why, where

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        return f"{where}{self.at} of node '{self.node}' cannot be evaluated: {self.why}, in '{self.text}'"


class ConditionFailed(ExpressionFailed):
    """A condition could not be evaluated, or is neither true nor false."""

    code: ClassVar[str] = "condition_failed"


class NoWayOn(RunError):
    """No condition of a branch is true, and nothing says what then; the check proves that this cannot be."""

    stop: ClassVar[Stop] = "expression_failed"
    code: ClassVar[str] = "no_way_on"

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node

    def __str__(self) -> str:
        return f"no condition of the edges out of '{self.node}' is true"


class TraceLost(RunError):
    """The trace can no longer be written, so the run was ended. ``path`` as it was given, ``why`` in words."""

    stop: ClassVar[Stop] = "stopped"
    code: ClassVar[str] = "trace_lost"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path, self.why = path, why

    def __str__(self) -> str:
        return f"the trace cannot be kept: {self.why}"


class OverBudget(RunError):
    """The run spent, or was about to spend, more than its budget, or one entry of the subgraph ``graph`` did.

    Never caught by an error edge.
    """

    stop: ClassVar[Stop] = "over_budget"
    code: ClassVar[str] = "over_budget"

    dimension: Dimension

    def __init__(self, dimension: Dimension, limit: float, spent: float, node: str, graph: str = "") -> None:
        super().__init__(dimension, limit, spent, node, graph)
        self.dimension, self.limit, self.spent, self.node, self.graph = dimension, limit, spent, node, graph

    def __str__(self) -> str:
        limit, spent = _amount(self.dimension, self.limit), _amount(self.dimension, self.spent)
        whose = f"the budget of subgraph '{self.graph}'," if self.graph else "the run's budget of"
        return f"{whose} {limit}{',' if self.graph else ''} ran out in node '{self.node}': {spent} spent"


class OverDeclaredCost(RunError):
    """One activation passed the worst case that its kind declares, by which the graph was admitted."""

    stop: ClassVar[Stop] = "over_declared_cost"
    code: ClassVar[str] = "over_declared_cost"

    dimension: Dimension

    def __init__(self, node: str, kind: str, dimension: Dimension, declared: float, spent: float) -> None:
        super().__init__(node, kind, dimension, declared, spent)
        self.node, self.kind = node, kind
        self.dimension, self.declared, self.spent = dimension, declared, spent

    def __str__(self) -> str:
        declared, spent = _amount(self.dimension, self.declared), _amount(self.dimension, self.spent)
        return (
            f"node '{self.node}' passed what kind '{self.kind}' declares as its worst case, {declared}: {spent} spent"
        )


class Denied(RunError):
    """A policy does not let the run go on: an activation, or a tool that one was about to use, is not allowed.

    ``kind`` is what was asked for, ``what`` whether as a "node" or a "tool", ``rule`` None for a policy's default.
    ``role`` is set where a person would have to be asked, and says who. Never caught by an error edge.
    """

    stop: ClassVar[Stop] = "denied"
    code: ClassVar[str] = "denied"

    def __init__(
        self,
        node: str,
        kind: str,
        what: Literal["node", "tool"],
        policy: str,
        rule: str | None,
        reason: str,
        role: str | None = None,
    ) -> None:
        super().__init__(node, kind, what, policy, rule, reason, role)
        self.node, self.kind, self.policy, self.rule, self.reason = node, kind, policy, rule, reason
        self.what: Literal["node", "tool"] = what
        self.role = role

    def __str__(self) -> str:
        node = f"node '{self.node}' of kind '{self.kind}'"
        subject = node if self.what == "node" else f"tool '{self.kind}', asked for by node '{self.node}',"
        by = f"rule '{self.rule}' of policy '{self.policy}'" if self.rule else f"the default of policy '{self.policy}'"
        why = f": {self.reason}" if self.reason else ""
        if self.role is not None:
            who = f" in role '{self.role}'" if self.role else ""
            return f"{subject} waits for a person{who}, by {by}, and nobody can be asked{why}"
        return f"{subject} is denied by {by}{why}"


class NotGranted(Exception):
    """A kind reached for something that its manifest does not declare, or that is not its own for another reason."""

    def __init__(self, kind: str, what: str, needs: str = "", why: str = "") -> None:
        super().__init__(kind, what, needs, why)
        self.kind, self.what, self.needs, self.why = kind, what, needs, why

    def __str__(self) -> str:
        why = self.why or f"its manifest does not declare {self.needs}"
        return f"kind '{self.kind}' may not use {self.what}: {why}"


def listed(names: tuple[str, ...]) -> str:
    """Return names as messages list them."""
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
