"""What a graph with loops, branches and error edges is held to, and what its record says of it."""

from __future__ import annotations

import pytest

from grapharc.policy.record import record
from grapharc.spec.flow.problems import UnorderedAccess
from tests.policy.judging import codes, judged

LOOP = """
[state]
topic = { type = "string", input = true }
notes = { type = "list[string]", default = [], reducer = "append", output = true }
failure = { type = "Failure | null", output = true }
[[nodes]]
name = "draft"
kind = "control.set"
reads = { value = "[topic]" }
writes = { result = "notes" }
[[nodes]]
name = "read"
kind = "tool.read_file"
reads = { path = "topic" }
writes = {}
retry = { max_attempts = 2 }
[[nodes]]
name = "sorry"
kind = "control.fail"
args = { message = "no notes on {topic}" }
[[edges]]
chain = ["__start__", "draft", "read"]
[[edges]]
source = "read"
target = "__end__"
when = "size(notes) > 5"
[[edges]]
source = "read"
target = "draft"
otherwise = true
loop = { max_rounds = 3, exhausted = "sorry" }
[[edges]]
source = "read"
target = "sorry"
on = "error"
into = "failure"
"""
OPEN = 'name = "open"\ndefault = "allow"\n'


def edge_rule(effect: str, match: str) -> str:
    return f'{OPEN}[[rule]]\nid = "r"\neffect = "{effect}"\nresource = "edge"\nmatch = "{match}"\n'


def beside(value: str, field: str) -> str:
    """A node beside all others, that writes a value to a field."""
    return f"""
[[nodes]]
name = "beside"
kind = "control.set"
reads = {{ value = "{value}" }}
writes = {{ result = "{field}" }}
[[edges]]
chain = ["__start__", "beside", "__end__"]
"""


def places(policy: str, graph: str = LOOP) -> list[tuple[object, ...]]:
    return [finding.place.path for finding in judged(graph, policy).findings]


def test_an_edge_that_is_taken_on_an_error_or_when_a_loop_is_used_up_is_an_edge_to_every_rule() -> None:
    found = places(edge_rule("deny", "tool.* -> control.fail"))
    assert found == [("edges", 2, "loop", "exhausted"), ("edges", 3, "target")]
    assert judged(LOOP, edge_rule("deny", "tool.* -> control.fail")).verdict == "refused"


def test_the_end_that_a_loop_leads_to_when_nothing_is_said_is_an_edge_too() -> None:
    graph = LOOP.replace(', exhausted = "sorry"', "")
    found = places(edge_rule("deny", "tool.* -> __end__"), graph)
    assert found == [("edges", 1, "target"), ("edges", 2, "loop", "exhausted")]


def test_whoever_is_asked_before_an_edge_is_asked_before_where_a_used_up_loop_leads() -> None:
    admission = judged(LOOP, edge_rule("ask", "tool.* -> control.fail"))
    assert admission.verdict == "needs_approval"
    assert [asked.before for asked in admission.approvals] == ["sorry"]


def test_the_record_counts_rounds_and_attempts() -> None:
    admission = judged(LOOP, OPEN)
    assert codes(admission) == []
    worst = record(admission)["worst_case"]
    assert isinstance(worst, dict)
    # Three rounds of one activation and two attempts, then the failure; two supersteps a round and one at the end.
    assert worst["total"] == {"tokens": 0, "usd": 0, "seconds": 0, "iterations": 10, "steps": 7}
    assert [each["iterations"] for each in worst["nodes"].values()] == [3, 6, 1]  # pyright: ignore


def test_what_a_condition_reads_is_ordered_like_what_a_node_reads() -> None:
    admission = judged(LOOP + beside("[topic]", "notes"), OPEN)
    found = [problem for problem in admission.flow.problems if isinstance(problem, UnorderedAccess)]
    assert [(problem.field, problem.writer, problem.reader) for problem in found] == [("notes", "beside", "read")]
    (finding,) = admission.findings
    assert (finding.code, finding.place.path) == ("unordered_reader", ("edges", 1, "when"))
    assert finding.place.within is not None
    assert finding.place.within.start == len("size(")


def test_progress_is_read_and_a_failure_is_written_as_anything_else() -> None:
    progress = LOOP.replace("max_rounds = 3", 'max_rounds = 3, progress = ["notes"]').replace(
        'when = "size(notes) > 5"', "when = \"topic != ''\""
    )
    notes = judged(progress + beside("[topic]", "notes"), OPEN)
    assert [finding.place.path for finding in notes.findings] == [("edges", 2, "loop", "progress")]
    (finding,) = judged(progress + beside("null", "failure"), OPEN).findings
    assert finding.code == "unordered_writers"
    assert {finding.place.path, finding.related[0].place.path} == {
        ("edges", 3, "into"),
        ("nodes", 3, "writes", "result"),
    }


def test_a_condition_of_the_start_reads_inputs_and_defaults_alone() -> None:
    graph = """
[state]
topic = "string"
result = { type = "string", default = "", output = true }
[[nodes]]
name = "say"
kind = "control.set"
reads = { value = "'x'" }
writes = { result = "result" }
[[edges]]
source = "__start__"
target = "say"
when = "topic == 'x'"
[[edges]]
source = "__start__"
target = "__end__"
otherwise = true
[[edges]]
chain = ["say", "__end__"]
"""
    (finding,) = judged(graph).findings
    assert (finding.code, finding.subject, finding.place.path) == (
        "read_before_write",
        "__start__",
        ("edges", 0, "when"),
    )
    assert codes(judged(graph.replace('topic = "string"', 'topic = { type = "string", input = true }'))) == []


def test_after_an_error_edge_what_the_node_would_have_written_is_not_there() -> None:
    graph = """
[state]
path = { type = "string", input = true }
text = "string"
shown = { type = "string", output = true }
[[nodes]]
name = "read"
kind = "tool.read_file"
[[nodes]]
name = "show"
kind = "control.set"
reads = { value = "text" }
writes = { result = "shown" }
[[edges]]
chain = ["__start__", "read", "show", "__end__"]
[[edges]]
source = "read"
target = "TARGET"
on = "error"
"""
    assert codes(judged(graph.replace("TARGET", "show"))) == ["read_before_write"]
    assert codes(judged(graph.replace("TARGET", "__end__"))) == ["output_not_written"]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("max_rounds = 1", ["single_round"]),
        ("max_rounds = 3, patience = 2", ["idle_patience"]),
        ('max_rounds = 3, exhausted = "read"', ["exhausted_into_body"]),
        ('max_rounds = 3, exhausted = "__start__"', ["sentinel_wrong_direction"]),
        ('max_rounds = 3, exhausted = "nobody"', ["unknown_edge_endpoint"]),
        ('max_rounds = 3, progress = ["nots"]', ["unknown_field"]),
        ("max_rounds = 0", ["out_of_range"]),
        ("patience = 1", ["missing_key"]),
    ],
)
def test_one_fault_of_a_loop_is_told_once(loop: str, expected: list[str]) -> None:
    assert codes(judged(LOOP.replace('max_rounds = 3, exhausted = "sorry"', loop), OPEN)) == expected


def test_a_cycle_says_which_edge_could_be_a_loop() -> None:
    graph = LOOP.replace('loop = { max_rounds = 3, exhausted = "sorry" }\n', "")
    (finding,) = judged(graph, OPEN).findings
    assert finding.code == "cycle"
    assert (finding.values["back"], finding.values["head"]) == ("read", "draft")
    assert finding.place.path == ("edges", 2, "target")
    two_doors = graph.replace('chain = ["__start__", "draft", "read"]', 'chain = ["draft", "read"]') + (
        '[[edges]]\nchain = ["__start__", "draft"]\n[[edges]]\nchain = ["__start__", "read"]\n'
    )
    (finding,) = judged(two_doors, OPEN).findings
    assert (finding.code, "back" in finding.values) == ("cycle", False)
