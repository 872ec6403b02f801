"""A linked graph and what was found out about it go in; the compiled graph comes out. Nothing is judged here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.deciding import Deciding, deciding
from grapharc.compiler.engine import Checkpointer
from grapharc.compiler.joins import wire
from grapharc.compiler.judging import Rules
from grapharc.compiler.lower import lower
from grapharc.compiler.nested import Nested
from grapharc.compiler.plans import Planner, Setting, Surroundings
from grapharc.compiler.runs import Runs
from grapharc.compiler.state import StateAccess
from grapharc.compiler.steps import Step
from grapharc.runtime.budget import Declared
from grapharc.runtime.redact import Redactor
from grapharc.spec.flow.facts import Flow
from grapharc.spec.flow.waits import arrivals
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.json_value import Json
from grapharc.spec.linked import END, START, Budget, LinkedGraph
from grapharc.spec.nesting import within

NO_RULES = Rules()


@frozen(slots=False)
class Admitted:
    """What an admission says that a compiled graph is held to.

    ``declared`` is the worst case of one activation of each node; ``record`` is what each trace says of the admission,
    ``fingerprint`` the same as one text. ``rules`` is what policies leave to the run.
    """

    graph: LinkedGraph
    flow: Flow
    budget: Budget
    declared: Mapping[str, Declared]
    record: Mapping[str, Json]
    fingerprint: str
    rules: Rules = NO_RULES


def assemble(admitted: Admitted, around: Surroundings, checkpointer: Checkpointer | None) -> CompiledGraph:
    """Load the kinds, plan the nodes, lower the graph and all that are nested in it. Raises EntryError."""
    return _assemble(admitted, around, checkpointer, "")


def _assemble(admitted: Admitted, around: Surroundings, checkpointer: Checkpointer | None, node: str) -> CompiledGraph:
    """Assemble a graph, or the subgraph that a ``node`` runs."""
    graph = admitted.graph
    name = partial(_called, node) if node else str
    wiring = wire(admitted.flow)
    decided = deciding(graph, admitted.flow, wiring, name)
    orders = {name(each): order for each, order in fold_order(admitted.flow).items()}
    planner = Planner(graph, around, admitted.rules)
    inside = {
        inner: _assemble(_admitted_inside(admitted, inner), around, None, name(inner)) for inner in admitted.flow.inside
    }
    plans = {
        each.name: planner.plan(
            replace(each, name=name(each.name), args={} if each.name in inside else each.args),
            NO_WORST if each.name in inside else admitted.declared.get(each.name, Declared(0, 0)),
            _setting(each.name, orders[name(each.name)], orders, decided, inside.get(each.name)),
        )
        for each in graph.nodes.values()
    }
    identity, folded = object(), frozenset(field.name for field in graph.fields.values() if field.reducer != "last")
    steps = {each: Step(plan, identity, folded) for each, plan in plans.items()}
    inner = lower(graph, wiring, decided, steps, checkpointer)
    every = {plan.name: plan for plan in plans.values()} | {
        n: p for made in inside.values() for n, p in made.plans.items()
    }
    runs = Runs(
        identity,
        graph.name,
        graph.version,
        graph.fields,
        admitted.budget,
        admitted.flow.control.steps,
        admitted.record,
        admitted.fingerprint,
        Redactor(secret for plan in every.values() for secret in plan.grants.env.values()),
        sum(plan.fan is not None or plan.is_subgraph for plan in plans.values()),
        admitted.rules.bounds,
        () if node else admitted.rules.decided,
    )
    writable = {each: node.fields_written for each, node in graph.nodes.items()}
    state = StateAccess(inner, graph.fields, steps, writable, admitted.fingerprint, checkpointer is not None)
    return CompiledGraph(graph.name, inner, every, runs, state)


NO_WORST = Declared()
"""Of a subgraph only what its nodes declare bounds an activation, and its own budget."""


def _called(node: str, inner: str) -> str:
    return inner if inner in (START, END) else within(node, inner)


def _admitted_inside(admitted: Admitted, node: str) -> Admitted:
    flow = admitted.flow.inside[node]
    declared = {name: Declared(one.tokens, one.usd, one.seconds) for name, one in flow.activations.items()}
    return replace(admitted, graph=flow.graph, flow=flow, budget=flow.graph.budget, declared=declared)


def _setting(
    name: str, order: int, orders: Mapping[str, int], decided: Deciding, inside: CompiledGraph | None
) -> Setting:
    around = tuple((orders[loop.header], loop) for loop in decided.around.get(name, ()))
    nested = None if inside is None else Nested(inside.inner, inside.runs)
    return Setting(order, decided.controls.get(name), around, nested)


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
