"""A linked node goes in; its plan comes out: everything about it that does not change from run to run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from grapharc.compiler.bindings import bind
from grapharc.compiler.entries import Entry, load_entry
from grapharc.compiler.fans import fan
from grapharc.compiler.judging import Rules
from grapharc.compiler.nested import Nested
from grapharc.runtime.activation import Plan
from grapharc.runtime.budget import Declared
from grapharc.runtime.context import Grants
from grapharc.runtime.contracts import Output, dropped, output, writes_of
from grapharc.runtime.outcomes import Control, Loop
from grapharc.runtime.reducers import reduce_by
from grapharc.runtime.workspace import Workspace
from grapharc.spec.arguments.formats import store_args
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.loader import Loader
from grapharc.spec.offers import Kind, Price, Role
from grapharc.spec.subtype import substitute

FREE = Price(0.0, 0.0)


@frozen(slots=False)
class Surroundings:
    """What lies around a graph where it runs, for its kinds to be granted parts of.

    ``environment`` is all that there is; a kind sees what its manifest lists.
    """

    loader: Loader | None = None
    workspace: Workspace | None = None
    project: Workspace | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


@frozen
class Setting:
    """Where a node stands in its graph, for :class:`Plan`."""

    order: int
    control: Control | None = None
    around: tuple[tuple[int, Loop], ...] = ()
    nested: Nested | None = None


class Planner:
    """Makes the plans of one graph's nodes; what kinds have in common is made once."""

    def __init__(self, graph: LinkedGraph, around: Surroundings, rules: Rules) -> None:
        self._rules = rules
        self._fields = graph.fields
        self._roles = graph.registry.roles
        self._texts = graph.texts
        self._around = around
        self._entries: dict[str, Entry] = {}

    def plan(self, node: Node, declared: Declared, setting: Setting) -> Plan:
        """Make the plan of a node. Raises EntryError."""
        kind = node.offer.kind
        entry = self._entry(kind) if setting.nested is None else Entry(setting.nested.run, False, False)
        outputs = self._outputs(node)
        return Plan(
            name=node.name,
            kind=node.offer.name,
            function=entry.function,
            asynchronous=entry.asynchronous,
            wants_context=entry.wants_context,
            bind=bind(node, self._texts),
            accept=partial(writes_of, node.name, outputs),
            declared=declared,
            grants=self._grants(node),
            prices={name: _price(self._roles[name]) for name in node.roles},
            order=setting.order,
            control=setting.control,
            around=setting.around,
            retry=node.retry,
            timeout=node.timeout_seconds,
            coroutine=None if setting.nested is None else setting.nested.run_async,
            fan=None if node.map is None else fan(node, node.map, self._fields, self._texts),
            judge=self._rules.judges.get(node.name),
            tools=self._rules.tools.get(node.name, {}),
            shares=self._rules.shares.get(node.name, ()),
        )

    def _entry(self, kind: Kind) -> Entry:
        key = f"{kind.manifest}\n{kind.name}"
        if key not in self._entries:
            self._entries[key] = load_entry(kind, self._around.loader)
        return self._entries[key]

    def _outputs(self, node: Node) -> dict[str, Output]:
        outputs = {port: dropped(port) for port in node.offer.kind.writes}
        for write in node.writes:
            into = self._fields[write.field]
            port = substitute(node.offer.kind.writes[write.port].type, node.variables)
            # An item is held to its port alone: its field holds what all of them give.
            type_, reduce = (into.type, reduce_by(into.reducer)) if node.map is None else (port, None)
            outputs[write.port] = output(write.port, port, into.name, type_, reduce)
        return outputs

    def _grants(self, node: Node) -> Grants:
        kind, around = node.offer.kind, self._around
        return Grants(
            node=node.name,
            kind=node.offer.name,
            capabilities=node.capabilities,
            roles={name: self._roles[name] for name in node.roles},
            output_types={port.name: substitute(port.type, node.variables) for port in kind.writes.values()},
            env={name: around.environment[name] for name in kind.env if name in around.environment},
            workspace=around.workspace,
            project=around.project,
            stores=tuple(str(node.args[name]) for name in store_args(kind.args) if name in node.args),
            loader=around.loader,
        )


def _price(role: Role) -> Price | None:
    """What a file answers costs nothing."""
    return FREE if role.file is not None else role.price
