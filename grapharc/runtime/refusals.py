"""What keeps a run from starting: few exceptions, carrying values, wording themselves."""

from __future__ import annotations

from typing import ClassVar

from grapharc.runtime.errors import listed


class Refusal(Exception):
    """Nothing ran: what was asked for cannot be done."""

    code: ClassVar[str] = "refused"


class MissingRunContextError(Refusal):
    """LangGraph's object was driven directly: there would be no budget and no trace."""

    code: ClassVar[str] = "missing_run_context"

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node

    def __str__(self) -> str:
        return f"node '{self.node}' has no run context: run the compiled graph itself, not its inner LangGraph object"


class AsyncNodeError(Refusal):
    """A synchronous entry point met nodes whose functions are coroutines. ``nodes`` is sorted."""

    code: ClassVar[str] = "async_nodes"

    def __init__(self, nodes: tuple[str, ...]) -> None:
        super().__init__(nodes)
        self.nodes = nodes

    def __str__(self) -> str:
        return f"{listed(self.nodes)} can only run asynchronously: use ainvoke or astream"


class InputError(Refusal):
    """The inputs of a run do not fit. ``problems`` has one line for each."""

    code: ClassVar[str] = "wrong_inputs"

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "; ".join(self.problems)


class NotAdmitted(Refusal):
    """A graph that was not admitted cannot be compiled. ``codes`` are those of what speaks against it, sorted."""

    def __init__(self, verdict: str, graph: str, codes: tuple[str, ...]) -> None:
        super().__init__(verdict, graph, codes)
        self.verdict, self.graph, self.codes = verdict, graph, codes

    @property
    def code(self) -> str:  # type: ignore[override]  # which of two it is depends on the verdict
        """The slug: a graph that waits for a person needs a session, any other is refused."""
        return "approval_without_session" if self.verdict == "needs_approval" else "not_admitted"

    def __str__(self) -> str:
        why = f": {listed(self.codes)}" if self.codes else ""
        graph = f"graph '{self.graph}'" if self.graph else "the graph"
        if self.verdict == "needs_approval":
            return f"{graph} needs approval, and without a session nobody can be asked{why}"
        return f"{graph} is {self.verdict}{why}"


class EntryError(Refusal):
    """A kind's entry cannot be used. ``why`` says what is wrong with it."""

    code: ClassVar[str] = "entry_unusable"

    def __init__(self, kind: str, entry: str, why: str) -> None:
        super().__init__(kind, entry, why)
        self.kind, self.entry, self.why = kind, entry, why

    def __str__(self) -> str:
        return f"kind '{self.kind}' cannot be loaded from '{self.entry}': {self.why}"


class UpdateError(Refusal):
    """A state is not there, or may not be changed so."""

    code: ClassVar[str] = "update_refused"
