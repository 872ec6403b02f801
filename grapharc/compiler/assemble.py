"""A linked graph and what was found out about it go in; the compiled graph comes out. Nothing is judged here."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.engine import Checkpointer
from grapharc.compiler.lower import lower
from grapharc.compiler.plans import Planner, Surroundings
from grapharc.compiler.runs import Runs
from grapharc.compiler.state import StateAccess
from grapharc.runtime.budget import Declared
from grapharc.runtime.redact import Redactor
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.waits import arrivals
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.linked import START, Budget, LinkedGraph


@frozen(slots=False)
class Admitted:
    """What an admission says that a compiled graph is held to.

    ``declared`` is the worst case of one activation of each node; ``record`` is what each trace says of the admission,
    ``fingerprint`` the same as one text.
    """

    graph: LinkedGraph
    flow: Flow
    budget: Budget
    declared: Mapping[str, Declared]
    record: Mapping[str, Json]
    fingerprint: str


def assemble(admitted: Admitted, around: Surroundings, checkpointer: Checkpointer | None) -> CompiledGraph:
    """Load the kinds, plan the nodes, lower the graph. Raises EntryError."""
    graph = admitted.graph
    orders = fold_order(admitted.flow)
    planner = Planner(graph.fields, graph.registry.roles, around)
    plans = {
        name: planner.plan(node, admitted.declared.get(name, Declared(0, 0)), orders[name])
        for name, node in graph.nodes.items()
    }
    identity = object()
    inner = lower(graph, admitted.flow, plans, identity, checkpointer)
    redactor = Redactor(secret for plan in plans.values() for secret in plan.grants.env.values())
    runs = Runs(
        identity,
        graph.name,
        graph.version,
        graph.fields,
        admitted.budget,
        admitted.flow.steps,
        admitted.record,
        admitted.fingerprint,
        redactor,
    )
    writable = {name: tuple(sorted(write.field for write in node.writes)) for name, node in graph.nodes.items()}
    state = StateAccess(inner, graph.fields, plans, writable, admitted.fingerprint, checkpointer is not None)
    return CompiledGraph(graph.name, inner, plans, runs, state)


def fold_order(flow: Flow) -> dict[str, int]:
    """Give each node its place in the order in which what unordered nodes write is folded.

    It depends on names and edges alone, and puts a node after all that lead to it; among nodes that are equally far
    from the start it goes by name, numbers in names by their value.
    """
    far: dict[str, int] = {START: 0}
    for name in flow.order:
        far[name] = 1 + max(far[flow.source(arc)] for arc in arrivals(flow.waits[name]))
    ranked = sorted(flow.order, key=lambda name: (far[name], _natural(name), name))
    return {name: place for place, name in enumerate(ranked)}


def _natural(name: str) -> tuple[tuple[str, int], ...]:
    return tuple((word, int(digits or -1)) for word, digits in re.findall(r"(\D+|^)(\d*)", name))
