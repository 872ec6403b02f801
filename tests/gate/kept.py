"""An admission goes in; all that a checkpoint of a run of it is kept by comes out, as the lowering names it.

Two graphs of which a session may go on from one to the other must agree in this to the letter.
"""

from __future__ import annotations

import json
from collections import defaultdict
from random import Random
from typing import Any

from grapharc.compiler.assemble import fold_order
from grapharc.compiler.deciding import deciding
from grapharc.compiler.joins import wire
from grapharc.compiler.names import channel
from grapharc.policy.admission import Admission
from grapharc.spec.types import show


def kept(admission: Admission) -> dict[str, Any]:
    """Return the channels with what they hold, and what lets each node run: edges, barriers, hidden merges."""
    graph, flow = admission.graph, admission.flow
    wiring = wire(flow)
    decided = deciding(graph, flow, wiring, str)
    arcs = flow.control.graph.arcs
    told: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for arc, targets in wiring.goto.items():
        for target in targets:
            told[target].add((flow.source(arc), flow.control.graph.names[arcs[arc].target]))
    return {
        "fields": {channel(name): (show(field.type), field.reducer) for name, field in graph.fields.items()},
        "loops": sorted(loop.channel for loop in decided.loops),
        "capped": decided.capped,
        "edges": sorted(set(wiring.edges)),
        "barriers": sorted((tuple(starts), end) for starts, end in wiring.barriers),
        "told": {target: sorted(sources) for target, sources in told.items()},
        "order": fold_order(flow),
        "around": {name: [loop.channel for loop in loops] for name, loops in decided.around.items()},
        "writes": {name: (node.offer.kind.name, node.fields_written) for name, node in graph.nodes.items()},
    }


def touched(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """Change a graph in ways after which a session may often go on, and now and then in others."""
    new = json.loads(json.dumps(document))
    for _ in range(random.randint(1, 3)):
        _touch(new, random)
    return new


def _touch(document: dict[str, Any], random: Random) -> None:
    edges, nodes, state = document["edges"], document["nodes"], document["state"]
    arms = [edge for edge in edges if "when" in edge]
    loops = [edge["loop"] for edge in edges if "loop" in edge]
    match random.choice(("order", "arms", "when", "otherwise", "bound", "progress", "end", "field", "field", "edge")):
        case "order":
            random.shuffle(nodes)
        case "arms":
            random.shuffle(edges)
        case "when" if arms:
            random.choice(arms)["when"] = random.choice(("true", "1 > 0", "false"))
        case "otherwise" if arms:
            edge = random.choice(arms)
            del edge["when"]
            edge["otherwise"] = True
        case "bound" if loops:
            random.choice(loops)["max_rounds"] = random.randint(1, 5)
        case "progress" if loops:
            random.choice(loops)["progress"] = random.sample(sorted(state), 1)
        case "end" if loops:
            loop = random.choice(loops)
            if loop.setdefault("exhausted", "__end__") == "__end__" and random.random() < 0.5:
                del loop["exhausted"]
        case "field":
            _touch_field(state[random.choice(sorted(state))], random)
        case "edge" if edges:
            random.choice(edges)["target"] = random.choice([*(node["name"] for node in nodes), "__end__"])
        case _:
            pass


def _touch_field(field: object, random: Random) -> None:
    if not isinstance(field, dict):
        return
    if random.random() < 0.5:
        field.pop("default", None)
    else:
        field["input"] = not field.get("input", False)
