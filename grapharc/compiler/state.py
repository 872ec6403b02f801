"""The id of a run goes in, its state comes out or is changed: checked like any node's write."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph.errors import InvalidUpdateError

from grapharc.compiler.channels import LATEST, contribution
from grapharc.compiler.engine import Config, Inner, Snapshot
from grapharc.compiler.lower import LOWERING
from grapharc.compiler.names import channel, field_of, node_of, step
from grapharc.compiler.steps import Step
from grapharc.runtime.contract_errors import StateTypeError, WritePermissionError
from grapharc.runtime.refusals import UpdateError
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Field
from grapharc.spec.suggest import suggest
from grapharc.spec.types import show
from grapharc.spec.values import Misfit, conform


@frozen
class State:
    """The state of a run: the fields that have a value, and the nodes that would run next, sorted."""

    values: Mapping[str, Json]
    next: tuple[str, ...]


@frozen(slots=False)
class StateAccess:
    """Reads and changes the kept states of one compiled graph. ``writable`` are the fields each node may write."""

    inner: Inner
    fields: Mapping[str, Field]
    steps: Mapping[str, Step]
    writable: Mapping[str, tuple[str, ...]]
    fingerprint: str
    kept: bool

    def get(self, run_id: str) -> State:
        """Return the state of a run. Raises UpdateError."""
        snapshot = self._known(run_id)
        values = {field: value for name, value in snapshot.values.items() if (field := field_of(name)) is not None}
        return State(values, tuple(sorted(node for name in snapshot.next if (node := node_of(name)) is not None)))

    def update(self, run_id: str, values: Mapping[str, object], as_node: str | None) -> None:
        """Change fields of a run; as a node, the run goes on as after one that wrote this.

        Raises UpdateError, WritePermissionError, StateTypeError and ConditionFailed.
        """
        snapshot = self._known(run_id)
        if as_node is not None and as_node not in self.steps:
            raise UpdateError(f"there is no node '{as_node}'{_near(as_node, self.steps)}")
        writes = {name: self._checked(name, value, as_node) for name, value in values.items()}
        told = self._of_nobody(writes) if as_node is None else self.steps[as_node].after(snapshot.values, writes)
        try:
            config = {**_thread(run_id), "metadata": metadata(self.fingerprint)}
            self.inner.update_state(config, told, as_node=None if as_node is None else step(as_node))
        except InvalidUpdateError as error:
            raise UpdateError(f"say as which node: {error}") from error

    def refuse_known(self, run_id: str) -> None:
        """Refuse to begin a run under an id that has a state already: it would go on from there."""
        if self.kept and self.inner.get_state(_thread(run_id)).created_at is not None:
            raise UpdateError(f"run '{run_id}' has already begun: another run needs another id")

    def _known(self, run_id: str) -> Snapshot:
        if not self.kept:
            raise UpdateError("no state is kept: the graph was compiled without a checkpointer")
        snapshot = self.inner.get_state(_thread(run_id))
        if snapshot.created_at is None:
            raise UpdateError(f"there is no run '{run_id}'")
        begun = snapshot.metadata or {}
        if any(begun.get(key) != value for key, value in metadata(self.fingerprint).items()):
            raise UpdateError(f"run '{run_id}' was begun under another admission of the graph")
        return snapshot

    def _checked(self, name: str, value: object, as_node: str | None) -> Json:
        field = self.fields.get(name)
        if field is None:
            raise UpdateError(f"there is no field '{name}'{_near(name, self.fields)}")
        if as_node is not None and name not in self.writable[as_node]:
            raise WritePermissionError(as_node, name, self.writable[as_node])
        try:
            return conform(field.type)(value)
        except (Misfit, RecursionError) as misfit:
            raise StateTypeError(as_node or "", name, show(field.type), str(misfit)) from None

    def _of_nobody(self, writes: Mapping[str, Json]) -> dict[str, Json]:
        folded = {name for name in writes if self.fields[name].reducer != "last"}
        return {
            channel(name): contribution(LATEST, value, "") if name in folded else value
            for name, value in writes.items()
        }


def metadata(fingerprint: str) -> dict[str, str]:
    """Return what goes with each checkpoint: under another admission, or another lowering, it does not fit."""
    return {"grapharc_lowering": LOWERING, "grapharc_admission": fingerprint}


def _near(name: str, known: Mapping[str, object]) -> str:
    near = suggest(name, known)
    return f", did you mean '{near}'?" if near else ""


def _thread(run_id: str) -> Config:
    return {"configurable": {"thread_id": run_id}}
