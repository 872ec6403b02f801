"""What is told of two texts of a graph: one change, its category, its direction and its words."""

from __future__ import annotations

import pytest

from tests.gate.pairs import compared, told

BASE = """
name = "answer"
[state]
question = { type = "string", input = true, labels = ["untrusted"] }
draft = "string"
answer = { type = "string", output = true, default = "none" }
shards = { type = "list[string]", default = [] }
seen = { type = "list[string]", default = [] }
failure = "Failure | null"
[budget]
max_iterations = 50
[[nodes]]
name = "write"
kind = "control.set"
reads = { value = "question" }
writes = { result = "draft" }
[[nodes]]
name = "polish"
kind = "control.set"
reads = { value = "draft" }
writes = { result = "answer" }
[[nodes]]
name = "each"
kind = "control.set"
reads = { value = "shard" }
writes = { result = "seen" }
map = { over = "shards", as = "shard", max_items = 4, concurrency = 2 }
retry = { max_attempts = 2 }
timeout_seconds = 9
[[edges]]
chain = ["__start__", "write", "polish"]
[[edges]]
source = "polish"
target = "each"
when = "answer == 'good'"
[[edges]]
source = "polish"
target = "write"
otherwise = true
loop = { max_rounds = 3, progress = ["draft"] }
"""

CASES: list[tuple[str, str, str, list[str]]] = [
    ('"polish"', '"shine"', "topology", ["neutral: node 'polish' is called 'shine' now"]),
    ('name = "answer"', 'name = "reply"', "topology", ["neutral: the graph is called 'reply', and was 'answer'"]),
    (
        "when = \"answer == 'good'\"",
        "when = \"answer == 'fine'\"",
        "topology",
        ["incomparable: the edge polish -> each is taken when answer == 'fine', and was when answer == 'good'"],
    ),
    (
        'progress = ["draft"]',
        'progress = ["draft", "answer"]',
        "topology",
        ["widens: the loop of 'write' looks for progress in [answer, draft], and did in [draft]"],
    ),
    (
        'progress = ["draft"] }',
        'progress = ["draft"], exhausted = "__end__" }',
        "topology",
        ["neutral: a run that the loop polish -> write ends when it is used up is finished, and was capped"],
    ),
    (
        'progress = ["draft"] }',
        'progress = ["draft"], exhausted = "each" }',
        "topology",
        [
            "widens: the edge polish -> each is new, taken when its loop is used up",
            "narrows: the edge polish -> __end__ is gone, taken when its loop is used up",
            "neutral: a run that the loop polish -> write ends when it is used up is finished, and was capped",
        ],
    ),
    (
        "concurrency = 2 }",
        'concurrency = 2, on_item_error = "collect" }',
        "topology",
        [
            "incomparable: node 'each' runs for each item over shards as shard, collecting failures, "
            "and did over shards as shard, failing with an item"
        ],
    ),
    (
        "retry = { max_attempts = 2 }",
        'retry = { max_attempts = 2, on = ["timeout"] }',
        "topology",
        [
            "neutral: node 'each' is tried again after timeout, waiting 0 s, "
            "and was after timeout, unavailable, rate_limited, error, waiting 0 s"
        ],
    ),
    (
        "retry = { max_attempts = 2 }",
        "retry = { max_attempts = 4 }",
        "cost",
        [
            "widens: node 'each' is tried 4 times, and was 2 times",
            "widens: a run may take 22 iterations at worst, and 14 before",
        ],
    ),
    (
        "max_rounds = 3",
        "max_rounds = 2",
        "cost",
        [
            "narrows: the loop of 'write' may go 2 rounds, and 3 before",
            "narrows: a run may take 12 iterations at worst, and 14 before",
            "narrows: a run may take 5 steps at worst, and 7 before",
        ],
    ),
    ("timeout_seconds = 9\n", "", "cost", ["widens: an attempt of node 'each' may now take any time, and 9 s before"]),
    (
        "max_iterations = 50",
        "max_iterations = 60",
        "cost",
        ["widens: a run is stopped at max_iterations = 60, and was at 50"],
    ),
    (
        'draft = "string"',
        'draft = "string | null"',
        "state",
        [
            "widens: field 'draft' is string | null, and was string",
            "incomparable: field 'draft' now has the default null",
        ],
    ),
    (
        'draft = "string"',
        'draft = "string"\nspare = "integer"',
        "state",
        ["widens: field 'spare' is new, integer"],
    ),
    (
        'default = "none"',
        'default = "nothing"',
        "state",
        ['incomparable: the default of field \'answer\' is "nothing", and was "none"'],
    ),
    (
        'seen = { type = "list[string]", default = [] }',
        'seen = { type = "list[string]", default = [], output = true, reducer = "append" }',
        "state",
        [
            "widens: field 'seen' is now an output",
            "incomparable: a second write to field 'seen' is met by append, and was by last",
        ],
    ),
    (
        'reads = { value = "draft" }',
        'reads = { value = "draft + question" }',
        "state",
        ["widens: node 'polish' reads [value = draft + question], and read [value = draft]"],
    ),
    (
        ', labels = ["untrusted"]',
        "",
        "authority",
        [
            "widens: field 'question' no longer labels what is written 'untrusted'",
            "narrows: data labelled 'untrusted' can no longer reach control.set",
            "narrows: data labelled 'untrusted' can no longer reach the outputs of the run",
        ],
    ),
]


@pytest.mark.parametrize(("old", "new", "category", "said"), CASES)
def test_one_change_is_told(old: str, new: str, category: str, said: list[str]) -> None:
    assert BASE.count(old)
    found = compared(BASE, BASE.replace(old, new))
    assert sorted(told(found, category)) == sorted(said)


AUTHORITY = """
[state]
question = { type = "string", input = true, labels = ["untrusted"] }
text = "string"
[[nodes]]
name = "think"
kind = "control.set"
reads = { value = "question" }
writes = { result = "text" }
[[nodes]]
name = "save"
kind = "tool.write_file"
reads = { path = "'out.md'", text = "text" }
args = { root = "reports" }
[[edges]]
chain = ["__start__", "think", "save", "__end__"]
"""
READ = """
[[nodes]]
name = "look"
kind = "tool.read_file"
reads = { path = "'in.md'" }
writes = { text = "text" }
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"reports"', '"."', ["widens: argument 'root' of 'save', a tool.write_file, is ., and was reports"]),
        ('"reports"', '"a"', ["incomparable: argument 'root' of 'save', a tool.write_file, is a, and was reports"]),
        (
            '"reports"',
            '"reports/today"',
            ["narrows: argument 'root' of 'save', a tool.write_file, is reports/today, and was reports"],
        ),
        (
            "\"'out.md'\"",
            '"text"',
            ["incomparable: port 'path' of 'save', a tool.write_file, is text, and was 'out.md'"],
        ),
        (
            '"question" }',
            "\"'fixed'\" }",
            [
                "narrows: data labelled 'untrusted' can no longer reach control.set",
                "narrows: data labelled 'untrusted' can no longer reach tool.write_file",
                "narrows: data of the inputs of the run can no longer reach control.set",
                "narrows: data of the inputs of the run can no longer reach tool.write_file",
            ],
        ),
    ],
)
def test_what_a_node_is_given_is_authority(old: str, new: str, said: list[str]) -> None:
    assert old in AUTHORITY
    assert told(compared(AUTHORITY, AUTHORITY.replace(old, new)), "authority") == said


def test_a_kind_more_is_told_with_what_it_touches_and_what_it_reaches() -> None:
    found = compared(AUTHORITY, AUTHORITY.replace('"__start__", "think"', '"__start__", "look", "think"') + READ)
    assert told(found, "authority") == [
        "widens: the graph can now touch 'read_files', in node 'look'",
        "widens: the graph now reaches kind 'tool.read_file', which touches read_files",
        "widens: tool.read_file can now reach control.set by look -> think",
        "widens: tool.read_file can now reach tool.write_file by look -> think -> save",
        "widens: data of tool.read_file can now reach tool.write_file by look -> text -> save",
    ]


def test_a_new_graph_widens_and_a_gone_one_narrows() -> None:
    assert "widens: the graph is new" in told(compared(None, AUTHORITY), "topology")
    assert "narrows: the graph is gone" in told(compared(AUTHORITY, None), "topology")
    widened = [line for line in told(compared(None, AUTHORITY), "authority") if line.startswith("widens")]
    assert "widens: the graph can now touch 'write_files', in node 'save'" in widened
    assert "widens: control.set can now reach tool.write_file by think -> save" in widened


def test_a_field_is_not_called_otherwise_with_a_node_of_its_name() -> None:
    text = AUTHORITY.replace('"think"', '"text"')
    assert (
        told(
            compared(text, text.replace('name = "text"', 'name = "idea"').replace('"text", "save"', '"idea", "save"')),
            "state",
        )
        == []
    )
