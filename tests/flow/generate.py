"""A seed goes in; a graph with forks, branches, joins, error edges, loops and failures comes out.

Most are built from blocks that fit together, so that a good share is admitted; some are then bent at an edge or two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from grapharc.spec.flow.arcs import Arrow, FlowGraph, Rounds
from grapharc.spec.flow.build import build
from grapharc.spec.linked import END, START

Connect = Callable[[str], None]
"""Leads a loose end of a block to the node that follows it."""


@dataclass
class Block:
    """A piece of a graph: its first node, and the ends that all lead to whatever comes next."""

    first: str
    ends: list[Connect]


@dataclass
class Draft:
    """A graph that grows."""

    random: Random
    room: int
    nodes: list[str] = field(default_factory=list[str])
    arrows: list[Arrow] = field(default_factory=list[Arrow])
    failing: list[str] = field(default_factory=list[str])

    def node(self) -> str:
        self.nodes.append(f"{self.random.choice('abcdefgh')}{len(self.nodes)}")
        return self.nodes[-1]

    def edge(self, source: str, target: str, form: str = "always", rounds: Rounds | None = None) -> None:
        self.arrows.append(Arrow(source, target, form, rounds))  # type: ignore[arg-type]

    def end(self, source: str, form: str = "always") -> Connect:
        return lambda target: self.edge(source, target, form)

    def block(self, depth: int) -> Block:
        """Draw a block, a small one once the room is used up."""
        make = [self.single]
        if depth > 0 and len(self.nodes) < self.room:
            make = [self.single, self.chain, self.chain, self.fork, self.branch, self.branch, self.guarded, self.loop]
        return self.random.choice(make)(depth)

    def single(self, _depth: int) -> Block:
        name = self.node()
        return Block(name, [self.end(name)])

    def chain(self, depth: int) -> Block:
        one = self.block(depth - 1)
        other = self.block(depth - 1)
        for connect in one.ends:
            connect(other.first)
        return Block(one.first, other.ends)

    def fork(self, depth: int) -> Block:
        name = self.node()
        limbs = [self.block(depth - 1) for _ in range(self.random.randint(2, 3))]
        for limb in limbs:
            self.edge(name, limb.first)
        if self.random.random() < 0.15:
            handler = self.block(depth - 1)
            self.edge(name, handler.first, "error")
            limbs.append(handler)
        return Block(name, [end for limb in limbs for end in limb.ends])

    def branch(self, depth: int) -> Block:
        name = self.node()
        ends: list[Connect] = []
        for _ in range(self.random.randint(2, 3)):
            draw = self.random.random()
            if draw < 0.15:
                ends.append(self.end(name, "arm"))
            elif draw < 0.2:
                self.edge(name, self.failure(), "arm")
            elif draw < 0.25:
                self.edge(name, END, "arm")
            else:
                arm = self.block(depth - 1)
                self.edge(name, arm.first, "arm")
                ends.extend(arm.ends)
        if not ends:
            ends.append(self.end(name, "arm"))
        return Block(name, ends)

    def guarded(self, depth: int) -> Block:
        """Put an error edge beside an ordinary one."""
        name = self.node()
        handler = self.block(depth - 1)
        self.edge(name, handler.first, "error")
        return Block(name, [self.end(name), *handler.ends])

    def loop(self, depth: int) -> Block:
        """A header, a body, and a last node that goes back or on; the body may also break off or go back early."""
        header, body, last = self.node(), self.block(depth - 1), self.node()
        ends: list[Connect] = []
        self.edge(header, body.first, "arm" if self.random.random() < 0.3 else "always")
        if self.arrows[-1].form == "arm":
            ends.append(self.end(header, "arm"))
        for connect in body.ends:
            connect(last)
        rounds = self.random.randint(1, 4)
        draw = self.random.random()
        form = "always" if draw < 0.3 else "error" if draw < 0.4 else "arm"
        if self.random.random() < 0.5:
            ends.append(lambda target: self.edge(last, header, form, Rounds(rounds, target)))
        else:
            self.edge(last, header, form, Rounds(rounds))
        if form != "always":
            ends.append(self.end(last, "always" if form == "error" else "arm"))
        return Block(header, ends or [self.end(self.node())])

    def failure(self) -> str:
        name = self.node()
        self.failing.append(name)
        return name

    def bend(self) -> None:
        """Change one edge: its target, its form, or drop it, or add one."""
        index = self.random.randrange(len(self.arrows))
        arrow = self.arrows[index]
        match self.random.randrange(4):
            case 0:
                self.arrows[index] = arrow._replace(target=self.random.choice([*self.nodes, END]))
            case 1:
                self.arrows[index] = arrow._replace(form=self.random.choice(("always", "arm", "error")))
            case 2:
                del self.arrows[index]
            case _:
                source, target = self.random.choice(self.nodes), self.random.choice([*self.nodes, END])
                self.edge(source, target, self.random.choice(("always", "arm", "error")))


def generate(seed: int, room: int = 12, bent: bool | None = None, failures: bool = True) -> FlowGraph:
    """Draw a graph; ``bent`` says whether its structure is disturbed, which is drawn too if it is not given."""
    draft = Draft(Random(seed), room)
    whole = draft.block(5)
    draft.edge(START, whole.first)
    for connect in whole.ends:
        connect(END)
    if draft.random.random() < 0.5 if bent is None else bent:
        for _ in range(draft.random.randint(1, 2)):
            draft.bend()
    arrows = [arrow._replace(edge=number) for number, arrow in enumerate(tidy(draft.arrows))]
    return build(draft.nodes, arrows, draft.failing if failures else ())


def tangle(seed: int, failures: bool = True) -> FlowGraph:
    """Draw a small graph without any structure but an order; few of these are admitted."""
    random = Random(seed)
    size = random.randint(4, 9)
    nodes = [f"{random.choice('abcdefgh')}{index}" for index in range(size)]
    arrows = [Arrow(START, random.choice(nodes[:2]))]
    for index, name in enumerate(nodes):
        later = nodes[index + 1 :] or [END]
        form = random.choice(("always", "always", "arm"))
        targets = random.sample(later, min(len(later), random.choice((1, 2, 2, 3))))
        arrows.extend(Arrow(name, target, form) for target in targets)
        if random.random() < 0.1:
            arrows.append(Arrow(name, random.choice(later), "error"))
        if index and random.random() < 0.15:
            arrows.append(Arrow(name, random.choice(nodes[: index + 1]), form, Rounds(2, random.choice([END, *later]))))
    numbered = [arrow._replace(edge=number) for number, arrow in enumerate(tidy(arrows))]
    return build(nodes, numbered, [random.choice(nodes)] if failures else ())


def tidy(arrows: Sequence[Arrow]) -> list[Arrow]:
    """Keep to what documents can say: edges out of a node are all unconditional or all arms, beside one error edge."""
    arms = {arrow.source for arrow in arrows if arrow.form == "arm"}
    kept: list[Arrow] = []
    errors: set[str] = set()
    for arrow in arrows:
        if arrow.target == END:
            arrow = arrow._replace(rounds=None)
        if arrow.form == "error" and (arrow.source in errors or arrow.source == START):
            continue
        if arrow.form == "always" and arrow.source in arms:
            kept.append(arrow._replace(form="arm"))
            continue
        if arrow.form == "error":
            errors.add(arrow.source)
        kept.append(arrow)
    return kept
