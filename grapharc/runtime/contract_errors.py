"""What ends a run in which a node did not keep its contract with the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from grapharc.runtime.errors import RunError, listed

if TYPE_CHECKING:
    from grapharc.runtime.result import Stop


class ContractError(RunError):
    """A node broke its contract with the state, or with no ``node`` an update did. Never caught by an error edge."""

    stop: ClassVar[Stop] = "contract_broken"

    def __init__(self, node: str, *values: object) -> None:
        super().__init__(node, *values)
        self.node = node

    @property
    def writer(self) -> str:
        """Who wrote, in words."""
        return f"node '{self.node}'" if self.node else "an update"


class WritePermissionError(ContractError):
    """A node wrote what it does not declare. ``written`` is a port, or a field; ``declared`` is sorted."""

    code: ClassVar[str] = "undeclared_write"

    def __init__(self, node: str, written: str, declared: tuple[str, ...]) -> None:
        super().__init__(node, written, declared)
        self.written, self.declared = written, declared

    def __str__(self) -> str:
        may = f"it may write {listed(self.declared)}" if self.declared else "it may write nothing"
        return f"{self.writer} wrote '{self.written}', which it does not declare: {may}"


class StateTypeError(ContractError):
    """A value does not fit its field. ``declared`` is the type as documents write it, ``found`` what arrived."""

    code: ClassVar[str] = "wrong_type"

    def __init__(self, node: str, field: str, declared: str, found: str) -> None:
        super().__init__(node, field, declared, found)
        self.field, self.declared, self.found = field, declared, found

    def __str__(self) -> str:
        return f"{self.writer} wrote '{self.field}', declared as {self.declared}: {self.found}"


class OutputsError(ContractError):
    """What a node returned is no dict of outputs at all. ``found`` says what it is."""

    code: ClassVar[str] = "no_outputs"

    def __init__(self, node: str, found: str) -> None:
        super().__init__(node, found)
        self.found = found

    def __str__(self) -> str:
        return f"{self.writer} returned {self.found}, a dict of outputs would be right"
