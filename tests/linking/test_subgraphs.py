"""A graph within a graph: found beside the document, linked once, with its fields as ports; findings tell the way."""

from __future__ import annotations

import pytest

from grapharc.spec.linked import LinkedGraph
from grapharc.spec.meaning import graph_meaning
from grapharc.spec.nesting import depth, every_graph, every_node, size
from grapharc.spec.reasons import related_note
from tests.linking.project import linked, said

KINDS = """
[[kind]]
name = "graph"
version = "1"
summary = "Run another graph."
entry = "grapharc.stdlib_kinds.control.control:run_graph"
capabilities = []
idempotent = true
[kind.args]
type = "object"
additionalProperties = false
required = ["path"]
properties.path = { type = "string", format = "document-path", minLength = 1 }
[[kind]]
name = "fetch"
version = "1"
summary = "Fetch."
entry = "shelf.py:fetch"
capabilities = ["network"]
labels = ["untrusted"]
idempotent = false
reads.q = "string"
writes.a = "string"
"""
OUTER = """
[state]
topic = { type = "string", input = true }
notes = { type = "string", output = true }
[[nodes]]
name = "look"
kind = "graph"
args = { path = "parts/inner.toml" }
reads = { q = "topic" }
writes = { a = "notes" }
[[edges]]
chain = ["__start__", "look", "__end__"]
"""
INNER = """
[state]
q = { type = "string", input = true }
mood = { type = "string", input = true, default = "calm" }
a = { type = "string", output = true }
[[nodes]]
name = "fetch"
[[edges]]
chain = ["__start__", "fetch", "__end__"]
"""


def project(outer: str = OUTER, inner: str = INNER, **more: str) -> dict[str, str]:
    files = {f"{name.replace('__', '/')}.toml": text for name, text in more.items()}
    return {"shipped/kinds.toml": KINDS, "graph.toml": outer, "parts/inner.toml": inner, **files}


def subgraph(graph: LinkedGraph, node: str = "look") -> LinkedGraph:
    found = graph.nodes[node].subgraph
    assert found is not None
    return found


def told(texts: dict[str, str]) -> list[str]:
    graph = linked(texts)
    return said(graph.findings, graph.texts)


def test_its_fields_are_the_ports() -> None:
    graph = linked(project())
    assert said(graph.findings, graph.texts) == []
    kind = graph.nodes["look"].offer.kind
    assert (list(kind.reads), list(kind.writes)) == (["q", "mood"], ["a"])
    assert kind.reads["mood"].default == "calm"
    assert kind.reads["q"].place.document == "parts/inner.toml"


def test_what_it_may_touch_and_adds_is_what_is_inside() -> None:
    node = linked(project()).nodes["look"]
    assert (node.capabilities, node.labels, node.offer.kind.idempotent) == (("network",), ("untrusted",), False)


def test_ports_are_bound_and_held_to_their_types() -> None:
    assert told(project(OUTER.replace('reads = { q = "topic" }', 'reads = { q = "1" }'))) != []
    assert "unbound_port" in str(told(project(OUTER.replace('reads = { q = "topic" }', ""))))
    assert "unknown_port" in str(told(project(OUTER.replace("{ a = ", "{ b = "))))
    assert "write_type_mismatch" in str(
        told(project(OUTER.replace('notes = { type = "string"', 'notes = { type = "integer"')))
    )


def test_a_port_may_be_called_what_the_argument_is_called() -> None:
    inner = INNER.replace("mood = ", "path = ")
    graph = linked(project(inner=inner))
    assert said(graph.findings, graph.texts) == []
    assert list(graph.nodes["look"].offer.kind.reads) == ["q", "path"]


def test_a_finding_inside_stands_in_its_file_and_names_the_way() -> None:
    middle = OUTER.replace("parts/inner.toml", "inner.toml").replace("topic", "q").replace("notes", "a")
    broken = INNER.replace('name = "fetch"', 'name = "fetch"\nkind = "fetsh"')
    graph = linked(project(OUTER.replace("inner", "middle"), broken, parts__middle=middle))
    (finding,) = graph.findings
    assert (finding.code, finding.place.document) == ("unregistered_node", "parts/inner.toml")
    assert [(related_note(note), note.place.document) for note in finding.related] == [
        ("nested here, by node 'look'", "graph.toml"),
        ("nested here, by node 'look'", "parts/middle.toml"),
    ]
    assert {"graph.toml", "parts/middle.toml", "parts/inner.toml"} <= set(graph.texts)


def test_nothing_follows_from_an_input_that_could_not_be_made_out() -> None:
    (only,) = told(project(inner=INNER.replace('mood = { type = "string"', 'mood = { type = "strin"')))
    assert "unknown_type" in only


def test_one_file_is_linked_once_and_told_once() -> None:
    twice = OUTER + OUTER[OUTER.index("[[nodes]]") : OUTER.index("[[edges]]")].replace('"look"', '"again"')
    graph = linked(project(twice, INNER.replace('name = "fetch"', 'name = "fetch"\nkind = "fetsh"')))
    assert subgraph(graph) is subgraph(graph, "again")
    assert len(graph.findings) == 1


@pytest.mark.parametrize(
    ("path", "code"), [("../inner.toml", "document_outside_project"), ("parts/outer.toml", "document_unreadable")]
)
def test_a_file_that_cannot_be_read_is_told_where_it_is_named(path: str, code: str) -> None:
    (only,) = told(project(OUTER.replace("parts/inner.toml", path)))
    assert code in only
    assert only.startswith("graph.toml:8")


def test_what_is_no_graph_is_told_in_its_file() -> None:
    (only,) = told(project(inner='[[rule]]\nid = "x"\neffect = "deny"\nresource = "node"\nmatch = "*"\n'))
    assert only.startswith("parts/inner.toml")
    assert "wrong_document" in only


def test_graphs_that_hold_each_other_are_refused_with_the_chain_of_files() -> None:
    back = OUTER.replace("parts/inner.toml", "../graph.toml").replace("topic", "q").replace("notes", "a")
    (only,) = told(project(inner=back.replace("{ q =", "{ topic =").replace("{ a =", "{ notes =")))
    assert "graph.toml -> parts/inner.toml -> graph.toml" in only
    assert only.startswith("parts/inner.toml")


def test_a_few_small_files_cannot_come_to_more_than_can_be_checked() -> None:
    one = '[[nodes]]\nname = "{1}"\nkind = "graph"\nargs = {{ path = "{0}" }}\n'
    two = one.replace("{1}", "a") + one.replace("{1}", "b")
    files = {f"l{level}": two.format(f"l{level + 1}.toml") for level in range(1, 15)}
    leaf = "\n".join(f'[[nodes]]\nname = "n{number}"\nkind = "fetch"\n' for number in range(10))
    found = linked(project(two.format("l1.toml"), l15=leaf, **files))
    assert {finding.code for finding in found.findings} >= {"subgraph_too_large"}


def test_nested_graphs_are_counted_and_named() -> None:
    middle = OUTER.replace("parts/inner.toml", "inner.toml").replace("topic", "q").replace("notes", "a")
    graph = linked(project(OUTER.replace("inner", "middle"), parts__middle=middle))
    assert (depth(graph), size(graph)) == (3, 3)
    assert [node.name for node in every_node(graph)] == ["look", "look/look", "look/look/fetch"]
    assert [one.path for one in every_graph(graph)] == ["graph.toml", "parts/middle.toml", "parts/inner.toml"]


def test_a_registry_may_pin_a_graph_and_so_make_a_kind_of_it() -> None:
    registry = '[[use]]\nkind = "graph"\nas = "look"\nargs = { path = "parts/inner.toml" }\n[[use]]\nkind = "fetch"\n'
    outer = OUTER.replace('kind = "graph"\nargs = { path = "parts/inner.toml" }\n', "")
    graph = linked({**project(outer), "registry.toml": registry})
    assert said(graph.findings, graph.texts) == []
    assert subgraph(graph).path == "parts/inner.toml"


def test_shared_fields_of_the_registry_are_its_fields_too() -> None:
    registry = '[[use]]\nkind = "*"\n[state]\ngoal = { type = "string", input = true }\n'
    graph = linked({**project(OUTER), "registry.toml": registry})
    assert list(graph.nodes["look"].offer.kind.reads) == ["goal", "q", "mood"]
    assert said(graph.findings, graph.texts) == []


def test_the_meaning_of_a_graph_is_that_of_all_it_holds() -> None:
    def meaning(inner: str) -> object:
        return graph_meaning(linked(project(inner=inner)))

    assert meaning(INNER) == meaning(
        "# a remark\n" + INNER.replace('name = "fetch"', 'description = "x"\nname = "fetch"')
    )
    assert meaning(INNER) != meaning(INNER.replace('default = "calm"', 'default = "cross"'))
