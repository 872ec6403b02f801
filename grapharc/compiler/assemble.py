"""A linked graph and what was found out about it go in; the compiled graph comes out. Nothing is judged here."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.deciding import Deciding, deciding
from grapharc.compiler.engine import Checkpointer
from grapharc.compiler.joins import wire
from grapharc.compiler.lower import lower
from grapharc.compiler.plans import Planner, Setting, Surroundings
from grapharc.compiler.runs import Runs
from grapharc.compiler.state import StateAccess
from grapharc.compiler.steps import Step
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
    wiring = wire(admitted.flow)
    decided = deciding(graph, admitted.flow, wiring)
    orders = fold_order(admitted.flow)
    planner = Planner(graph, around)
    plans = {
        name: planner.plan(node, admitted.declared.get(name, Declared(0, 0)), _settings(name, orders, decided))
        for name, node in graph.nodes.items()
    }
    identity, folded = object(), frozenset(field.name for field in graph.fields.values() if field.reducer != "last")
    steps = {name: Step(plan, identity, folded) for name, plan in plans.items()}
    inner = lower(graph, wiring, decided, steps, checkpointer)
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
        sum(plan.fan is not None for plan in plans.values()),
    )
    writable = {name: node.fields_written for name, node in graph.nodes.items()}
    state = StateAccess(inner, graph.fields, steps, writable, admitted.fingerprint, checkpointer is not None)
    return CompiledGraph(graph.name, inner, plans, runs, state)


def _settings(name: str, orders: Mapping[str, int], decided: Deciding) -> Setting:
    around = tuple((orders[loop.header], loop) for loop in decided.around.get(name, ()))
    return Setting(orders[name], decided.controls.get(name), around)


def fold_order(flow: Flow) -> dict[str, int]:
    """Give each node its place in the order in which what unordered nodes write is folded.

    It depends on names and edges alone, and puts a node after all that lead to it in one round; among nodes that are
    equally far from the start it goes by name, numbers in names by their value.
    """
    far: dict[str, int] = {START: 0}
    for name in flow.order:
        far[name] = 1 + max(far[flow.source(arc)] for arc in arrivals(flow.waits[name]) if not flow.is_back(arc))
    ranked = sorted(flow.order, key=lambda name: (far[name], _natural(name), name))
    return {name: place for place, name in enumerate(ranked)}


def _natural(name: str) -> tuple[tuple[str, int], ...]:
    return tuple((word, int(digits or -1)) for word, digits in re.findall(r"(\D+|^)(\d*)", name))
