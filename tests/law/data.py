"""The structure of a graph goes in; what its nodes read, write, decide by and hold comes out with it.

Mostly nodes read what nodes before them wrote, and write what nobody beside them touches; now and then they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.law.document import END, INPUTS, LANE, START, Edge, Fan, Field, Graph, Node, Test
from tests.law.holding import (
    LONG,
    MOST_DEPTH,
    OUTERMOST,
    SHARED,
    SYNTAXES,
    DrawInner,
    Inside,
    hold,
    let_out,
    plain,
)

SCRIPT = Field("map[list[string]]", input=True)


def furnish(
    nodes: Mapping[str, Node],
    edges: Sequence[Edge],
    random: Random,
    draw_inner: DrawInner | None,
    inside: Inside = OUTERMOST,
) -> Graph:
    """Draw data and conditions for a structure, and graphs for some of its nodes; without them, simpler ones."""
    work = _Work(random, dict(nodes), list(edges), {"script": SCRIPT}, _reach(nodes, edges), draw_inner, inside)
    work.draw_inputs()
    for name in nodes:
        work.draw_node(name)
        work.draw_into(name)
    for name in (START, *nodes):
        work.draw_branch(name)
    for name in nodes:
        work.draw_data(name)
    work.draw_loops()
    let_out(work.nodes, work.fields, inside, random)
    for name in nodes:
        if work.nodes[name].kind == "graph" and draw_inner is not None:
            hold(work.nodes, work.fields, name, work.is_guarded(name), inside, random, draw_inner)
    if random.random() < 0.5:
        names = [*work.nodes]
        random.shuffle(names)
        work.nodes = {name: work.nodes[name] for name in names}
    used = {field for node in work.nodes.values() for field in (*node.reads, *node.writes.values())}
    fields = {name: one for name, one in work.fields.items() if name not in SHARED or name in used}
    return Graph(work.nodes, tuple(work.edges), fields)


@dataclass
class _Work:
    random: Random
    nodes: dict[str, Node]
    edges: list[Edge]
    fields: dict[str, Field]
    reach: Mapping[str, set[str]]
    make_inner: DrawInner | None
    inside: Inside
    written: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The fields of each node's own, by node."""
    users: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The nodes that write or read a field so far."""

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    @property
    def free(self) -> bool:
        return self.make_inner is None

    def is_guarded(self, name: str) -> bool:
        return any(edge.form == "error" for edge in self.edges if edge.source == name)

    def draw_inputs(self) -> None:
        """Give an inner graph its inputs: what nodes around it wrote, and within a map the number of the item."""
        if self.inside.depth:
            self.fields |= {name: Field("json", "", input=True) for name in INPUTS}
            self.written["the node around"] = list(INPUTS)
        if self.inside.lanes:
            self.fields[LANE] = Field("integer", -1, input=True)

    def draw_node(self, name: str) -> None:
        """Draw whether a node fails, is tried again, is mapped over a list, or runs a graph."""
        node, guarded = self.nodes[name], self.is_guarded(name)
        if node.kind == "control.fail" and self.inside.silent and not guarded:
            self.nodes[name] = Node(name, "control.pass")
        if node.kind != "step":
            return
        decides = any(edge.form == "arm" for edge in self.edges if edge.source == name)
        node = replace(node, weight=self.random.randint(1, 5))
        if self.chance(0.1) and not decides and not guarded:
            self.nodes[name] = Node(name, "control.pass")
            return
        if guarded or (self.chance(0.06) and not self.inside.silent):
            node = replace(node, fallible=True, tries=self.random.choice((1, 1, 2, 3)), patient=self.chance(0.85))
            node = replace(node, pause=self.random.choice((0.0, 0.0, 0.001)))
        if self.chance(0.05):
            node = replace(node, seconds=LONG)
        holds = self.make_inner is not None and self.inside.depth < MOST_DEPTH and self.chance(0.09)
        if self.chance(0.25 if guarded or holds else 0.1) and not decides:
            fallible = node.fallible or (self.chance(0.4) and not self.inside.silent)
            node = replace(node, fan=self.fan(name, guarded), fallible=fallible)
        if holds:
            node = replace(node, kind="graph", path=f"{self.inside.way}{plain(name)}{self.random.choice(SYNTAXES)}")
            if self.chance(0.3):
                node = replace(node, tries=self.random.choice((2, 3)), seconds=self.random.choice((None, LONG)))
        self.nodes[name] = node

    def fan(self, name: str, guarded: bool) -> Fan:
        items, limit = f"items_{plain(name)}", self.random.randint(1, 3)
        collect = self.chance(0.6)
        given = None
        if self.inside.depth:
            longer = self.chance(0.25 if guarded else 0.0 if self.inside.silent else 0.03)
            given = list(range(limit + 1 if longer else self.random.randint(0, limit)))
        self.fields[items] = Field("list[integer]", given, input=True, most=limit, caught=guarded)
        lost = None
        if collect and self.chance(0.8):
            lost = f"lost_{plain(name)}"
            self.fields[lost] = Field("list[Failure]", [], self.random.choice(("last", "append")), output=True)
        return Fan(items, limit, collect, lost, self.random.choice((None, None, 1, 2)))

    def draw_branch(self, name: str) -> None:
        """Give the arms of a branch their tests, and the node the texts that it may pick from."""
        arms = [index for index, edge in enumerate(self.edges) if edge.source == name and edge.form == "arm"]
        if not arms:
            return
        if name != START and self.correlated(name, arms):
            return
        names = [f"p{index}" for index in range(len(arms) + self.chance(0.2))]
        covered = self.chance(0.4) and len(names) == len(arms)
        asked = f"pick_{plain(name)}" if name != START else "go"
        self.decide(arms, asked, names, "" if covered else "leaves out" if self.chance(0.04) else "otherwise")
        alternatives = " | ".join(f'"{one}"' for one in names)
        default = names[0] if name == START and self.inside.depth else None
        if self.chance(0.5) and name != START:
            default = names[0]
        output = self.chance(0.5 if default is not None else 0.03)
        self.fields[asked] = Field(alternatives, default, input=name == START, output=output)
        if name != START and self.nodes[name].kind in ("step", "graph"):
            node = self.nodes[name]
            self.nodes[name] = replace(node, picks=tuple(names), writes={**node.writes, "pick": asked})
            self.written.setdefault(name, []).append(asked)
            self.users.setdefault(asked, set()).add(name)

    def decide(self, arms: Sequence[int], asked: str, names: Sequence[str], rest: str) -> None:
        """Spread texts over arms; the last arm takes the rest, or its own text only."""
        for number, index in enumerate(arms):
            last = number == len(arms) - 1
            if last and rest == "otherwise":
                continue
            values = [names[number]]
            if last and rest == "":
                values = list(names[number:])
            self.edges[index] = replace(self.edges[index], test=Test(asked, "one_of", tuple(values)))

    def correlated(self, name: str, arms: Sequence[int]) -> bool:
        """Now and then let a branch ask what a node before it picked, counted or suffered."""
        if self.free or len(arms) != 2 or not self.chance(0.25):
            return False
        before = [one for one in self.nodes if one != name and name in self.reach[one] and one not in self.reach[name]]
        known = [(one, asked) for one in before for asked in self.written.get(one, ())]
        tests = [
            Test(asked, self.random.choice(("failed", "fine")))
            if asked.startswith("oops_")
            else Test(asked, "one_of", (self.nodes[one].picks[0],))
            for one, asked in known
        ]
        tests += [Test("total", "at_least", (self.random.randint(1, 4),))]
        test = self.random.choice(tests)
        if test.field == "total":
            self.fields["total"] = SHARED["total"][1]
            node = self.nodes[name]
            self.nodes[name] = replace(node, writes={**node.writes, "one": "total"})
        self.edges[arms[0]] = replace(self.edges[arms[0]], test=test)
        return True

    def draw_data(self, name: str) -> None:
        """Draw what a node reads and writes beside what it decides by."""
        node = self.nodes[name]
        if node.kind not in ("step", "graph"):
            return
        writes = dict(node.writes)
        if self.chance(0.45):
            writes["mark"] = self.mark(name, node)
        if self.chance(0.4) and "one" not in writes:
            self.share(writes, ("log", "seen") if node.fan else tuple(SHARED))
        reads = tuple(self.random.sample(known := self.readable(name), min(len(known), self.random.choice((0, 1, 2)))))
        self.nodes[name] = replace(node, reads=reads, writes=writes)
        for used in (*reads, *writes.values()):
            self.users.setdefault(used, set()).add(name)

    def mark(self, name: str, node: Node) -> str:
        """Find a field for what a node says: one of its own, or one that a node before or after it writes too."""
        if node.fan is None and self.chance(0.25):
            marks = [one for one in self.fields if one.startswith("mark_") and self.fields[one].type == "string"]
            near = [mark for mark in marks if self.is_free(mark, name)] if self.chance(0.88) else marks
            if near:
                return self.random.choice(near)
        own = f"mark_{plain(name)}"
        default = ([] if node.fan else "") if self.chance(0.85) else None
        output = self.chance(0.5 if default is not None else 0.1)
        self.fields[own] = Field("list[string]" if node.fan else "string", default, output=output)
        self.written.setdefault(name, []).append(own)
        return own

    def share(self, writes: dict[str, str], among: Sequence[str]) -> None:
        shared = self.random.choice(among)
        port, self.fields[shared] = SHARED[shared]
        writes[port] = shared

    def draw_into(self, name: str) -> None:
        for index, edge in enumerate(self.edges):
            if edge.source == name and edge.form == "error" and self.chance(0.6):
                others = [one for one in self.fields if one.startswith("oops_") and self.is_free(one, name)]
                into = self.random.choice(others) if others and self.chance(0.2) else f"oops_{plain(name)}"
                self.fields[into] = Field("Failure | null", output=True)
                self.edges[index] = replace(edge, into=into)
                self.written.setdefault(name, []).append(into)
                self.users.setdefault(into, set()).add(name)

    def readable(self, name: str) -> list[str]:
        """List the fields that nobody beside a node writes, seldom any; unset ones seldom."""
        known = [one for fields in self.written.values() for one in fields]
        near = [one for one in known if self.is_free(one, name)] if self.chance(0.95) else known
        surely = [one for one in near if self.fields[one].default is not None or self.chance(0.08)]
        return list(dict.fromkeys(surely))

    def is_free(self, field: str, name: str) -> bool:
        """Tell whether all who write or read a field come before or after a node, or are the node."""
        users = self.users.get(field, set())
        return all(one == name or one in self.reach[name] or name in self.reach[one] for one in users)

    def draw_loops(self) -> None:
        """Let some loops end when nothing changes."""
        progress: dict[str, tuple[tuple[str, ...], int]] = {}
        for index, edge in enumerate(self.edges):
            if edge.loop is None:
                continue
            if edge.target not in progress:
                progress[edge.target] = (tuple(self.progress(edge)), self.random.choice((1, 1, 2)))
            fields, patience = progress[edge.target]
            named = edge.loop.rounds % 2 == 0
            loop = replace(edge.loop, progress=fields, patience=patience if fields else 1, named=named)
            self.edges[index] = replace(edge, loop=loop)

    def progress(self, edge: Edge) -> Iterable[str]:
        if self.free or not self.chance(0.4):
            return ()
        body = [one for one in self.nodes if edge.source in self.reach[one] and one in self.reach[edge.target]]
        near = {edge.source, edge.target, *body} & self.nodes.keys()
        picked = [node.writes["pick"] for name, node in self.nodes.items() if name in near and "pick" in node.writes]
        marked = [node.writes["mark"] for name, node in self.nodes.items() if name in near and "mark" in node.writes]
        known = list(dict.fromkeys([*picked, *picked, *marked])) if self.chance(0.4) else list(dict.fromkeys(picked))
        return sorted(self.random.sample(known, min(len(known), self.random.choice((1, 1, 2)))))


def _reach(nodes: Mapping[str, Node], edges: Sequence[Edge]) -> Mapping[str, set[str]]:
    """Say for each node what comes after it without going back."""
    after: dict[str, set[str]] = {name: set() for name in (START, *nodes, END)}
    for edge in edges:
        after[edge.source].add(edge.target if edge.loop is None else edge.loop.exhausted)
    found: dict[str, set[str]] = {}
    for name in after:
        todo, seen = [*after[name]], set[str]()
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo.extend(after[one])
        found[name] = seen
    return found
