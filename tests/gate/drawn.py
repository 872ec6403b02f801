"""A seed goes in; a drawn graph of several kinds, and the same graph changed in a few places, come out as documents.

What the kinds are called is drawn too; what follows what, and what data goes where, is worked out here by hand, from
the documents alone, to be compared with what the diff says of them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, TypeAlias

import networkx as nx

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.spec.link.link import link
from grapharc.spec.nesting import every_graph
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph, read_registry
from grapharc.spec.registry.open_registry import open_registry
from tests.gate.pairs import ALLOW
from tests.law.draw import draw
from tests.law.world import MEMO, TODAY, WithTexts, project
from tests.law.writing import inner_texts, text
from tests.policy.judging import opened

Document: TypeAlias = dict[str, Any]
"""A graph; beneath ``INNER`` are the graphs that it names, by path."""

INNER = "inner"

KINDS = ("alpha", "beta", "gamma", "guard")
SELECTION = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "graph"\n' + "".join(
    f'[[use]]\nfrom = "kinds/law.toml"\nkind = "step"\nas = "{kind}"\n' for kind in KINDS
)
POLICY = f"""{ALLOW}
[[rule]]
id = "past-the-guard"
effect = "deny"
resource = "path"
match = "nobody -> nowhere"
unless_via = "guard"
"""
"""A policy that never decides, and makes one kind a guard."""


def drawn(seed: int) -> tuple[Document, Document]:
    """Draw a graph and change it."""
    random = Random(seed)
    graph = draw(seed)
    old: Document = json.loads(text(graph, "json"))
    old[INNER] = {f"{path}.json": _parsed(inner, path) for path, inner in inner_texts(graph).items()}
    for document in (old, *old[INNER].values()):
        for node in document["nodes"]:
            if node["kind"] == "step":
                node["kind"] = random.choice(KINDS)
            if node["kind"] == "graph":
                node["args"]["path"] += ".json"
    new = json.loads(json.dumps(old))
    for _ in range(random.randint(1, 3)):
        _bend(new, random)
    return old, new


def _parsed(text: str, path: str) -> Document:
    return json.loads(text) if path.endswith(".json") else tomllib.loads(text)


def _bend(document: Document, random: Random) -> None:
    edges, names = document["edges"], [node["name"] for node in document["nodes"]]
    match random.choice(("retarget", "drop", "add", "kind", "rename", "rename", "bind")):
        case "retarget" if edges:
            random.choice(edges)["target"] = random.choice([*names, "__end__"])
        case "drop" if edges:
            edges.remove(random.choice(edges))
        case "add":
            edges.append({"source": random.choice(names), "target": random.choice([*names, "__end__"])})
        case "kind":
            steps = [node for node in document["nodes"] if node["kind"] in KINDS]
            if steps:
                random.choice(steps)["kind"] = random.choice(KINDS)
        case "bind":
            steps = [node for node in document["nodes"] if node["kind"] in KINDS and node["reads"]]
            if steps:
                random.choice(steps)["reads"]["first"] = "'nothing'"
        case _:
            rename(document, random.choice(names), "renamed")


def rename(document: Document, old: str, new: str) -> None:
    """Call a node otherwise, wherever it is named."""
    if any(node["name"] == new for node in document["nodes"]):
        return
    for node in document["nodes"]:
        node["name"] = new if node["name"] == old else node["name"]
    for edge in document["edges"]:
        for table, key in ((edge, "source"), (edge, "target"), (edge.get("loop", {}), "exhausted")):
            if table.get(key) == old:
                table[key] = new


_REGISTRY: list[Registry] = []


def judged(document: Document) -> Admission:
    """Judge a drawn graph."""
    if not _REGISTRY:
        selection, _ = read_registry(SELECTION.encode(), "registry.toml")
        registry, findings = open_registry(selection, project(), MEMO)
        assert not findings, findings
        _REGISTRY.append(registry)
    texts = {path: json.dumps(inner) for path, inner in document[INNER].items()}
    outer = {key: value for key, value in document.items() if key != INNER}
    loader = WithTexts(texts)
    read, _ = read_graph(json.dumps(outer).encode(), "graph.json")
    linked, _ = link(read, _REGISTRY[0], loader, MEMO)
    return admit(linked, [opened(POLICY)], today=TODAY)


def followed(document: Document, without: str = "") -> set[tuple[str, str]]:
    """Which kind can run after which, by brute force: for each node all nodes that control can come to after it."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    kinds: dict[str, str] = {}
    _unfold(document, document[INNER], "", ("__start__", "__end__", ""), graph, kinds)
    graph.remove_nodes_from([name for name, kind in kinds.items() if without and kind == without])
    pairs: set[tuple[str, str]] = set()
    for name in kinds.keys() & set(graph):
        for near in graph.successors(name):
            reached = {near} | nx.descendants(graph, near)
            pairs |= {(kinds[name], kinds[other]) for other in reached if other in kinds}
    return pairs


def _unfold(
    document: Document,
    others: Mapping[str, Document],
    way: str,
    ends: tuple[str, str, str],
    graph: nx.DiGraph[str],
    kinds: dict[str, str],
) -> None:
    """Draw a graph whose start, end and failure are called by ``ends``."""
    enter, leave, fail = {"__end__": ends[1]}, {"__start__": ends[0]}, dict[str, str]()
    for node in document["nodes"]:
        name, whole = node["name"], way + node["name"]
        enter[name] = leave[name] = fail[name] = whole
        if node["kind"] == "graph":
            enter[name], leave[name], fail[name] = f"{whole}?in", f"{whole}?out", f"{whole}?lost"
            inner = others[node["args"]["path"]]
            _unfold(inner, others, f"{whole}/", (enter[name], leave[name], fail[name]), graph, kinds)
        else:
            kinds[whole] = node["kind"]
            graph.add_node(whole)
    for source, target, form in [*_arrows(document), *(_implied(document) if way else ())]:
        one = (fail if form == "error" else leave).get(source)
        if one is not None and target in enter:
            graph.add_edge(one, enter[target])
    if way:
        graph.add_edges_from((name, ends[2]) for name in fail.values())


def _arrows(document: Document) -> Iterable[tuple[str, str, str]]:
    for edge in document["edges"]:
        form = edge.get("on", "")
        yield edge["source"], edge["target"], form
        if "loop" in edge:
            yield edge["source"], edge["loop"].get("exhausted", "__end__"), form


def _implied(document: Document) -> Iterable[tuple[str, str, str]]:
    leading = {edge["source"] for edge in document["edges"] if edge.get("on") != "error"}
    for name in ("__start__", *(node["name"] for node in document["nodes"] if node["kind"] != "control.fail")):
        if name not in leading:
            yield name, "__end__", ""


def linked_whole(admission: Admission) -> bool:
    """Tell whether all that is written down could be linked, so that what is drawn by hand is what is judged."""
    return not any(one.unlinked or one.missing_edges or one.unbound for one in every_graph(admission.graph))
