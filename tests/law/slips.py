"""A graph that is admitted goes in; the same graph with one slip of its author's comes out, if it has a place for it.

Each slip is one that structure alone seldom makes: a word left out, an edge too many, a name that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias, TypeVar

from tests.law.document import END, START, Edge, Field, Graph, Loop, Node, Test
from tests.law.tokens import Shape

MORE = "more"
"""A node that a slip adds."""
NOWHERE = "nowhere"

Slip: TypeAlias = Callable[[Graph, Random], "Graph | None"]
T = TypeVar("T")


def slip(code: str, graph: Graph, random: Random) -> Graph | None:
    """Make the slip that a code is about, somewhere."""
    return SLIPS[code](graph, random)


def _one(of: Iterable[T], random: Random) -> T | None:
    found = list(of)
    return random.choice(found) if found else None


def _changed(graph: Graph, edge: Edge, into: Edge) -> Graph:
    return replace(graph, edges=tuple(into if one is edge else one for one in graph.edges))


def _more(graph: Graph, edge: Edge) -> Graph:
    """Add an edge to a node of its own."""
    return replace(graph, nodes={**graph.nodes, MORE: Node(MORE)}, edges=(*graph.edges, edge, Edge(MORE, END)))


def _otherwise_left_out(graph: Graph, random: Random) -> Graph | None:
    arms = (edge for edge in graph.edges if edge.form == "arm" and not edge.test and not edge.loop)
    arms = (edge for edge in arms if edge.target != END)
    edge = _one((edge for edge in arms if len(graph.out_of(edge.source, "arm")) > 1), random)
    return edge and _changed(graph, edge, replace(edge, form="always"))


def _another_otherwise(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.form == "arm" and edge.test is None), random)
    return edge and _more(graph, Edge(edge.source, MORE, "arm"))


def _another_error_edge(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.form == "error" and edge.loop is None), random)
    return edge and _more(graph, Edge(edge.source, MORE, "error"))


def _error_edge_from_start(graph: Graph, _random: Random) -> Graph | None:
    return _more(graph, Edge(START, MORE, "error"))


def _other_rounds(graph: Graph, random: Random) -> Graph | None:
    """A second way back, for when the node fails, allows more rounds than the first."""
    steps = {name for name, node in graph.nodes.items() if node.kind == "step"}
    backs = (edge for edge in graph.edges if edge.loop and edge.form != "error" and edge.source in steps)
    edge = _one((edge for edge in backs if not graph.out_of(edge.source, "error")), random)
    if edge is None or edge.loop is None:
        return None
    looser = Edge(edge.source, edge.target, "error", loop=replace(edge.loop, rounds=edge.loop.rounds + 3))
    node = replace(graph.nodes[edge.source], fallible=True)
    return replace(graph, nodes={**graph.nodes, node.name: node}, edges=(*graph.edges, looser))


def _into_the_start(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.form == "always" and not edge.loop), random)
    return edge and replace(graph, edges=(*graph.edges, Edge(edge.source, START)))


def _misspelt(graph: Graph, random: Random) -> Graph | None:
    others = (edge for edge in graph.edges if len(graph.into(edge.target)) > 1 and edge.target != END)
    edge = _one(others, random)
    return edge and _changed(graph, edge, replace(edge, target=NOWHERE))


def _on_left_out(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.into and not graph.out_of(edge.source, "arm")), random)
    return edge and _changed(graph, edge, replace(edge, form="always"))


def _collect_left_out(graph: Graph, random: Random) -> Graph | None:
    node = _one((node for node in graph.nodes.values() if node.fan and node.fan.lost and node.fallible), random)
    if node is None or node.fan is None:
        return None
    return replace(graph, nodes={**graph.nodes, node.name: replace(node, fan=replace(node.fan, collect=False))})


def _typed(graph: Graph, name: str | None, field: Field) -> Graph | None:
    return replace(graph, fields={**graph.fields, name: field}) if name else None


def _text_for_a_failure(graph: Graph, random: Random) -> Graph | None:
    name = _one((edge.into for edge in graph.edges if edge.into), random)
    return _typed(graph, name, Field("string", "", output=True))


def _texts_for_failures(graph: Graph, random: Random) -> Graph | None:
    fans = (node.fan for node in graph.nodes.values() if node.fallible and node.fan and node.fan.lost)
    fan = _one(fans, random)
    return _typed(graph, fan and fan.lost, Field("list[string]", [], output=True))


def _text_for_a_list(graph: Graph, random: Random) -> Graph | None:
    name = _one((node.fan.over for node in graph.nodes.values() if node.fan), random)
    return _typed(graph, name, Field("string", "", input=True))


def _one_case_left_out(graph: Graph, random: Random) -> Graph | None:
    """A node may say one thing more than the author thought of, and the last arm has a condition."""
    arms = (edge for edge in graph.edges if edge.form == "arm" and not edge.test and edge.source in graph.nodes)
    edge = _one((edge for edge in arms if graph.nodes[edge.source].picks), random)
    if edge is None:
        return None
    node = graph.nodes[edge.source]
    asked = node.writes["pick"]
    told = {value for one in graph.out_of(node.name) if one.test for value in one.test.values}
    left = tuple(pick for pick in node.picks if pick not in told)
    if not left:
        return None
    field = replace(graph.fields[asked], type=f'{graph.fields[asked].type} | "{MORE}"')
    nodes = {**graph.nodes, node.name: replace(node, picks=(*node.picks, MORE))}
    changed = _changed(graph, edge, replace(edge, test=Test(asked, "one_of", left)))
    return replace(changed, nodes=nodes, fields={**graph.fields, asked: field})


def _same_field(graph: Graph, random: Random) -> Graph | None:
    steps = [name for name, node in graph.nodes.items() if node.kind == "step" and not node.fan]
    if len(steps) < 2:
        return None
    both = random.sample(steps, 2)
    nodes = {name: replace(graph.nodes[name], writes={**graph.nodes[name].writes, "mark": MORE}) for name in both}
    return replace(
        graph, nodes={**graph.nodes, **nodes}, fields={**graph.fields, MORE: Field("string", "", output=True)}
    )


def _twice(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.form == "always" and not edge.loop), random)
    return edge and replace(graph, edges=(*graph.edges, edge))


def _round_for_ever(graph: Graph, random: Random) -> Graph | None:
    edge = _one((edge for edge in graph.edges if edge.form == "always" and edge.source in graph.nodes), random)
    return edge and replace(graph, edges=(*graph.edges, Edge(edge.source, edge.source)))


def _loop_ahead(graph: Graph, random: Random) -> Graph | None:
    ahead = (edge for edge in graph.edges if not edge.loop and edge.source != START and edge.target != END)
    edge = _one((edge for edge in ahead if edge.target not in graph.headers), random)
    return edge and _changed(graph, edge, replace(edge, loop=Loop(2)))


def _back_when_used_up(graph: Graph, random: Random) -> Graph | None:
    bodies = Shape(graph).bodies.items()
    inside = _one(((header, node) for header, body in bodies for node in sorted(body - {header})), random)
    if inside is None:
        return None
    header, node = inside
    edges = (
        replace(edge, loop=replace(edge.loop, exhausted=node)) if edge.loop and edge.target == header else edge
        for edge in graph.edges
    )
    return replace(graph, edges=tuple(edges))


SLIPS: Mapping[str, Slip] = {
    "branch_not_exhaustive": _one_case_left_out,
    "duplicate_edge": _twice,
    "error_edge_from_start": _error_edge_from_start,
    "exhausted_into_body": _back_when_used_up,
    "failures_not_collected": _collect_left_out,
    "failures_type_mismatch": _texts_for_failures,
    "into_type_mismatch": _text_for_a_failure,
    "into_without_error_edge": _on_left_out,
    "loop_mismatch": _other_rounds,
    "loop_on_forward_edge": _loop_ahead,
    "map_over_no_list": _text_for_a_list,
    "mixed_edges": _otherwise_left_out,
    "second_error_edge": _another_error_edge,
    "second_otherwise": _another_otherwise,
    "self_loop": _round_for_ever,
    "sentinel_wrong_direction": _into_the_start,
    "unknown_edge_endpoint": _misspelt,
    "unordered_writers": _same_field,
}
