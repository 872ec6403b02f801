"""Who waits for what and who writes what in; what may be read, or owed at the end, before anybody wrote it, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice

from grapharc.spec.flow.access import Access
from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.order import Order
from grapharc.spec.flow.points import Points
from grapharc.spec.flow.problems import OutputNotWritten, ReadBeforeWrite
from grapharc.spec.flow.together import Together
from grapharc.spec.flow.waits import Arrival, Wait, fold
from grapharc.spec.frozen import frozen

WAY = 20
"""Of the way to an early read no more nodes than these are told, the last ones."""

WRITERS = 4
"""Of no more writers of a field than these it is looked whether they come before a reader."""

WAYS = 100
"""Ways to an end are told for no more outputs than these."""


@frozen
class Written:
    """Which of some fields are surely written when a node starts, and when an outcome's arcs leave; bit sets."""

    fields: Mapping[str, int]
    before: Sequence[int]
    outcome: Sequence[int]


def surely_written(
    graph: FlowGraph, order: Order, entries: Mapping[int, Wait], access: Access, fields: Iterable[str]
) -> Written:
    """All-of is a union, one-of an intersection; an outcome adds the node's writes, an error edge its failure only."""
    number = {field: index for index, field in enumerate(fields)}
    everything = (1 << len(number)) - 1
    before = [0] * len(graph.names)
    outcome = [0] * len(graph.outcomes)

    def leaf(arc: int) -> int:
        return outcome[graph.arcs.outcome[arc]]

    for node in order.nodes:
        wait = entries.get(node)
        known = everything if node and wait is None else 0
        if wait is not None:
            known = leaf(wait.arc) if isinstance(wait, Arrival) else fold(wait, leaf, _union, _intersection)
        before[node] = known
        after = everything if node in access.inert else known | _mask(access.writes[node], number)
        failed = known | _mask(access.failing.get(node, ()), number)
        for one in graph.outcomes_of[node]:
            outcome[one] = failed if graph.outcomes.form[one] == "error" else after
    return Written(number, before, outcome)


def early_reads(
    graph: FlowGraph, order: Order, entries: Mapping[int, Wait], access: Access, tainted: bytearray, together: Together
) -> Iterable[ReadBeforeWrite]:
    """Find the fields that a node, or what decides how it goes on, reads though on some way nobody has written them."""
    doubtful = _doubtful(graph, order, access, together)
    if not doubtful:
        return
    written = surely_written(graph, order, entries, access, doubtful)
    for node in order.nodes:
        if tainted[together.points.of_node[node]]:
            continue
        for field in sorted(set(_missed(graph, access, written, node))):
            way = _way_without(graph, entries, written, node, written.fields[field])
            yield ReadBeforeWrite(field, graph.names[node], way)


def _missed(graph: FlowGraph, access: Access, written: Written, node: int) -> Iterable[str]:
    """List what a node reads before it runs, and what is read after it has ended, that is not there by then."""
    yield from (field for field in access.reads[node] if _lacks(written, written.before[node], field))
    if (later := access.deciding.get(node)) is None:
        return
    for one in graph.outcomes_of[node]:
        fields = later.failure if graph.outcomes.form[one] == "error" else later.success
        yield from (field for field in fields if _lacks(written, written.outcome[one], field))


def _doubtful(graph: FlowGraph, order: Order, access: Access, together: Together) -> Sequence[str]:
    """List the fields that some node reads and of which no writer is seen at once to come before it."""
    empty = set(access.empty)
    writers: dict[str, list[int]] = {}
    for node in access.writers(order.nodes):
        success = _success(graph, node, together)
        for field in access.writes[node] if success >= 0 else ():
            if field in empty:
                mine = writers.setdefault(field, [])
                if len(mine) < WRITERS:
                    mine.append(success)
    doubtful: set[str] = set()
    for node in access.readers(order.nodes):
        point = together.points.of_node[node]
        for field in access.read_by(node):
            if field in empty and field not in doubtful:
                for writer in writers.get(field, ()):
                    if together.surely_after(writer, point):
                        break
                else:
                    doubtful.add(field)
    return sorted(doubtful)


def _success(graph: FlowGraph, node: int, together: Together) -> int:
    """Give the one point that a node comes to by a success; -1 where there is none, or several."""
    form, of_outcome = graph.outcomes.form, together.points.of_outcome
    points = [of_outcome[one] for one in graph.outcomes_of[node] if form[one] != "error" and of_outcome[one] >= 0]
    return points[0] if len(points) == 1 else -1


def _lacks(written: Written, mask: int, field: str) -> bool:
    return field in written.fields and not mask >> written.fields[field] & 1


def owed_outputs(graph: FlowGraph, points: Points, access: Access, dooms: bytearray) -> Iterable[OutputNotWritten]:
    """Find the outputs that nobody writes on some way to an end; what must fail owes none."""
    fields = [field for field in access.empty if access.fields[field].output]
    if not (points.branches or graph.failing) and all(islice(points.before, 1, None)):
        # Every point happens in every run, so that what any node writes is written.
        written = {field for node in points.node for field in access.writes[node]} if fields else ()
        fields = [field for field in fields if field not in written]
    if not fields:
        return
    coming = _written_after(graph, points, access, dooms, fields)
    owing = [(number, field) for number, field in enumerate(fields) if not coming[0] >> number & 1]
    for number, field in owing[:WAYS]:
        yield OutputNotWritten(field, _way_to_end(graph, points, coming, number))
    for _, field in owing[WAYS:]:
        yield OutputNotWritten(field, ())


def _written_after(
    graph: FlowGraph, points: Points, access: Access, dooms: bytearray, fields: Sequence[str]
) -> Sequence[int]:
    """For each point, what is written after it (its own outcome included) whatever is chosen."""
    number = {field: index for index, field in enumerate(fields)}
    everything = (1 << len(fields)) - 1
    lost = {node for node, point in enumerate(points.of_node) if point < 0 and node != graph.end}
    coming = [everything] * len(points.node)
    for point in range(len(points.node) - 1, -1, -1):
        node, outcome = points.node[point], points.outcome[point]
        after = [coming[near] for near in points.after[point]]
        if points.chooses[point]:
            coming[point] = _intersection(after)
        elif not dooms[point] and node not in access.inert and not (lost and _leads_astray(graph, lost, outcome)):
            failed = graph.outcomes.form[outcome] == "error"
            mine = access.failing.get(node, ()) if failed else access.writes[node]
            coming[point] = _union((*after, _mask(mine, number)))
    return coming


def _leads_astray(graph: FlowGraph, lost: Collection[int], outcome: int) -> bool:
    """Tell whether an arc leads to where nothing is known: into a circle, or behind one."""
    return any(graph.arcs.target[arc] in lost for arc in graph.arcs_of[outcome])


def _way_without(
    graph: FlowGraph, entries: Mapping[int, Wait], written: Written, node: int, number: int
) -> tuple[str, ...]:
    """Walk back over arcs that do not bring the field, nor does an arc that comes along with them."""

    def leaf(arc: int) -> int:
        return -1 if written.outcome[graph.arcs.outcome[arc]] >> number & 1 else arc

    way = [node]
    while len(way) < WAY and (wait := entries.get(way[-1])) is not None:
        arc = fold(wait, leaf, lambda arcs: -1 if -1 in arcs else arcs[0], max)
        if arc < 0:
            break
        way.append(graph.arcs.source[arc])
    return tuple(graph.names[node] for node in reversed(way))


def _way_to_end(graph: FlowGraph, points: Points, coming: Sequence[int], number: int) -> tuple[str, ...]:
    way = [0]
    point = 0
    while (near := next((near for near in points.after[point] if not coming[near] >> number & 1), -1)) >= 0:
        point = near
        if points.node[point] != way[-1]:
            way.append(points.node[point])
    return (*(graph.names[node] for node in way), graph.names[graph.end])


def _mask(fields: Iterable[str], number: Mapping[str, int]) -> int:
    mask = 0
    for field in fields:
        if field in number:
            mask |= 1 << number[field]
    return mask


def _union(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def _intersection(masks: Iterable[int]) -> int:
    common = -1
    for mask in masks:
        common &= mask
    return common
