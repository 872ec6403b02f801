"""Plans and what they wait for go in, a LangGraph object comes out.

One channel for each field, a narrow view for each node, a narrow output, edges and barriers by the wait trees. This is
lowering 1: a checkpoint of another lowering does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.compiler.channels import channel_of
from grapharc.compiler.engine import Checkpointer, Inner, builder
from grapharc.compiler.inputs import starting_value
from grapharc.compiler.joins import Joins
from grapharc.compiler.names import step
from grapharc.compiler.steps import Step
from grapharc.compiler.views import Views, state_schema
from grapharc.runtime.activation import Plan
from grapharc.spec.flow.facts import Flow
from grapharc.spec.linked import END, START, LinkedGraph

LOWERING = "1"


def lower(
    graph: LinkedGraph, flow: Flow, plans: Mapping[str, Plan], identity: object, checkpointer: Checkpointer | None
) -> Inner:
    """Build and compile the graph. ``identity`` is what a run must be made for, to be let in."""
    views, fields = Views(), graph.fields.values()
    made = builder(
        state_schema({field.name: channel_of(field, starting_value(field)) for field in fields}),
        views.of(field.name for field in fields if field.input),
        views.of(field.name for field in fields if field.output),
    )
    folded = frozenset(field.name for field in fields if field.reducer != "last")
    for node in graph.nodes.values():
        made.add_node(
            step(node.name), Step(plans[node.name], identity, folded), input_schema=views.of(node.fields_read)
        )
    joins = Joins(made, flow)
    for name, wait in flow.waits.items():
        if name != END:
            joins.deliver(wait, step(name))
    if not graph.nodes:
        made.add_edge(START, END)
    return made.compile(checkpointer, name=graph.name or "graph")
