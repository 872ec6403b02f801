"""A program goes in; all its runs, told block by block, come out: what happened, after what, and past what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.ways.program import Block, Branch, Fork, Guarded, Loop, Seq, Step, Sub

Path: TypeAlias = tuple[str, ...]
Key: TypeAlias = tuple[object, ...]
MOST = 48
"""Programs with more runs are left out."""


@dataclass
class Event:
    """A node ran, or a graph within began (``enter``) or ended (``leave``)."""

    path: Path
    entry: int
    what: str
    ok: bool
    free: dict[int, bool]
    """The events that lead here, and whether by a way on which no ``check`` has succeeded."""


@dataclass
class Run:
    choices: dict[Key, int]
    events: list[Event]
    entries: dict[int, int]


class Ended(Exception):
    """The graph has ended; ``free`` is what lead there."""

    def __init__(self, free: dict[int, bool]) -> None:
        self.free = free


class Aborted(Exception):
    """A node of a guarded graph has failed."""


class TooMany(Exception):
    """There are more runs than anybody wants to look at."""


@dataclass
class Telling:
    planned: list[int]
    taken: list[tuple[Key, int, int]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    entries: dict[int, int] = field(default_factory=dict)
    seen: dict[Key, int] = field(default_factory=dict)

    def choose(self, key: Key, options: int) -> int:
        occurrence = self.seen[key] = self.seen.get(key, 0) + 1
        place = len(self.taken)
        chosen = self.planned[place] if place < len(self.planned) else 0
        self.taken.append(((*key, occurrence), chosen, options))
        return chosen

    def event(self, path: Path, entry: int, what: str, ok: bool, free: dict[int, bool]) -> int:
        self.events.append(Event(path, entry, what, ok, dict(free)))
        return len(self.events) - 1

    def enter(self, around: int) -> int:
        self.entries[len(self.entries) + 1] = around
        return len(self.entries)

    def step(
        self, step: Step, at: Path, entry: int, free: dict[int, bool], abort: bool, ok: bool = True
    ) -> dict[int, bool]:
        path = (*at, step.name)
        if ok and abort and self.choose(("abort", path), 2):
            self.event(path, entry, "run", False, free)
            raise Aborted
        number = self.event(path, entry, "run", ok, free)
        passed = {other: is_free and not (ok and step.kind == "check") for other, is_free in free.items()}
        return {**passed, number: True}

    def decided(self, step: Step, at: Path) -> int:
        return self.choose(("decide", (*at, step.name)), 2)

    def run(self, block: Block | None, at: Path, entry: int, free: dict[int, bool], abort: bool) -> dict[int, bool]:  # noqa: C901
        """Tell one block; each form has a case."""
        match block:
            case None:
                return free
            case Step():
                return self.step(block, at, entry, free, abort)
            case Seq(parts):
                for part in parts:
                    free = self.run(part, at, entry, free, abort)
                return free
            case Branch(step, arms, _, ends):
                free = self.step(step, at, entry, free, abort)
                arm = self.decided(step, at)
                if arm and ends:
                    raise Ended(free)
                return self.run(arms[arm], at, entry, free, abort)
            case Fork(step, limbs, join):
                free = self.step(step, at, entry, free, abort)
                after = [self.run(limb, at, entry, free, abort) for limb in limbs]
                return self.step(join, at, entry, merged(after), abort)
            case Loop(head, body, last, _, rounds):
                for _ in range(rounds):
                    free = self.run(body, at, entry, self.step(head, at, entry, free, abort), abort)
                    free = self.step(last, at, entry, free, abort)
                    if not self.decided(last, at):
                        break
                return free
            case Guarded(Step() as step, handler, _):
                if self.choose(("fails", (*at, step.name)), 2):
                    free = self.step(step, at, entry, free, abort, ok=False)
                    return self.run(handler, at, entry, free, abort)
                return self.step(step, at, entry, free, abort)
            case Guarded(Sub() as sub, handler, _):
                first = len(self.events)
                try:
                    return self.sub(sub, at, entry, free, True)
                except Aborted:
                    inner = self.events[first:]
                    reached = merged([free, *(one.free for one in inner)])
                    reached |= {first + number: True for number in range(len(inner))}
                    number = self.event((*at, sub.name), entry, "fail", False, reached)
                    return self.run(handler, at, entry, {**reached, number: True}, abort)
            case Sub():
                return self.sub(block, at, entry, free, abort)

    def sub(self, sub: Sub, at: Path, entry: int, free: dict[int, bool], abort: bool) -> dict[int, bool]:
        path = (*at, sub.name)
        if sub.mapped and abort and self.choose(("abort", path), 2):  # its list is too long
            raise Aborted
        after: list[dict[int, bool]] = []
        for _ in range(2 if sub.mapped else 1):
            inner = self.enter(entry)
            number = self.event(path, entry, "enter", True, free)
            begun = {**free, number: True}
            try:
                after.append(self.run(sub.body, path, inner, begun, abort))
            except Ended as ended:
                after.append(ended.free)
        free = merged(after)
        number = self.event(path, entry, "leave", True, free)
        return {**free, number: True}


def merged(ways: list[dict[int, bool]]) -> dict[int, bool]:
    found: dict[int, bool] = {}
    for way in ways:
        for event, is_free in way.items():
            found[event] = found.get(event, False) or is_free
    return found


def runs(program: Seq) -> Iterator[Run]:
    """Tell every run. Raises TooMany where there are very many."""
    planned: list[int] = []
    for _ in range(MOST):
        told = Telling(list(planned))
        number = told.event((), 0, "start", True, {})
        with suppress(Ended):
            told.run(program, (), 0, {number: True}, False)
        yield Run({key: chosen for key, chosen, _ in told.taken}, told.events, told.entries)
        rest = [(chosen, options) for _, chosen, options in told.taken]
        while rest and rest[-1][0] + 1 == rest[-1][1]:
            rest.pop()
        if not rest:
            return
        planned = [chosen for chosen, _ in rest[:-1]] + [rest[-1][0] + 1]
    raise TooMany
