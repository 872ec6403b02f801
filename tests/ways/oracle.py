"""A program and all its runs go in; where control and data may go, by what happened before what, comes out.

Nothing of the judge is used. That data gets from node to node, and that a decision is about a node, is read off runs: a
write happens before a read, a node runs as often or not when one decision is another; all that follows is put together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from tests.ways.program import LABELLED, Block, Branch, Fork, Guarded, Loop, Seq, Step, Sub
from tests.ways.runs import Event, Key, Path, Run

Cell: TypeAlias = tuple[str, Path]
Choices: TypeAlias = Mapping[Key, int]
Counts: TypeAlias = Counter[tuple[Path, str]]


FAILING = "fails"
"""Behind the path of a node: whether it fails, in place of what is decided after it."""


class Shape:
    """What is written of each node, by its way through the graphs."""

    def __init__(self, program: Seq) -> None:
        self.steps: dict[Path, Step] = {}
        self.subs: dict[Path, Sub] = {}
        self.asks: dict[Path, str] = {}
        self.into: dict[Path, str | None] = {}
        self._walk(program, ())

    def _walk(self, block: Block | None, at: Path) -> None:  # noqa: C901 -- a case for each form
        match block:
            case None:
                pass
            case Step():
                self.steps[*at, block.name] = block
            case Sub():
                self.subs[*at, block.name] = block
                self._walk(block.body, (*at, block.name))
            case Seq(parts):
                for part in parts:
                    self._walk(part, at)
            case Branch(step, arms, asks):
                self.asks[*at, step.name] = asks
                for part in (step, *arms):
                    self._walk(part, at)
            case Fork(step, limbs, join):
                for part in (step, *limbs, join):
                    self._walk(part, at)
            case Loop(head, body, last, asks):
                self.asks[*at, last.name] = asks
                for part in (head, body, last):
                    self._walk(part, at)
            case Guarded(step, handler, into):
                self.into[*at, step.name] = into
                self._walk(step, at)
                self._walk(handler, at)


class Seen:
    """What all runs of a program show."""

    def __init__(self, program: Seq, runs: list[Run]) -> None:
        self.shape = Shape(program)
        self.free: set[tuple[Path, Path, str]] = set()
        """A node, and what is come to after it by a way past no check; of nodes that run, graphs that begin and end."""
        self.reached: set[tuple[Path, Path]] = set()
        self.before: set[tuple[Path, str, Path, str]] = set()
        """What happened, and what happened after it within one activation of their graph."""
        self.files: set[tuple[Path, Path]] = set()
        """A node that ran, and one that did not run before it."""
        self.about: set[tuple[Path, Path, str]] = set()
        """A decision, and what happens more or less often because of it."""
        self.settled: set[tuple[Path, Path, str]] = set()
        """A node, and what happens after it more or less often because it failed, where somebody catches that."""
        self.free_of_failed: set[tuple[Path, Path, str]] = set()
        """As ``free``, after a failure of the node."""
        for run in runs:
            self._look(run)
        counted = [(run.choices, Counter((event.path, event.what) for event in run.events)) for run in runs]
        for one, other in combinations(counted, 2):
            self._compare(*one, *other)

    def _look(self, run: Run) -> None:
        for number, event in enumerate(run.events):
            for earlier, is_free in event.free.items():
                before = run.events[earlier]
                self.reached.add((before.path, event.path))
                if is_free:
                    self.free.add((before.path, event.path, event.what))
                    if not before.ok:
                        self.free_of_failed.add((before.path, event.path, event.what))
                if before.entry == event.entry:
                    self.before.add((before.path, _kind_of(before), event.path, event.what))
            if event.what == "run":
                for other, later in enumerate(run.events):
                    if later.what == "run" and other != number and other not in event.free:
                        self.files.add((event.path, later.path))

    def _compare(self, one: Choices, some: Counts, other: Choices, others: Counts) -> None:
        """Of two runs that differ by one decision, and by what could be chosen only after it, tell what else does."""
        differing = [key for key in one if key in other and one[key] != other[key]]
        if len(differing) != 1:
            return
        why, decision = differing[0][:2]
        for path, what in some.keys() | others.keys():
            if some[path, what] != others[path, what] and why == "decide":
                self.about.add((decision, path, what))  # type: ignore[arg-type]
            elif some[path, what] != others[path, what] and (decision, path) in self.reached:
                self.settled.add((decision, path, what))  # type: ignore[arg-type]


def _kind_of(event: Event) -> str:
    return event.what if event.what != "run" else "ok" if event.ok else "fail"


def ways(seen: Seen, source: Callable[[Step], bool] | None, target: str, via: bool) -> set[str]:
    """Name the nodes of a kind to which a way leads from some nodes, or from the start, without a check on it."""
    steps = seen.shape.steps
    found: set[str] = set()
    for one, other in {(one, other) for one, other, _ in seen.free} if via else seen.reached:
        begins = one == () if source is None else one in steps and source(steps[one])
        ends = other in steps and steps[other].kind == target
        stands = via and one in steps and steps[one].kind == "check"
        if begins and ends and not stands:
            found.add("/".join(other))
    return found


@dataclass
class FlowQuestion:
    """Where data begins, and whether it must pass a check before it comes to a command."""

    network: bool = False
    label: bool = False
    via: bool = False
    implicit: bool = True


@dataclass
class Flows:
    """All that follows, cell by cell: held back by a decision (its path), or by none."""

    seen: Seen
    asked: FlowQuestion
    known: set[tuple[Path | None, Cell]] = field(default_factory=set)
    todo: list[tuple[Path | None, Cell]] = field(default_factory=list)
    found: set[str] = field(default_factory=set)

    def answer(self) -> set[str]:
        """Name the commands that data comes to."""
        shape = self.seen.shape
        for path, step in shape.steps.items():
            begins = (self.asked.network and step.kind == "fetch") or (self.asked.label and step.kind == "dirty")
            if begins and not (self.asked.via and step.kind == "check"):
                self.add(None, "out", path)
                self.add(None, "fail", path)
            if self.asked.label and self.written(path) == LABELLED:
                self.write(None, path, "ok", LABELLED)
        for path, sub in shape.subs.items():
            if self.asked.label and sub.gives == LABELLED and not sub.mapped:
                self.write(None, path, "leave", LABELLED)
        while self.todo:
            self.follow(*self.todo.pop())
        return self.found

    def add(self, held: Path | None, what: str, path: Path) -> None:
        fact = held, (what, path)
        if fact not in self.known and (None, fact[1]) not in self.known:
            self.known.add(fact)
            self.todo.append(fact)

    def written(self, path: Path) -> str | None:
        step = self.seen.shape.steps[path]
        return None if step.writes is None else f"many_{step.writes}" if step.mapped else step.writes

    def is_free(self, held: Path | None, path: Path, what: str = "run") -> bool:
        if held is None:
            return True
        if held[-1] != FAILING:
            return (held, path, what) in self.seen.free
        return self.settles_free(held[:-1], path, what)

    def settles_free(self, node: Path, path: Path, what: str) -> bool:
        """Tell whether it is seen past no check if a node failed; a check that did not is one itself."""
        steps = self.seen.shape.steps
        stands = node in steps and steps[node].kind == "check"
        return (node, path, what) in (self.seen.free_of_failed if stands else self.seen.free)

    def arrive(self, held: Path | None, path: Path, what: str = "in") -> None:
        """Data comes into a node, or is decided by after it."""
        held = None if self.is_free(held, path) else held
        if held is None and what == "in":
            self.hit(path)
        self.add(held, what, path)

    def hit(self, path: Path) -> None:
        if self.seen.shape.steps[path].kind == "run":
            self.found.add("/".join(path))

    def write(self, held: Path | None, path: Path, how: str, name: str) -> None:
        """A field is written by a node or at the end of a graph within: whatever happens after that may read it."""
        shape, before, at = self.seen.shape, self.seen.before, path[:-1]
        for other, step in shape.steps.items():
            if other[:-1] != at:
                continue
            after = (path, how, other, "run") in before
            if after and name in step.reads:
                self.arrive(held, other)
            if (after or (other == path and how == "ok")) and shape.asks.get(other) == name and self.asked.implicit:
                self.arrive(held, other, "decides")
        for other, sub in shape.subs.items():
            if other[:-1] == at and sub.takes == name and (path, how, other, "enter") in before:
                self.add(held, "takes", other)
                if sub.mapped:
                    self.add(None if self.is_free(held, other, "enter") else held, "entry", other)
        if name == "g" and at:
            self.add(held, "gives", at)

    def follow(self, held: Path | None, cell: Cell) -> None:  # noqa: C901 -- a case for each form
        what, path = cell
        shape = self.seen.shape
        match what:
            case "in":
                kind = shape.steps[path].kind
                stopped = (self.asked.via and kind == "check") or (self.asked.label and kind == "clean")
                self.add(held, "fail", path)
                if not stopped:
                    self.add(held, "out", path)
                if self.asked.implicit:
                    self.add(held, "settles", path)
            case "settles":
                self.settle(held, path)
            case "out" if path in shape.subs:
                self.give(held, path)
            case "out":
                self.put_out(held, path)
            case "fail":
                if path in shape.into:
                    if (into := shape.into[path]) is not None:
                        self.write(held, path, "fail", into)
                elif path[:-1]:
                    self.add(held, "fail", path[:-1])
            case "decides":
                self.decide(held, path)
            case "takes":
                self.begin(held, path, "f")
            case "gives":
                self.give(held, path)
            case "entry":
                for other in shape.steps:
                    if other[:-1] == path:
                        self.arrive(held, other)
                for other in shape.subs:
                    if other[:-1] == path:
                        self.add(None if self.is_free(held, other, "enter") else held, "entry", other)
                self.add(held, "out", path)
                self.add(held, "fail", path)
                if self.asked.implicit:
                    self.add(held, "settles", path)

    def begin(self, held: Path | None, path: Path, name: str) -> None:
        """A graph within begins with its input: all that runs in it may read it."""
        shape = self.seen.shape
        for other, step in shape.steps.items():
            if other[:-1] == path and name in step.reads and ((), other) in self.seen.reached:
                self.arrive(held, other)
            if other[:-1] == path and shape.asks.get(other) == name and self.asked.implicit:
                self.arrive(held, other, "decides")
        for other, sub in shape.subs.items():
            if other[:-1] == path and sub.takes == name:
                self.add(held, "takes", other)
                if sub.mapped:
                    self.add(None if self.is_free(held, other, "enter") else held, "entry", other)

    def give(self, held: Path | None, path: Path) -> None:
        sub = self.seen.shape.subs[path]
        self.write(held, path, "leave", f"many_{sub.gives}" if sub.mapped else sub.gives)

    def put_out(self, held: Path | None, path: Path) -> None:
        steps = self.seen.shape.steps
        step, name = steps[path], self.written(path)
        if name is not None:
            self.write(held, path, "ok", name)
        for other, reader in steps.items():
            kinds = step.kind, reader.kind
            by_file = kinds[0] in ("save", "run", "note") and kinds[1] in ("load", "run", "recall")
            by_file = by_file and kinds != ("note", "recall")
            if by_file and (path, other) in self.seen.files:
                self.arrive(held, other)
            if (step.kind, reader.kind) == ("note", "recall") and step.store == reader.store:
                self.arrive(held, other)

    def decide(self, held: Path | None, path: Path) -> None:
        """What happens or not by the decision tells of it; past a check on every way only where others come too."""
        told = {(other, what) for decision, other, what in self.seen.about if decision == path}
        self.show(held, path, {(*one, (path, *one) in self.seen.free) for one in told})

    def settle(self, held: Path | None, path: Path) -> None:
        """What happens or not by whether a node fails tells of what it was given."""
        told = {(other, what) for node, other, what in self.seen.settled if node == path}
        self.show(held, (*path, FAILING), {(*one, self.settles_free(path, *one)) for one in told})

    def show(self, held: Path | None, path: Path, told: set[tuple[Path, str, bool]]) -> None:
        shape = self.seen.shape
        for other, what, is_free in told:
            if what == "enter":
                continue
            cell = "fail" if what == "fail" else "out"
            free = not self.asked.via or held is not None or is_free
            now = held if free else path
            if held is not None and self.is_free(held, other, what):
                now = None
            if other in shape.subs:
                self.add(now, cell, other)
                continue
            if now is None:
                self.hit_unless_check(other)
            self.add(now, "fail", other)
            if self.asked.via and shape.steps[other].kind == "check":
                self.add(held or path, "out", other)
            else:
                self.add(now, "out", other)

    def hit_unless_check(self, path: Path) -> None:
        if self.seen.shape.steps[path].kind != "check":
            self.hit(path)
