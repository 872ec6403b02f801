"""Plans, what they wait for and what decides go in, a LangGraph object comes out.

One channel for each field and each loop, a narrow view for each node, a narrow output, edges and barriers by the wait
trees. This is lowering 2: a checkpoint of another lowering does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from langgraph.channels.base import BaseChannel

from grapharc.compiler.channels import Cell, Mark, channel_of
from grapharc.compiler.deciding import Deciding
from grapharc.compiler.engine import Checkpointer, Inner, builder
from grapharc.compiler.inputs import starting_value
from grapharc.compiler.joins import Wiring
from grapharc.compiler.names import CAPPED, channel, step
from grapharc.compiler.steps import Merge, Step, WayIn
from grapharc.compiler.views import Views, state_schema
from grapharc.runtime.activation import Plan
from grapharc.spec.linked import END, START, LinkedGraph, Node

LOWERING = "2"


def lower(
    graph: LinkedGraph,
    wiring: Wiring,
    deciding: Deciding,
    steps: Mapping[str, Step],
    checkpointer: Checkpointer | None,
) -> Inner:
    """Build and compile the graph."""
    views, fields = Views(), graph.fields.values()
    outputs = [channel(field.name) for field in fields if field.output] + ([CAPPED] if deciding.capped else [])
    made = builder(
        state_schema(dict(_channels(graph, deciding))),
        views.of(channel(field.name) for field in fields if field.input),
        views.of(outputs),
    )
    for node in graph.nodes.values():
        seen = views.of(_seen(node, steps[node.name].plan))
        made.add_node(step(node.name), steps[node.name], input_schema=seen)
    for merge in wiring.merges:
        made.add_node(merge, Merge(merge), input_schema=views.of(()))
    for start, end in wiring.edges:
        made.add_edge(start, end)
    for starts, end in wiring.barriers:
        made.add_edge(starts, end)
    if (first := deciding.controls.get(START)) is not None:
        made.add_conditional_edges(START, WayIn(first))
    elif not any(start == START for start, _ in wiring.edges):
        made.add_edge(START, END)
    return made.compile(checkpointer, name=graph.name or "graph")


def _channels(graph: LinkedGraph, deciding: Deciding) -> Iterator[tuple[str, BaseChannel[Any, Any, Any]]]:
    for field in graph.fields.values():
        yield channel(field.name), channel_of(field, starting_value(field))
    for loop in deciding.loops:
        yield loop.channel, Cell(None)
    if deciding.capped:
        yield CAPPED, Mark()


def _seen(node: Node, plan: Plan) -> Iterator[str]:
    """The channels that a node sees: those of the fields it reads, and of what it decides by."""
    yield from map(channel, node.fields_read)
    yield from (loop.channel for _, loop in plan.around)
    if (control := plan.control) is not None:
        yield from (read.channel for read in control.reads)
        if control.enters is not None:
            yield from (key for _, key in control.enters.progress)
