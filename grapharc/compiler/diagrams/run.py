"""A picture of control and the records of a run go in; the picture with what the run did at each place comes out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from grapharc.compiler.diagrams.picture import Line, Marks, Picture, Shape
from grapharc.compiler.diagrams.words import counted, often, wrapped
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Json
from grapharc.spec.linked import END, START
from grapharc.spec.nesting import within

Record = Mapping[str, Json]


@frozen(slots=False)
class _Tally:
    """What a run did: of each node its successes, failures and milliseconds, and where it went on to."""

    done: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    again: Counter[str] = field(default_factory=Counter[str])
    spent: Counter[str] = field(default_factory=Counter[str])
    items: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Of each map, how many items were done and how many failed."""
    words: dict[str, str] = field(default_factory=dict[str, str])
    went: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    caught: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    used_up: Counter[str] = field(default_factory=Counter[str])
    entered: Counter[str] = field(default_factory=Counter[str])
    decided: set[str] = field(default_factory=set[str])

    def runs(self, node: str) -> int:
        """How often a node was run."""
        return self.done[node] + self.failed[node]


def with_run(picture: Picture, records: Sequence[Record]) -> Picture:
    """Lay a run over a picture of the graph that it ran."""
    tally = _count(records)
    shapes = tuple(replace(shape, marks=_of_shape(shape, tally)) for shape in picture.shapes)
    exits = {(_left(line), _reached(line)) for line in picture.lines if line.form == "exhausted"}
    lines = tuple(replace(line, marks=_of_line(line, tally, exits)) for line in picture.lines)
    groups = tuple(replace(group, marks=_of_node(group.key, group.marks, tally)) for group in picture.groups)
    return replace(picture, notes=(*picture.notes, *_notes(records)), shapes=shapes, lines=lines, groups=groups)


def _count(records: Iterable[Record]) -> _Tally:
    tally = _Tally()
    for record in records:
        node = str(record.get("node", ""))
        match record.get("event"):
            case "end" | "map_end" if "index" not in record:
                _ended(tally, node, record)
            case "error" if "again" in record:
                tally.again[node] += 1
            case "error" | "map_error" if "index" not in record:
                _failed(tally, node, record)
            case "end" | "error":
                tally.items[node][record.get("event") == "error"] += 1
            case "loop" if record.get("reason") in ("round_cap", "no_progress"):
                tally.used_up[node] += 1
            case "graph_start":
                tally.entered[node] += 1
            case _:
                pass
    return tally


def _ended(tally: _Tally, node: str, record: Record) -> None:
    tally.done[node] += 1
    tally.spent[node] += _milliseconds(record)
    tally.went.update(_targets(node, record))
    if "to" in record:
        tally.decided.add(node)


def _failed(tally: _Tally, node: str, record: Record) -> None:
    tally.failed[node] += 1
    tally.spent[node] += _milliseconds(record)
    tally.caught.update(_targets(node, record))
    error = record.get("error")
    tally.words[node] = str(error.get("code", "error")) if isinstance(error, Mapping) else "error"


def _targets(node: str, record: Record) -> Iterator[tuple[str, str]]:
    """From where to where a node went on; the end of a subgraph is called as in its picture."""
    targets = record.get("to")
    outer = node.rpartition("/")[0]
    for target in targets if isinstance(targets, list) else ():
        yield node, within(outer, END) if outer and target == END else str(target)


def _milliseconds(record: Record) -> int:
    duration = record.get("duration")
    return round(duration) if isinstance(duration, int | float) else 0


def _of_shape(shape: Shape, tally: _Tally) -> Marks:
    return _of_node(shape.key, shape.marks, tally) if shape.form == "node" else shape.marks


def _of_node(name: str, marks: Marks, tally: _Tally) -> Marks:
    runs, failed = tally.runs(name), tally.failed[name]
    if not runs:
        return replace(marks, ran=())
    said = [f"ran {often(runs)}, {tally.spent[name]} ms"]
    good, bad = tally.items[name]
    said += [f"{counted(good + bad, 'item')}, {bad} failed"] if good + bad else []
    said += [f"tried again {often(tally.again[name])}"] if tally.again[name] else []
    said += [f"failed {often(failed)}: {tally.words[name]}"] if failed else []
    lines = tuple(line for text in said for line in wrapped(text))
    return replace(marks, ran=lines, failed=bool(failed or bad))


def _of_line(line: Line, tally: _Tally, exits: Collection[tuple[str, str]]) -> Marks:
    times = _times(line, tally, exits)
    return replace(line.marks, ran=(f"taken {often(times)}",) if times else ())


def _times(line: Line, tally: _Tally, exits: Collection[tuple[str, str]]) -> int:
    """How often a line was taken. A trace says where a node went on to, so arms to one target count together."""
    source, target = _left(line), _reached(line)
    if line.source == START:
        return int(target == END or tally.runs(target) > 0)
    if line.source.endswith(f"/{START}"):
        return tally.entered[source]
    if line.form == "error":
        return tally.caught[source, target]
    if source not in tally.decided:
        return tally.done[source]
    went = tally.went[source, target]
    used_up = min(tally.used_up[source], went) if (source, target) in exits else 0
    return used_up if line.form == "exhausted" else went - used_up


def _left(line: Line) -> str:
    """The node that a line leaves: of what leaves or begins a subgraph, that of the subgraph."""
    return line.source.removesuffix(f"/{START}").removesuffix(f"/{END}")


def _reached(line: Line) -> str:
    """The node that a line enters."""
    return line.target.removesuffix(f"/{START}")


def _notes(records: Sequence[Record]) -> Iterator[str]:
    for record in records:
        if record.get("event") == "run_start":
            yield f"run {record.get('run', 'without an id')}"
        if record.get("event") == "run_stop":
            yield f"stopped because: {record.get('stop', 'the trace does not say')}, after {_milliseconds(record)} ms"
    if not any(record.get("event") == "run_stop" for record in records):
        yield "the trace ends before the run did"
