"""Kinds and ends of edges are found, or told where they are named."""

from __future__ import annotations

import pytest

from tests.linking.graphs import REGISTRY, faults, graph
from tests.linking.project import linked, said
from tests.linking.shelf import SHELF


def test_a_planner_needs_to_name_no_more_than_nodes_and_edges() -> None:
    text = """{"nodes": [{"name": "triage"}, {"name": "more", "kind": "triage"}],
 "edges": [{"source": "__start__", "target": "triage"}, {"source": "triage", "target": "more"}]}"""
    texts = {**SHELF, "registry.toml": REGISTRY + 'ticket = "Ticket"', "graph.json": text}
    found = linked(texts, "graph.json")
    assert found.findings == ()
    assert found.nodes["triage"].offer.name == "triage"
    assert [read.port for read in found.nodes["more"].reads] == ["ticket"]
    assert [(edge.source, edge.target) for edge in found.edges] == [("__start__", "triage"), ("triage", "more")]


def test_an_empty_graph_is_linked() -> None:
    found = linked({**SHELF, "graph.json": '{"nodes": []}'}, "graph.json")
    assert (found.findings, found.nodes, found.edges) == ((), {}, ())


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (
            'name = "n"\nkind = "triagee"',
            ["3:8: kind 'triagee' is not in the registry, did you mean 'triage'? [unregistered_node]"],
        ),
        ('name = "deploy"', ["2:8: kind 'deploy' is not in the registry [unregistered_node]"]),
        (
            'name = "n"\nkind = "tool.read_file"',
            ["3:8: kind 'tool.read_file' is not in the registry, did you mean 'read_handbook'? [unregistered_node]"],
        ),
    ],
)
def test_a_kind_that_is_not_offered_is_told_where_it_is_named(nodes: str, expected: list[str]) -> None:
    if "read_file" in nodes:
        assert [line.rpartition("[")[2] for line in faults(f"[[nodes]]\n{nodes}\n")] == ["unregistered_node]"]
    else:
        assert faults(f"[[nodes]]\n{nodes}\n") == expected


def test_every_end_of_an_edge_is_found_and_each_is_told_once() -> None:
    found = graph("""
[[nodes]]
name = "first"
kind = "control.set"
reads.value = "goal"
[[edges]]
chain = ["__start__", "fisrt", "first", "__end__"]
[[edges]]
source = "start"
target = "first"
[[edges]]
source = "first"
target = "__ned__"
""")
    assert [line.removeprefix("graph.toml:") for line in said(found.findings, found.texts)] == [
        "7:23: there is no node 'fisrt', did you mean 'first'? [unknown_edge_endpoint]",
        "9:10: there is no node 'start', did you mean '__start__'? [unknown_edge_endpoint]",
        "13:10: there is no node '__ned__', did you mean '__end__'? [unknown_edge_endpoint]",
    ]
    assert [(edge.source, edge.target) for edge in found.edges] == [("first", "__end__")]
    assert found.missing_edges


def test_an_edge_to_a_node_of_no_known_kind_is_an_edge() -> None:
    found = graph('[[nodes]]\nname = "n"\nkind = "nothing.like_it"\n[[edges]]\nchain = ["__start__", "n"]')
    assert [finding.code for finding in found.findings] == ["unregistered_node"]
    assert found.unlinked == {"n"}
    assert len(found.edges) == 1


def test_of_two_nodes_of_one_name_the_first_is_the_node() -> None:
    found = graph(
        '[[nodes]]\nname = "n"\nkind = "tool.grep"\nreads.pattern = "goal"\n[[nodes]]\nname = "n"\nkind = "triagee"'
    )
    assert [(finding.code, finding.place.path) for finding in found.findings] == [
        ("duplicate_node", ("nodes", 1, "name"))
    ]
    assert found.findings[0].related[0].place.path == ("nodes", 0, "name")
    assert found.nodes["n"].offer.name == "tool.grep"
