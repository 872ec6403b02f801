"""A node that is to run a graph goes in, with what is around it; the graph comes out, and what its inputs are bound to.

Where a failure in it is caught further out, nobody could say how far what runs beside it gets, and what is counted
there differs from then on: then it never fails, or nothing in it runs beside anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from tests.law.document import Field, Graph, Node

SHARED: Mapping[str, tuple[str, Field]] = {
    "log": ("note", Field("list[string]", [], "append", output=True)),
    "seen": ("note", Field("list[string]", [], "union", output=True)),
    "total": ("one", Field("integer", 0, "sum", output=True)),
    "least": ("one", Field("integer", 9, "min", output=True)),
    "most": ("one", Field("integer", 0, "max", output=True)),
    "by": ("entry", Field("map[string]", {}, "merge", output=True)),
}
"""Fields that many nodes write, with the port that they take."""
SYNTAXES = (".toml", ".json")


@dataclass(frozen=True)
class Inside:
    """What is around a graph that a node runs, and what is to come out of it.

    ``silent`` it never fails; ``one_by_one`` nothing in it runs beside anything else.
    """

    way: str = ""
    depth: int = 0
    lanes: bool = False
    silent: bool = False
    one_by_one: bool = False
    wanted: Mapping[str, Field] = field(default_factory=dict[str, Field])
    """Its outputs, by the ports of a step."""


OUTERMOST = Inside()

DrawInner: TypeAlias = "Callable[[Random, Inside], Graph]"
MOST_DEPTH = 2
LONG = 600
"""A timeout in seconds that nothing comes near, however little of the machine is left for it."""


def plain(name: str) -> str:
    """Make a name that fields may have too."""
    return name.replace(".", "_dot_").replace("-", "_dash_")


def let_out(nodes: dict[str, Node], fields: dict[str, Field], inside: Inside, random: Random) -> None:
    """Let nodes of an inner graph write what is to come out of it; what a node says, one of them alone."""
    steps = [name for name, node in nodes.items() if node.kind == "step" and node.fan is None]
    random.shuffle(steps)
    for port, one in inside.wanted.items():
        fields[port] = one
        says = port == "pick"
        can = [name for name in steps if port not in nodes[name].writes and not (says and nodes[name].picks)]
        for name in can[:1] if port in ("pick", "mark") else [name for name in can if random.random() < 0.6]:
            node = nodes[name]
            picks = _texts(one) if says else node.picks
            nodes[name] = replace(node, writes={**node.writes, port: port}, picks=picks)


def hold(
    nodes: dict[str, Node],
    fields: dict[str, Field],
    name: str,
    guarded: bool,
    around: Inside,
    random: Random,
    draw: DrawInner,
) -> None:
    """Draw what a node runs, and bind its inputs."""
    node = nodes[name]
    inner = draw(random, _inside(node, guarded, around, random))
    binds: dict[str, str] = {}
    for port, one in inner.fields.items():
        if one.input and (one.most is not None or '"' in one.type) and random.random() < 0.4:
            binds[port] = f"{port}_of_{plain(name)}"
            fields[binds[port]] = replace(one, default=one.default if around.depth else None)
    nodes[name] = replace(node, inner=inner, binds=binds)


def _inside(node: Node, guarded: bool, around: Inside, random: Random) -> Inside:
    fan = node.fan
    caught = guarded or node.tries > 1 or (fan is not None and fan.collect) or around.one_by_one
    cut_off = fan is not None and not fan.collect and (guarded or around.one_by_one)
    silent = around.silent or cut_off or (caught and random.random() < 0.4)
    return Inside(
        way=f"{node.path.partition('.')[0]}__",
        depth=around.depth + 1,
        lanes=around.lanes or fan is not None,
        silent=silent,
        one_by_one=caught and not silent,
        wanted={port: _output(port, node, random) for port in node.writes},
    )


def _output(port: str, node: Node, random: Random) -> Field:
    """Say what comes out of an inner graph at a port."""
    match port:
        case "pick":
            return Field(" | ".join(f'"{one}"' for one in node.picks), node.picks[0], output=True)
        case "mark":
            return Field("string", "" if random.random() < 0.9 else None, output=True)
        case _:
            return next(one for also, one in SHARED.values() if also == port)


def _texts(one: Field) -> tuple[str, ...]:
    return tuple(one.type.replace('"', "").split(" | "))
