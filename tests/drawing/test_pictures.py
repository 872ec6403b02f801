"""What a diagram says of a graph: every node, edge, loop, refusal and person, and nothing that the checker does not."""

from __future__ import annotations

from pathlib import Path

from grapharc.compiler.diagrams.authority import authority
from grapharc.compiler.diagrams.changes import with_changes
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.data import data
from grapharc.compiler.diagrams.words import wrapped
from grapharc.policy.admission import Admission
from grapharc.spec.nesting import every_graph, every_node
from tests.drawing.conftest import EXAMPLES, judged

POLICY = """
default = "allow"
[[rule]]
id = "no-files"
effect = "deny"
resource = "node"
match = "tool.write_file"
[[rule]]
id = "a-person-looks"
effect = "ask"
resource = "edge"
match = "control.set -> control.pass"
approver_role = "sre"
"""

GRAPH = """
[state]
x = { type = "integer", input = true }
y = { type = "integer", default = 0 }
[[nodes]]
name = "first"
kind = "control.set"
reads = { value = "x" }
writes = { result = "y" }
[[nodes]]
name = "second"
kind = "control.pass"
[[edges]]
chain = ["__start__", "first"]
[[edges]]
source = "first"
target = "second"
when = "y > 1"
[[edges]]
source = "first"
target = "first"
otherwise = true
loop = { max_rounds = 4, progress = ["y"], exhausted = "second" }
[[edges]]
chain = ["second", "__end__"]
"""


def graph_of(folder: Path, text: str = GRAPH, policy: str = POLICY) -> Admission:
    folder.mkdir(exist_ok=True)
    (folder / "graph.toml").write_text(text, "utf-8")
    (folder / "policy.toml").write_text(policy, "utf-8")
    (folder / "grapharc.toml").write_text('[grapharc]\npolicy = ["policy.toml"]\n', "utf-8")
    return judged(folder / "graph.toml")


def test_every_node_and_every_edge_is_drawn(example: Admission) -> None:
    picture = control(example)
    drawn = {shape.key for shape in picture.shapes} | {group.key for group in picture.groups}
    assert {node.name for node in every_node(example.graph)} <= drawn
    assert len(picture.groups) == sum(node.subgraph is not None for node in every_node(example.graph))
    for edge in example.graph.every_edge:
        ends = {
            (line.source.removesuffix("/__end__"), line.target.removesuffix("/__start__")) for line in picture.lines
        }
        assert (edge.source, edge.target) in ends


def test_every_field_of_every_graph_is_drawn_with_who_reads_and_writes_it(example: Admission) -> None:
    picture = data(example)
    fields = [shape.title for shape in picture.shapes if shape.form == "field"]
    assert sorted(fields) == sorted(name for graph in every_graph(example.graph) for name in graph.fields)
    ways = {(line.source, line.target) for line in picture.lines}
    for node in example.graph.nodes.values():
        for write in node.writes if node.subgraph is None else ():
            assert (node.name, f"{write.field}:field") in ways
        for read in node.reads if node.subgraph is None else ():
            assert {(f"{field}:field", node.name) for field in read.fields} <= ways


def test_a_branch_a_loop_and_its_exit_say_when_they_are_taken(tmp_path: Path) -> None:
    lines = {(line.form, line.source, line.target): line.text for line in control(graph_of(tmp_path)).lines}
    assert lines["arm", "first", "second"] == ("y > 1",)
    assert lines["again", "first", "first"] == ("otherwise", "again, up to 4 rounds", "while y changes")
    assert lines["exhausted", "first", "second"] == ("exhausted after 4 rounds", "or after 1 round without progress")


def test_a_person_who_is_asked_stands_at_the_node_that_waits(tmp_path: Path) -> None:
    picture = control(graph_of(tmp_path))
    asks = {shape.title: shape.marks.asks for shape in picture.shapes if shape.marks.asks}
    assert asks == {"second": ("asks sre (rule a-person-looks)",)}
    assert picture.notes == ("needs approval",)


def test_a_refusal_stands_where_it_is_and_names_the_rule() -> None:
    picture = control(judged(EXAMPLES / "wrong" / "denied_kind.toml"))
    refused = {shape.title: shape.marks.refusals for shape in picture.shapes if shape.marks.refusals}
    assert refused == {"take_note": ("node_denied: rule no-written-files",)}
    assert picture.faults == ()


def test_a_refused_edge_is_marked_and_its_exit_is_not(tmp_path: Path) -> None:
    policy = POLICY.replace('effect = "ask"', 'effect = "deny"').replace(
        "control.set -> control.pass", "* -> control.set"
    )
    lines = control(graph_of(tmp_path, policy=policy)).lines
    refused = [(line.form, line.source, line.target) for line in lines if line.marks.refusals]
    assert refused == [("always", "__start__", "first"), ("again", "first", "first")]


def test_what_refuses_the_whole_is_said_of_the_whole() -> None:
    picture = control(judged(EXAMPLES / "wrong" / "over_budget.toml"))
    assert picture.notes == ("refused",)
    assert [fault.partition(":")[0] for fault in picture.faults] == ["over_token_budget"]


def test_authority_names_what_a_node_may_do_and_who_says_so(tmp_path: Path) -> None:
    shapes = {shape.title: shape.lines for shape in authority(graph_of(tmp_path)).shapes}
    assert "may: nothing" in shapes["first"]
    assert "allowed by default of policy.toml" in shapes["first"]


def test_a_change_is_marked_and_what_is_gone_is_still_drawn(tmp_path: Path) -> None:
    before = control(graph_of(tmp_path / "a"))
    text = GRAPH.replace("second", "third").replace("max_rounds = 4", "max_rounds = 2")
    picture = with_changes(before, control(graph_of(tmp_path / "b", text)))
    changes = {shape.key: shape.marks.change for shape in picture.shapes if shape.marks.change}
    assert changes == {"third": "added", "second": "removed"}
    marked = {(line.source, line.target, line.marks.change) for line in picture.lines}
    assert ("first", "third", "added") in marked
    assert ("first", "second", "removed") in marked
    assert with_changes(before, before) == before


def test_order_and_names_of_the_document_do_not_move_a_diagram(tmp_path: Path) -> None:
    first, second = GRAPH.index("[[nodes]]"), GRAPH.rindex("[[nodes]]")
    end = GRAPH.index("[[edges]]")
    turned = GRAPH[:first] + GRAPH[second:end] + GRAPH[first:second] + GRAPH[end:]
    assert turned != GRAPH
    assert control(graph_of(tmp_path / "a")) == control(graph_of(tmp_path / "b", turned))


def test_a_long_name_is_broken_between_its_words() -> None:
    lines = wrapped("rule pages-are-verified-before-they-are-kept")
    assert lines == ("rule", "pages-are-verified-before-they-are-", "kept")


def test_what_is_gone_stands_behind_what_it_stood_behind(tmp_path: Path) -> None:
    before, after = (
        control(graph_of(tmp_path / "a")),
        control(graph_of(tmp_path / "b", GRAPH.replace("second", "third"))),
    )
    assert [shape.key for shape in with_changes(before, after).shapes] == [
        "__start__",
        "first",
        "second",
        "third",
        "__end__",
    ]


def test_an_item_goes_from_its_list_into_the_field_of_the_subgraph_that_it_is_given_to() -> None:
    picture = data(judged(EXAMPLES / "nested" / "graph.toml"))
    lines = {(line.source, line.target): line.text for line in picture.lines if line.form == "data"}
    assert lines["speeches:field", "ask/path:field"] == ("for each speech",)
    assert lines["speeches:field", "ask"] == ("for each speech",)
