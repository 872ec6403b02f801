"""A seed goes in; a small program of blocks comes out, and the text of its documents: all that the oracle knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

Block: TypeAlias = "Step | Seq | Branch | Fork | Loop | Guarded | Sub"
FIELDS = ("f", "g", "h")
LABELLED = "u"
"""A field with a label of its own."""

KINDS = {
    "plain": {},
    "fetch": {"capabilities": ["network"]},
    "run": {"capabilities": ["run_command"]},
    "check": {},
    "save": {"capabilities": ["write_files"]},
    "load": {"capabilities": ["read_files"]},
    "note": {"capabilities": ["memory_write"]},
    "recall": {"capabilities": ["memory_read"]},
    "clean": {"endorses": ["untrusted"]},
    "dirty": {"labels": ["untrusted"]},
}
WEIGHTS = {"plain": 5, "fetch": 4, "run": 4, "check": 4, "save": 2, "load": 2, "note": 1, "recall": 1}
WEIGHTS |= {"clean": 2, "dirty": 1}


@dataclass
class Step:
    """One node: the fields that it reads and writes, and whether it runs for each of two items."""

    name: str
    kind: str
    reads: tuple[str, ...] = ()
    writes: str | None = None
    mapped: bool = False
    store: str = "one"


@dataclass
class Seq:
    parts: list[Block]


@dataclass
class Branch:
    """A node and its arms: by a condition over a field the first, else the other; an arm may be nothing, or an end."""

    step: Step
    arms: tuple[Block | None, Block | None]
    asks: str
    ends: bool = False
    """Whether the second arm ends the run."""


@dataclass
class Fork:
    step: Step
    limbs: list[Block]
    join: Step


@dataclass
class Loop:
    """A body between two nodes, of which the last goes back unless a condition holds; used up it goes on as well."""

    head: Step
    body: Block
    last: Step
    asks: str
    rounds: int = 2


@dataclass
class Guarded:
    """A node, or a subgraph, and what is done when it fails."""

    step: Step | Sub
    handler: Block
    into: str | None


@dataclass
class Sub:
    """A graph within: ``takes`` is the outer field that its input ``f`` is, ``gives`` where its output ``g`` goes."""

    name: str
    body: Seq
    takes: str
    gives: str
    mapped: bool = False


@dataclass
class Draft:
    random: Random
    deep: int
    count: int = 0
    within: bool = False
    forked: bool = False

    def step(self, kind: str | None = None) -> Step:
        self.count += 1
        chosen = kind or self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        fields = (*FIELDS, LABELLED)
        mapped = self.random.random() < 0.12
        known = fields if mapped else (*fields, *FIELDS, "oops", "many_f", "many_g")
        reads = tuple(sorted(set(self.random.choices(known, k=self.random.choice((0, 1, 1, 2))))))
        writes = self.random.choice([*fields, *FIELDS, *FIELDS, None])
        store = self.random.choice(("one", "one", "two"))
        mapped = mapped and bool(reads)
        return Step(f"{chosen[:2]}{self.count}", chosen, reads, writes, mapped, store)

    def block(self, depth: int) -> Block:
        make: list[Callable[[int], Block]] = [lambda _: self.step(), lambda _: self.step()]
        if depth > 0:
            make += [self.seq, self.seq, self.branch, self.branch, self.fork, self.loop, self.guarded, self.sub]
        return self.random.choice(make)(depth)

    def seq(self, depth: int) -> Seq:
        return Seq([self.block(depth - 1) for _ in range(self.random.randint(2, 3))])

    def branch(self, depth: int) -> Branch:
        step = self.step()
        step.mapped = False
        second = self.block(depth - 1) if self.random.random() < 0.4 else None
        ends = second is None and not self.forked and self.random.random() < 0.4
        return Branch(step, (self.block(depth - 1), second), self.random.choice(FIELDS), ends)

    def fork(self, depth: int) -> Fork:
        step, before = self.step(), self.forked
        self.forked = True
        limbs = [self.block(depth - 1) for _ in range(2)]
        self.forked = before
        return Fork(step, limbs, self.step())

    def loop(self, depth: int) -> Loop:
        head, last = self.step(), self.step()
        last.mapped = False
        return Loop(head, self.block(depth - 1), last, self.random.choice(FIELDS))

    def guarded(self, depth: int) -> Guarded:
        made = self.sub(depth)
        step = made if isinstance(made, Sub) and self.random.random() < 0.4 else self.step()
        return Guarded(step, self.block(depth - 1), self.random.choice(("oops", "oops", None)))

    def sub(self, depth: int) -> Block:
        if self.deep <= 0:
            return self.step()
        self.count += 1
        name = f"sub{self.count}"
        inner = Draft(self.random, self.deep - 1)
        body = Seq([inner.block(max(depth - 1, 0)) for _ in range(self.random.randint(1, 2))])
        return Sub(name, body, self.random.choice(FIELDS), self.random.choice(FIELDS), self.random.random() < 0.2)


def draw(seed: int) -> Seq:
    """Draw a program of a few nodes."""
    random = Random(seed)
    draft = Draft(random, random.choice((0, 0, 1, 2)))
    return Seq([draft.block(random.choice((1, 2, 2))) for _ in range(random.randint(2, 3))])


def steps(block: Block | None) -> Iterator[Step | Sub]:
    """List the nodes of one graph."""
    match block:
        case None:
            return
        case Step() | Sub():
            yield block
        case Seq(parts):
            for part in parts:
                yield from steps(part)
        case Branch(step, arms):
            yield step
            for arm in arms:
                yield from steps(arm)
        case Fork(step, limbs, join):
            yield step
            for limb in limbs:
                yield from steps(limb)
            yield join
        case Loop(head, body, last):
            yield head
            yield from steps(body)
            yield last
        case Guarded(step, handler):
            yield step
            yield from steps(handler)


# A loose end is an edge without its target, and what else it sets.
End: TypeAlias = dict[str, Any]


@dataclass
class Written:
    """The document of one graph while it is written, and those of the graphs inside."""

    path: str
    files: dict[str, str]
    nodes: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)

    def close(self, ends: list[End], target: str) -> None:
        for end in ends:
            if end.get("loop") == "here":  # where the loop leads once it is used up
                end["of"]["loop"]["exhausted"] = target
                continue
            self.edges.append({**end, "target": target})

    def put(self, block: Block, before: list[End]) -> list[End]:
        match block:
            case Step() | Sub():
                self.node(block)
                self.close(before, block.name)
                return [{"source": block.name}]
            case Seq(parts):
                for part in parts:
                    before = self.put(part, before)
                return before
            case Branch(step, arms, asks, ends):
                self.put(step, before)
                first = {"source": step.name, "when": f"{asks} == 'x'"}
                other = {"source": step.name, "otherwise": True}
                after = [first] if arms[0] is None else self.put(arms[0], [first])
                if ends:
                    self.close([other], "__end__")
                    return after
                return after + ([other] if arms[1] is None else self.put(arms[1], [other]))
            case Fork(step, limbs, join):
                self.put(step, before)
                after = [end for limb in limbs for end in self.put(limb, [{"source": step.name}])]
                return self.put(join, after)
            case Loop(head, body, last, asks, rounds):
                self.put(last, self.put(body, self.put(head, before)))
                back: dict[str, Any] = {"source": last.name, "target": head.name, "otherwise": True}
                back["loop"] = {"max_rounds": rounds}
                self.edges.append(back)
                return [{"source": last.name, "when": f"{asks} == 'x'"}, {"loop": "here", "of": back}]
            case Guarded(step, handler, into):
                self.put(step, before)
                error: End = {"source": step.name, "on": "error"}
                error |= {} if into is None else {"into": into}
                return [{"source": step.name}, *self.put(handler, [error])]

    def node(self, step: Step | Sub) -> None:
        if isinstance(step, Sub):
            path = f"{self.path.removesuffix('.json')}_{step.name}.json"
            write(step.body, path, self.files)
            node: dict[str, Any] = {"name": step.name, "kind": "graph", "args": {"path": path}}
            node |= {"reads": {"f": step.takes}, "writes": {"g": step.gives}}
            if step.mapped:
                node["map"] = {"over": f"[{step.takes}]", "as": "item", "max_items": 2}
                node |= {"reads": {"f": "item"}, "writes": {"g": f"many_{step.gives}"}}
            self.nodes.append(node)
            return
        reads = dict(zip(("a", "b"), step.reads, strict=False))
        node = {"name": step.name, "kind": step.kind, "args": {"store": step.store}}
        node |= {"reads": reads, "writes": {} if step.writes is None else {"out": step.writes}}
        if step.mapped:
            node["map"] = {"over": f"[{', '.join(step.reads)}]", "as": "item", "max_items": 2}
            node["reads"] = {"a": "item"}
            node["writes"] = {} if step.writes is None else {"out": f"many_{step.writes}"}
        self.nodes.append(node)


def write(body: Seq, path: str, files: dict[str, str]) -> None:
    """Write the document of a graph and of those inside. What lands in ``many_f`` is read with ``f``."""
    written = Written(path, files)
    written.close(written.put(body, [{"source": "__start__"}]), "__end__")
    fields: dict[str, Any] = {name: {"type": "string", "default": ""} for name in FIELDS}
    fields["f"] |= {"input": True}
    fields["g"] |= {"output": True}
    fields[LABELLED] = {"type": "string", "default": "", "labels": ["untrusted"]}
    for name in (*FIELDS, LABELLED):
        fields[f"many_{name}"] = {"type": "list[string]", "default": []}
    fields["oops"] = {"type": "Failure | null"}
    files[path] = json.dumps({"name": "drawn", "state": fields, "nodes": written.nodes, "edges": written.edges})


def manifest() -> str:
    """Write the manifest of the kinds."""
    rows: list[str] = []
    for name, more in KINDS.items():
        lists = {"capabilities": [], **more}
        rows.append(
            f'[[kind]]\nname = "{name}"\nversion = "1"\nsummary = "s"\nentry = "k.py:{name}"\nidempotent = true'
        )
        rows += [f"{key} = {json.dumps(value)}" for key, value in lists.items()]
        rows.append('[kind.reads]\na = { type = "json", default = "" }\nb = { type = "json", default = "" }')
        rows.append('[kind.writes]\nout = "string"\n[kind.args]\ntype = "object"\nadditionalProperties = false')
        rows.append('properties.store = { type = "string", default = "one" }')
    return "\n".join(rows) + "\n"
