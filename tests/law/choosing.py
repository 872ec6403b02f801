"""A graph and a seed go in; the inputs of a run, and what its nodes say in it, come out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b
from random import Random

from tests.law.acting import Choose
from tests.law.document import Edge, Graph, Value
from tests.law.tokens import Shape


def draw_inputs(graph: Graph, seed: int, sound: bool = False) -> dict[str, Value]:
    """Draw the inputs of a run, without the script.

    Of four lists about one is longer than it may be, where that is caught, and of twenty one where it is not; none in
    ``sound`` inputs.
    """
    random = Random(seed)
    given: dict[str, Value] = {}
    for name, one in graph.fields.items():
        if one.input and one.most is not None:
            longer = random.random() < (0.25 if one.caught else 0.05) and not sound
            given[name] = list(range(one.most + 1 if longer else random.randint(0, one.most)))
        elif one.input and '"' in one.type:
            given[name] = random.choice(one.type.replace('"', "").split(" | "))
    return given


def by_seed(seed: int, failures: float = 0.3) -> Choose:
    """Choose by a seed, so that the same call always says the same; a failure with the share given."""

    def choose(key: str, call: int, options: Sequence[str]) -> str:
        number = int.from_bytes(blake2b(f"{seed} {key} {call}".encode(), digest_size=8).digest())
        fine = [option for option in options if option != "!"]
        if "!" in options and number % 1000 < failures * 1000:
            return "!"
        return fine[number // 1000 % len(fine)]

    return choose


def stubborn(seed: int, failures: float = 0.3) -> Choose:
    """Choose by a seed, but always the same for a node, however often it is called."""
    choose = by_seed(seed, failures)
    return lambda key, _call, options: choose(key, 0, options)


def towards(shape: Shape, goals: Collection[str]) -> Choose:
    """Choose what leads to as many of some nodes as possible, the shortest way, and round in circles through them."""

    def worth(edge: Edge) -> tuple[int, int]:
        ends = (edge.target,) if edge.loop is None else (edge.target, edge.loop.exhausted)
        far = [distance for end in ends for distance in _distances(shape, end, goals)]
        return len(far), -min(far, default=0)

    def choose(key: str, _call: int, options: Sequence[str]) -> str:
        node = key.split("/")[0]
        return max(options, key=lambda option: max(map(worth, taken(shape.graph, node, option)), default=(0, 0)))

    return choose


def _distances(shape: Shape, start: str, goals: Collection[str]) -> list[int]:
    """Say how far it is to each goal that can be reached."""
    far = {start: 0}
    todo = [start]
    for node in todo:
        for near, _ in shape.leading[node]:
            if near not in far:
                far[near] = far[node] + 1
                todo.append(near)
    return [far[goal] for goal in set(goals) if goal in far]


def taken(graph: Graph, node: str, said: str) -> list[Edge]:
    """Say which edges are taken after a node that says something, as far as that decides it."""
    if said == "!":
        return graph.out_of(node, "error")
    asked = graph.nodes[node].writes.get("pick")
    arms = graph.out_of(node, "arm")
    tested = [edge for edge in arms if edge.test and edge.test.field == asked and said in edge.test.values]
    return [*tested, *(edge for edge in arms if edge.test is None)][:1] or graph.out_of(node, "always")
