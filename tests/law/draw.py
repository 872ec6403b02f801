"""A seed goes in; a graph with forks, branches, joins, error edges, loops, maps, failures and graphs in it comes out.

Most are built from blocks that fit together, so that a good share is admitted; some are then bent at an edge or two,
and some have no structure but an order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from tests.law.data import furnish
from tests.law.document import END, START, Edge, Form, Graph, Loop, Node
from tests.law.holding import Inside

Connect: TypeAlias = Callable[[str], None]
"""Leads a loose end of a block to the node that follows it."""

PUNCTUATION = ("", "", "", ".", "-", "_")


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
    one_by_one: bool = False
    """Whether nothing may run beside anything else."""
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    edges: list[Edge] = field(default_factory=list[Edge])

    def node(self) -> str:
        name = f"{self.random.choice('abcdefgh')}{self.random.choice(PUNCTUATION)}{len(self.nodes)}"
        self.nodes[name] = Node(name)
        return name

    def edge(self, source: str, target: str, form: Form = "always", loop: Loop | None = None) -> None:
        self.edges.append(Edge(source, target, form, loop=loop))

    def end(self, source: str, form: Form = "always") -> Connect:
        return lambda target: self.edge(source, target, form)

    def block(self, depth: int) -> Block:
        """Draw a block, a small one once the room is used up."""
        make = [self.single]
        if depth > 0 and len(self.nodes) < self.room:
            make = [self.single, self.chain, self.chain, self.fork, self.branch, self.branch, self.guarded, self.loop]
            if self.one_by_one:
                make.remove(self.fork)
            elif self.random.random() < 0.02:
                make = [self.knot]
        return self.random.choice(make)(depth)

    def single(self, _depth: int) -> Block:
        name = self.node()
        return Block(name, [self.end(name)])

    def chain(self, depth: int) -> Block:
        return self.in_turn(self.block(depth - 1), self.block(depth - 1))

    def in_turn(self, one: Block, other: Block) -> Block:
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

    def knot(self, _depth: int) -> Block:
        """A branch whose arms each lead to some of the same nodes: seldom is clear who waits for whom after that."""
        name, nodes = self.node(), [self.node() for _ in range(self.random.randint(3, 4))]
        for _ in range(self.random.randint(3, 4)):
            arm = self.node()
            self.edge(name, arm, "arm")
            for target in self.random.sample(nodes, self.random.randint(1, 2)):
                self.edge(arm, target)
        return Block(name, [self.end(node) for node in nodes])

    def guarded(self, depth: int) -> Block:
        """Put an error edge beside an ordinary one."""
        name = self.node()
        handler = self.block(depth - 1)
        self.edge(name, handler.first, "error")
        return Block(name, [self.end(name), *handler.ends])

    def loop(self, depth: int) -> Block:
        """A header, a body, and a last node that goes back or on; the header may also leave at once."""
        header, body, last = self.node(), self.block(depth - 1), self.node()
        ends: list[Connect] = []
        form: Form = "arm" if self.random.random() < 0.3 else "always"
        self.edge(header, body.first, form)
        if form == "arm":
            ends.append(self.end(header, "arm"))
        for connect in body.ends:
            connect(last)
        rounds, draw = self.random.randint(1, 4), self.random.random()
        back: Form = "always" if draw < 0.3 else "error" if draw < 0.4 else "arm"
        if back != "always":
            ends.append(self.end(last, "always" if back == "error" else "arm"))
        if not ends or self.random.random() < 0.6:
            ends.append(lambda target: self.edge(last, header, back, Loop(rounds, target)))
        else:
            self.edge(last, header, back, Loop(rounds))
        return Block(header, ends)

    def failure(self) -> str:
        name = self.node()
        self.nodes[name] = Node(name, "control.fail")
        return name

    def bend(self) -> None:
        """Change one edge: its target, its form, or drop it, or add one."""
        index = self.random.randrange(len(self.edges))
        edge = self.edges[index]
        names = [*self.nodes, END]
        match self.random.choice((0, 0, 0, 1, 1, 2, 3, 4, 4, 4)):
            case 0:
                self.edges[index] = replace(edge, target=self.random.choice(names))
            case 1:
                self.edges[index] = replace(edge, form=self.random.choice(("always", "arm", "error")))
            case 2:
                del self.edges[index]
            case 3 if edge.loop is not None:
                self.edges[index] = replace(edge, loop=None)
            case _:
                form = self.random.choice(("always", "arm", "error"))
                self.edge(self.random.choice([*self.nodes]), self.random.choice(names), form)


def draw(seed: int, room: int = 10, free: bool = False, knotted: bool = False) -> Graph:
    """Draw a whole graph; in a ``free`` one branches decide by what their own node says, and loops by rounds."""
    random = Random(seed)
    draft = _tangle(random) if random.random() < 0.12 and not knotted else _blocks(random, room, knotted)
    return furnish(draft.nodes, _tidy(draft.edges, random), random, None if free else _inner)


def _inner(random: Random, inside: Inside) -> Graph:
    """Draw a graph that a node is to run; what it is drawn like depends on what is around it."""
    draft = Draft(random, random.randint(1, 5), inside.one_by_one)
    whole = draft.block(3)
    _begin(draft, whole)
    for connect in whole.ends:
        connect(END)
    if random.random() < 0.04 and not inside.one_by_one:
        draft.bend()
    return furnish(draft.nodes, _tidy(draft.edges, random), random, _inner, inside)


def _blocks(random: Random, room: int, knotted: bool) -> Draft:
    draft = Draft(random, random.randint(3, room))
    whole = draft.in_turn(draft.knot(0), draft.block(2)) if knotted else draft.block(5)
    _begin(draft, whole)
    for connect in whole.ends:
        connect(END)
    if random.random() < 0.4:
        for _ in range(random.randint(1, 2)):
            draft.bend()
    return draft


def _begin(draft: Draft, whole: Block) -> None:
    """Enter the whole, now and then by a fork or a branch at the start."""
    random = draft.random
    draw = random.random()
    if draw < 0.8:
        draft.edge(START, whole.first)
        return
    other = draft.block(2)
    whole.ends.extend(other.ends)
    for block in (whole, other):
        draft.edge(START, block.first, "arm" if draw < 0.92 or draft.one_by_one else "always")


def _tangle(random: Random) -> Draft:
    """Draw a small graph without any structure but an order; few of these are admitted."""
    draft = Draft(random, 0)
    names = [draft.node() for _ in range(random.randint(4, 8))]
    draft.edge(START, names[0])
    forms: dict[str, Form] = {name: random.choice(("always", "always", "arm")) for name in names}
    for index, name in enumerate(names):
        later = names[index + 1 :] or [END]
        if index and not any(edge.target == name and edge.loop is None for edge in draft.edges):
            before = random.choice(names[:index])
            draft.edge(before, name, forms[before])
        for target in random.sample(later, min(len(later), random.choice((0, 1, 1, 2)))):
            draft.edge(name, target, forms[name])
        if random.random() < 0.1:
            draft.edge(name, random.choice(later), "error")
        if index and random.random() < 0.12:
            draft.edge(name, random.choice(names[:index]), forms[name], Loop(2, random.choice([END, *later])))
    for name in names:
        if not any(edge.source == name and edge.form != "error" for edge in draft.edges):
            draft.edge(name, END)
    return draft


def _tidy(edges: list[Edge], random: Random) -> list[Edge]:
    """Keep to what documents can say, but for what is bent on purpose.

    Edges out of a node are all unconditional or all arms, beside one error edge, and the loops of one header are alike.
    """
    arms = {edge.source for edge in edges if edge.form == "arm"}
    kept: list[Edge] = []
    errors: set[str] = set()
    loops: dict[str, Loop] = {}
    for edge in edges:
        if edge.form == "error" and (edge.source in errors or edge.source == START):
            continue
        if edge.form == "error":
            errors.add(edge.source)
        if edge.form == "always" and edge.source in arms:
            edge = replace(edge, form="arm")
        if edge.loop is not None:
            edge = replace(edge, loop=loops.setdefault(edge.target, edge.loop))
        if edge.loop is None and random.random() < 0.97:
            alike = [one for one in kept if (one.source, one.target, one.loop) == (edge.source, edge.target, None)]
            if alike:
                continue
        kept.append(edge)
    return kept
