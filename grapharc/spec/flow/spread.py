"""Where data begins, what stops it and where it must not come in; each such place that it comes to, and how, out.

Data goes from a node to the fields that it writes, and from there to each node that reads one of them later, in any
round; from the fields by which is decided how a run goes on to whatever runs, or runs not, by that decision; through
files and stores; into a subgraph by its inputs and out of it by its outputs; and with failures to where these are
written. Each output of a node carries all that the node was given. Of two writes of which the later replaces the
earlier, both are taken to reach a reader behind them.

A node that data must pass (``via``) stops what it is given and hands on by its outputs; what its failures say has not
passed it, nor has what a verifier writes beside that which it accepted. What a decision reveals is stopped where such a
node stands on every way from the decision on. Where it stands on some ways only, what is done behind it tells, at a
place to which other ways lead too, which way was taken: so that this is held back until it comes to such a place, and
goes on from there. Whether a node fails is a decision too, by all that the node was given, where an error edge tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from grapharc.spec.flow.cells import Arrival, By, Cell, Come, Question, Spread, What
from grapharc.spec.flow.channels import share
from grapharc.spec.flow.decisions import Decision, by_fields, by_outcome, decided, followed
from grapharc.spec.flow.files import FileReaders
from grapharc.spec.flow.shared import Shared
from grapharc.spec.flow.traffic import Written
from grapharc.spec.flow.unfolded import Copy, Unfolded


def spread(graph: Unfolded, question: Question) -> Spread:
    """Follow data wherever it comes to."""
    search = _Search(graph, question)
    search.begin()
    while search.todo:
        search.step(*search.todo.popleft())
    return Spread(graph, question.via, [held.came for held in search.held], search.shown, search.landed)


class _Held:
    """What one decision holds back until it comes to a spot that is ``free``; the first holds nothing back."""

    def __init__(self, graph: Unfolded, free: Collection[int] = ()) -> None:
        self.free = free
        self.came: dict[Cell, Come] = {}
        self.readers: dict[tuple[int, str], Shared] = {}
        """Those that a field has not come to yet, by the base of a copy and the field's name."""
        self.deciders: dict[tuple[int, str, bool], Shared] = {}
        self.files = FileReaders(graph)
        self.stores = FileReaders(graph, of_stores=True)


class _Search:
    """Data on its way, breadth first."""

    def __init__(self, graph: Unfolded, question: Question) -> None:
        self.graph = graph
        self.question = question
        self.cut = question.via | question.endorsing
        self.held = [_Held(graph)]
        self.todo: deque[tuple[int, Cell]] = deque()
        self.shown: dict[int, Come] = {}
        self.landed: dict[tuple[str, int], Arrival] = {}
        self.guarded: set[int] = set()

    def begin(self) -> None:
        question, root = self.question, self.graph.root
        for spot in sorted(question.sources - question.via, key=self.graph.name):
            self.visit(0, Cell("out", spot), Come(0, None, "begins"))
            self.visit(0, Cell("fail", spot), Come(0, None, "begins"))
        for written in root.traffic.writes[root.layout.start] if question.inputs else ():
            if root.layout.graph.fields[written.field].input:
                self.visit(0, Cell("enters", root.start, written.field), Come(0, None, "begins", written.field))
        for copy in self.graph.copies if question.label else ():
            for number, written in copy.traffic.labelled(question.label):
                self.begin_in_field(copy, number, written)

    def begin_in_field(self, copy: Copy, number: int, written: Written) -> None:
        come = Come(0, None, "begins", written.field, written)
        if written.reason == "enters":
            self.visit(0, Cell("enters", copy.start, written.field), come)
            return
        cell = Cell("field", copy.base + number, f"{written.reason} {written.port} {written.field}")
        self.held[0].came[cell] = come
        self.write(0, copy, number, written, cell)

    def on(self, held: int, source: Cell, by: By, field: str = "", written: Written | None = None) -> Come:
        """Go a step on from a cell."""
        before = self.held[held].came[source]
        last = source.spot if source.spot in self.graph.nodes else before.last
        length = before.length + (by != "handed on")
        return Come(held, source, by, field, written, before.origin or source, last, length)

    def visit(self, held: int, cell: Cell, come: Come) -> bool:
        """Note that data came to a cell, unless it was there before, free or held back by the same decision."""
        if cell in self.held[held].came or (held and cell in self.held[0].came):
            return False
        self.held[held].came[cell] = come
        self.todo.append((held, cell))
        return True

    def now(self, held: int, cell: Cell, come: Come) -> None:
        """Go on at once: it takes no step from what a node is given to what it writes."""
        if self.visit(held, cell, come):
            self.todo.pop()
            self.step(held, cell)

    def step(self, held: int, cell: Cell) -> None:
        match cell.what:
            case "in":
                self.given(held, cell)
            case "out" | "past":
                self.outputs(held, cell)
            case "fail":
                self.failures(held, cell)
            case "decide" | "decide_failed":
                self.decide(held, cell)
            case "outcome":
                self.settle(held, cell)
            case "enters":
                copy = self.graph.copy_of[cell.spot]
                come = self.on(held, cell, "field", cell.field)
                self.read(held, copy, come, copy.layout.after[copy.layout.start])
            case "leaves":
                self.leave(held, cell)
            case "field":
                pass  # where it leads is followed at once

    def given(self, held: int, cell: Cell) -> None:
        """A node hands on what it is given; what a whole copy is given, such as the list it runs over, is for all."""
        copy = self.graph.copy_of[cell.spot]
        if cell.spot != copy.start:
            come = self.on(held, cell, "handed on")
            if cell.spot not in self.cut:
                self.now(held, Cell("out", cell.spot), come)
            elif self.graph.passing(cell.spot) is not None:
                self.now(held, Cell("past", cell.spot), come)
            if self.graph.tells_failure(cell.spot):
                self.now(held, Cell("fail", cell.spot), come)
            self.may_fail(held, cell, cell.spot)
            return
        if copy.around is not None:
            self.may_fail(held, cell, copy.around.base + copy.at)
        come = self.on(held, cell, "inside")
        for spot in copy.spots:
            inner = copy.inside.get(spot - copy.base)
            self.arrive(held, spot if inner is None else inner.start, come)
        if copy.around is not None:
            self.now(held, Cell("out", copy.around.base + copy.at), come)
            self.now(held, Cell("fail", copy.around.base + copy.at), come)

    def outputs(self, held: int, cell: Cell) -> None:
        copy = self.graph.copy_of[cell.spot]
        number = cell.spot - copy.base
        passed = self.graph.passing(cell.spot) if cell.what == "past" else None
        for written in copy.traffic.writes[number]:
            if written.reason == "port" and not (passed and written.port in passed):
                self.write(held, copy, number, written, cell)
        channels = self.graph.channels.get(cell.spot)
        if channels is None:
            return
        for spot, other in self.graph.channels.items() if channels.writes_stores else ():
            if share(channels.writes_stores, other.reads_stores):
                self.arrive(held, spot, self.on(held, cell, "store"))
        layer, by = self.held[held], self.on(held, cell, "files" if channels.writes_files else "store")
        for spot in layer.files.later_than(cell.spot) if channels.writes_files or channels.writes_stores else ():
            self.arrive(held, spot, by)
        for spot in layer.stores.later_than(cell.spot) if channels.writes_files else ():
            self.arrive(held, spot, by)

    def failures(self, held: int, cell: Cell) -> None:
        """What a failure says goes where it is written; what nobody catches inside a copy is the copy's."""
        copy = self.graph.copy_of[cell.spot]
        number = cell.spot - copy.base
        node = copy.layout.nodes[number]
        for written in copy.traffic.writes[number]:
            if written.reason in ("failures", "into"):
                self.write(held, copy, number, written, cell)
        collected = node is not None and node.map is not None and node.map.collect
        if copy.around is not None and not copy.layout.failure[number] and not collected:
            self.now(held, Cell("fail", copy.around.base + copy.at), self.on(held, cell, "handed on"))

    def write(self, held: int, copy: Copy, number: int, written: Written, cell: Cell) -> None:
        layout = copy.layout
        later = layout.after_failure(number) if written.reason == "into" else layout.after_success(number)
        come = self.on(held, cell, "field", written.field, written)
        if labels := layout.graph.fields[written.field].labels:
            self.land(held, labels, Cell("field", cell.spot, written.field), come)
        self.read(held, copy, come, later, number)

    def read(self, held: int, copy: Copy, come: Come, later: Shared, writer: int = -1) -> None:
        """Bring a field to all that read it ``later``, and to what is decided by it, by its ``writer`` at once."""
        name, layer, traffic, nothing = come.field, self.held[held], copy.traffic, copy.layout.nothing
        waiting = layer.readers.get((copy.base, name), traffic.readers.get(name, nothing))
        if reached := waiting & later:
            layer.readers[copy.base, name] = waiting - reached
            for number in reached:
                self.be_read(held, copy, number, come)
        for failed in (False, True) if self.question.implicit else ():
            waiting = layer.deciders.get((copy.base, name, failed), traffic.deciders[failed].get(name, nothing))
            by_failure = come.written is not None and come.written.reason == "into"
            asked = later.plus(writer) if writer >= 0 and failed == by_failure else later
            if reached := waiting & asked:
                layer.deciders[copy.base, name, failed] = waiting - reached
                for number in reached:
                    self.arrive(held, copy.base + number, come, "decide_failed" if failed else "decide")
        if name in traffic.outputs:
            self.visit(held, Cell("leaves", copy.start, name), come)

    def be_read(self, held: int, copy: Copy, number: int, come: Come) -> None:
        node, inner = copy.layout.nodes[number], copy.inside.get(number)
        if inner is None or node is None:
            self.arrive(held, copy.base + number, come)
            return
        for port in sorted(set(copy.traffic.ports(node, come.field)) & inner.layout.graph.fields.keys()):
            cell = Cell("enters", inner.start, port)
            if labels := inner.layout.graph.fields[port].labels:
                self.land(held, labels, cell, come)
            self.visit(held, cell, come)
        if node.map is not None and come.field in node.map.over.reads:
            self.arrive(held, inner.start, come)

    def leave(self, held: int, cell: Cell) -> None:
        copy = self.graph.copy_of[cell.spot]
        if copy.around is None:
            if held and copy.end in self.held[held].free:
                self.visit(0, cell, self.held[held].came[cell])
            return
        for written in copy.around.traffic.writes[copy.at]:
            if written.port == cell.field and written.reason == "port":
                self.write(held, copy.around, copy.at, written, cell)

    def arrive(self, held: int, spot: int, come: Come, what: What = "in") -> None:
        """Bring data to a node, or to what is decided after it; what was held back is free where other ways lead to."""
        self.visit(0 if spot in self.held[held].free else held, Cell(what, spot), come)

    def land(self, held: int, labels: Iterable[str], cell: Cell, come: Come) -> None:
        """Note that data is written to a field that has labels, unless it is still held back."""
        spot = come.last if come.last >= 0 else self.graph.root.start
        if not held or spot in self.held[held].free:
            for label in labels:
                self.landed.setdefault((label, spot), Arrival(cell, come))

    def decide(self, held: int, cell: Cell) -> None:
        """Let data go on to all that a decision is about; past a node that it must pass it is held back at first.

        What a decision is about that something else has decided about already is not followed twice.
        """
        copy = self.graph.copy_of[cell.spot]
        if cell.spot not in self.guarded or held:
            decision = by_fields(copy, cell.spot - copy.base, cell.what == "decide_failed")
            self.follow(held, decision, self.on(held, cell, "decision"))

    def may_fail(self, held: int, cell: Cell, spot: int) -> None:
        """Let what a node was given, or that it runs, show in whether it fails."""
        if self.question.implicit:
            self.visit(held, Cell("outcome", spot), self.on(held, cell, "outcome"))

    def settle(self, held: int, cell: Cell) -> None:
        """Let data go on to all that depends on whether a node fails."""
        decision = by_outcome(self.graph, cell.spot)
        if decision is not None:
            self.follow(held, decision, self.on(held, cell, "decision"))

    def follow(self, held: int, decision: Decision, come: Come) -> None:
        copy, via = decision.within, self.question.via
        free = decided(self.graph, decision, () if held else via)
        for spot in free:
            self.guard(held, copy, spot, come)
        behind = decided(self.graph, decision, ()) if via and not held else {}
        behind = [spot for spot in behind if spot not in free or spot in via]
        if behind:
            self.held.append(_Held(self.graph, followed(self.graph, decision, via)))
            for spot in behind:
                self.guard(len(self.held) - 1, copy, spot, come)

    def guard(self, held: int, within: Copy, spot: int, come: Come) -> None:
        """Let what was decided show in the activation of a spot, and in all that is written because of it."""
        copy = self.graph.copy_of[spot]
        if copy is not within and spot in (copy.end, copy.broken_off) and copy.around is not None:
            what, spot = "out" if spot == copy.end else "fail", copy.around.base + copy.at
            self.now(held, Cell(what, spot), come)
        if spot not in self.graph.nodes:
            return
        open_held = 0 if spot in self.held[held].free else held
        if not open_held:
            self.shown.setdefault(spot, come)
        if self.graph.tells_failure(spot):
            self.now(open_held, Cell("fail", spot), come)
        if copy.around is not None and not copy.layout.failure[spot - copy.base]:  # else it is decided about already
            self.visit(open_held, Cell("outcome", spot), come)
        if spot not in self.question.via:
            self.now(open_held, Cell("out", spot), come)
            if not open_held:
                self.guarded.add(spot)
            return
        if self.graph.passing(spot) is not None:
            self.now(open_held, Cell("past", spot), come)
        if held:
            self.now(held, Cell("out", spot), come)
