"""A seed goes in; a graph is drawn, judged, compiled and run, and held to the law. What was found out comes out."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from random import Random

from grapharc.policy.admission import Admission
from grapharc.spec.flow.facts import Flow
from grapharc.spec.linked import Budget
from grapharc.spec.reasons import severity
from tests.law.acting import Choose
from tests.law.choosing import by_seed, draw_inputs
from tests.law.document import START, Graph, Value, every_graph
from tests.law.draw import draw
from tests.law.longest import longest
from tests.law.running import Mode, Ran, compare, compiled, run, same
from tests.law.tokens import Ended, Shape, move
from tests.law.world import Sort, judge
from tests.law.writing import inner_texts, text

DRAWS = 2
"""Drawn runs of each graph, the longest that can be thought of the first; that is run in every mode."""

DEEP = "GRAPHARC_DEEP" in os.environ


def sort_of(seed: int) -> Sort:
    """Choose a registry."""
    return "async" if seed % 10 == 3 else "dear" if seed % 10 == 7 else "plain"


def obey(seed: int) -> Counter[str]:
    """Hold one seed's graph to the law; count what came of it."""
    graph = draw(seed)
    syntax = "toml" if seed % 2 else "json"
    admission = judge(text(graph, syntax), f"graph.{syntax}", sort_of(seed), inner_texts(graph))
    if admission.verdict == "admitted" and seed % 3 == 0 and admission.flow.inside:
        graph = bounded(graph, admission.flow)
        admission = judge(text(graph, syntax), f"graph.{syntax}", sort_of(seed), inner_texts(graph))
        assert admission.verdict == "admitted", "a graph is refused whose inner graphs may spend all that they can"
    if admission.verdict != "admitted":
        codes = {finding.code for finding in admission.findings if severity(finding) == "error"}
        return Counter({"refused": 1, **{f"refused: {code}": 1 for code in codes}})
    seen = Counter({"admitted": 1})
    seen.update(_features(graph))
    made, shape, most = compiled(admission), Shape(graph), 0
    every: tuple[Mode, ...] = ("async",) if sort_of(seed) == "async" else ("sync", "async")
    for number in range(DRAWS):
        modes = every if number == 0 or DEEP else (every[seed % len(every)],)
        given, choose = longest(shape, seed) if number == 0 else any_run(shape, seed)
        inputs, told = tell(shape, given, choose, seed)
        if told.cut_off:
            seen["left out: an inner graph that fails beside others"] += 1
            continue
        ran = [run(made, inputs, f"{seed}-{number}-{mode}", mode, _budget(admission, seed)) for mode in modes]
        for mode, one in zip(modes, ran, strict=True):
            check(graph, admission, one, told)
            seen.update({"runs": 1, f"{mode} runs": 1, "failed runs": told.failed is not None})
            most = max(most, one.spent.steps)
        assert told.failed is not None or same(ran[0], ran[-1]), "another state is left in another mode"
    if is_free(graph):
        seen.update({"free to choose": 1, "free to choose, and met their bound on steps": most == admission.flow.steps})
    return seen


def bounded(graph: Graph, flow: Flow) -> Graph:
    """Let each entry of an inner graph spend what it may spend at worst, and no more."""
    nodes = dict(graph.nodes)
    for name, inside in flow.inside.items():
        inner = nodes[name].inner
        assert inner is not None
        budget = {f"max_{name}": int(inside.worst.known[name]) for name in ("iterations", "tokens")}
        nodes[name] = replace(nodes[name], inner=replace(bounded(inner, inside), budget=budget))
    return replace(graph, nodes=nodes)


def is_free(graph: Graph) -> bool:
    """Tell whether each branch decides by what its own node says, and loops go round as often as they may."""
    return all(_is_free(one) for one in every_graph(graph))


def _is_free(graph: Graph) -> bool:
    tests = [(edge.source, edge.test) for edge in graph.edges if edge.test is not None]
    own = all(source == START or test.field == graph.nodes[source].writes.get("pick") for source, test in tests)
    return own and not any(loop.progress for loop in graph.headers.values())


def any_run(shape: Shape, seed: int) -> tuple[dict[str, Value], Choose]:
    """Draw any run."""
    return draw_inputs(shape.graph, seed), by_seed(seed)


def tell(shape: Shape, given: dict[str, Value], choose: Choose, seed: int) -> tuple[dict[str, Value], Ended]:
    """Let tokens tell what a run is to do, twice in other orders; give the inputs that make it so."""
    told, again = (move(shape, given, choose, Random(number)) for number in (seed, seed + 1))
    assert told.fell_through is None, f"no condition of '{told.fell_through}' holds"
    assert told.acts.script == again.acts.script, "tokens tell another run in another order"
    return {**given, "script": told.acts.script}, told


def check(graph: Graph, admission: Admission, ran: Ran, told: Ended) -> None:
    """Hold one run to what tokens and the admission say."""
    flow, worst = admission.flow, admission.flow.worst.known
    assert ran.steps <= flow.control.steps, f"{ran.steps} steps, and LangGraph was told {flow.control.steps}"
    assert ran.spent.steps <= flow.steps, f"{ran.spent.steps} steps, and {flow.steps} were admitted"
    # What LangGraph keeps of a run that failed is the superstep before.
    assert flow.inside or ran.spent.steps - ran.steps == (told.failed is not None), "steps are counted otherwise"
    spent = sum(_tokens(graph, admission, key) * times for key, times in ran.calls.items())
    assert spent <= worst["tokens"], f"{spent} tokens, and {worst['tokens']} were admitted"
    if told.failed is None:
        compare(graph, ran, told)
    else:
        assert ran.failed is not None, f"'{told.failed}' fails, and the run does not"
        assert ran.calls <= told.acts.calls, "functions were called more often than tokens say"


def _tokens(graph: Graph, admission: Admission, key: str) -> int:
    *way, last = [part for part in key.split("/") if not part.isdigit()]
    here, linked = graph, admission.graph
    for name in way:
        inner, nested = here.nodes[name].inner, linked.nodes[name].subgraph
        assert inner is not None
        assert nested is not None
        here, linked = inner, nested
    cost = linked.nodes[last].offer.cost["tokens"]
    return cost if isinstance(cost, int) else here.nodes[last].weight * 10


def _budget(admission: Admission, seed: int) -> Budget:
    """Allow exactly what was admitted, now and then few nodes at one time."""
    lanes = {4: 1, 5: 2}.get(seed % 10)
    return Budget(max_iterations=int(admission.flow.worst.known["iterations"]), max_concurrency=lanes)


def _features(graph: Graph) -> dict[str, int]:
    fans = [node.fan for node in graph.nodes.values() if node.fan is not None]
    holding = [node for node in graph.nodes.values() if node.inner is not None]
    shape = Shape(graph)
    return {
        "with a subgraph": bool(holding),
        "with a subgraph in a map": any(node.fan is not None for node in holding),
        "with a subgraph in a loop": any(node.name in body for node in holding for body in shape.bodies.values()),
        "with a subgraph with a retry": any(node.tries > 1 for node in holding),
        "with a subgraph with an error edge": any(graph.out_of(node.name, "error") for node in holding),
        "with a subgraph in a subgraph": any(len(list(every_graph(node.inner))) > 1 for node in holding if node.inner),
        "with a branch": any(edge.form == "arm" for edge in graph.edges),
        "with a join": any(len(graph.into(name)) > 1 for name in graph.nodes),
        "with a loop": bool(graph.headers),
        "with an error edge": any(edge.form == "error" for edge in graph.edges),
        "with a map": bool(fans),
        "with a retry": any(node.tries > 1 for node in graph.nodes.values()),
    }
