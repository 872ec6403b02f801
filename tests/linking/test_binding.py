"""Ports are bound to expressions and fields, with the types that they have."""

from __future__ import annotations

import pytest

from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.checked import whole_field
from grapharc.spec.expressions.syntax import Name
from grapharc.spec.source import Span
from grapharc.spec.types import INTEGER, show
from tests.linking.graphs import faults, graph, node
from tests.linking.project import linked, said
from tests.linking.shelf import SHELF


def test_ports_without_a_binding_bind_to_the_field_of_their_name() -> None:
    found = graph("""
[state]
claims = { type = "list[Cited]", input = true }
source = { type = "string", input = true }
accepted = { type = "list[Cited]", default = [], reducer = "union" }
[types.Cited]
text = "string"
citation = "string"
page = "integer"
[[nodes]]
name = "check"
kind = "verify.anchor"
reads = { source_text = "source + goal" }
""")
    check = found.nodes["check"]
    assert said(found.findings, found.texts) == []
    assert [(read.port, read.expression.text, read.fields, read.implicit) for read in check.reads] == [
        ("claims", "claims", ("claims",), True),
        ("source_text", "source + goal", ("goal", "source"), False),
    ]
    assert [(write.port, write.field, write.implicit) for write in check.writes] == [("accepted", "accepted", True)]
    assert show(check.variables["T"]) == "Cited"


def test_a_node_with_writes_writes_exactly_that() -> None:
    text = '[[nodes]]\nname = "n"\nkind = "verify.anchor"\nreads = { source_text = "source" }\n'
    state = '[state]\nsource = "string"\nclaims = "list[Claim]"\naccepted = "list[Claim]"\nkept = "list[Claim]"\n'
    none = graph(f"{state}{text}writes = {{}}")
    assert (none.findings, none.nodes["n"].writes) == ((), ())
    one = graph(f'{state}{text}writes = {{ rejected = "kept" }}')
    assert [(write.port, write.field) for write in one.nodes["n"].writes] == [("rejected", "kept")]


def test_an_input_with_a_default_needs_no_field() -> None:
    found = node('[[nodes]]\nname = "n"\nkind = "model.call"\nargs = { role = "writer", prompt = "Hello" }')
    assert found.reads == ()


def test_what_a_variable_means_is_told_by_the_field_it_goes_to_where_no_input_tells_it() -> None:
    extract = """
[[kind]]
name = "extract"
entry = "kinds.py:extract"
capabilities = []
writes.value = "T"
"""
    graph_text = (
        '[state]\nplan = "list[Claim] | null"\n[[nodes]]\nname = "n"\nkind = "extract"\nwrites = { value = "plan" }'
    )
    registry = '[[use]]\nfrom = "extract.toml"\nkind = "extract"'
    found = linked({**SHELF, "extract.toml": extract, "registry.toml": registry, "graph.toml": graph_text})
    assert found.findings == ()
    assert show(found.nodes["n"].variables["T"]) == "list[Claim]"


def test_a_value_that_may_be_null_can_be_handed_on_to_a_field_that_may_be() -> None:
    state = '[state]\nold = "Claim | null"\nnew = "Claim | null"\nsure = "Claim"\n'
    work = '[[nodes]]\nname = "n"\nkind = "control.set"\nreads.value = "old"\nwrites.result = "{}"'
    assert faults(state + work.format("new")) == []
    assert [line.rpartition("[")[2] for line in faults(state + work.format("sure"))] == ["write_type_mismatch]"]


@pytest.mark.parametrize(
    ("binding", "fault"),
    [
        (
            'reads.source_text = "sorce"',
            "'sorce' is no field that can be read here, did you mean 'source'? [unknown_name]",
        ),
        (
            'reads.source_txt = "source"',
            "kind 'verify.anchor' has no port 'source_txt' here, did you mean 'source_text'?",
        ),
        ('reads.source_text = "claims"', "'claims' is list[Claim], where string is asked for [wrong_result]"),
        (
            'reads.claims = "[source]"\nreads.source_text = "source"',
            "port 'claims' of 'verify.anchor' takes 'list[Claim]', and what it reads is",
        ),
        (
            'reads.source_text = "source"\nwrites.accepted = "acepted"',
            "there is no field 'acepted', did you mean 'accepted'?",
        ),
        (
            'reads.source_text = "source"\nwrites.acepted = "accepted"',
            "kind 'verify.anchor' has no port 'acepted' here, did you mean 'accepted'?",
        ),
        (
            'reads.source_text = "source"\nwrites.verdicts = "accepted"',
            "port 'verdicts' of 'verify.anchor' gives 'list[Verdict]', and field",
        ),
        (
            'reads.source_text = "source"\nwrites = { accepted = "accepted", rejected = "accepted" }',
            "ports 'accepted' and 'rejected' both go to",
        ),
        ("", "input port 'source_text' of 'verify.anchor' is bound to nothing: no field has its name [unbound_port]"),
    ],
)
def test_a_binding_that_does_not_hold_is_told_where_it_is_written(binding: str, fault: str) -> None:
    state = '[state]\nsource = "string"\nclaims = "list[Claim]"\naccepted = "list[Claim]"\n'
    found = faults(f'{state}[[nodes]]\nname = "n"\nkind = "verify.anchor"\n{binding}\n')
    told = [line.partition(": ")[2] for line in found]
    assert any(line.startswith(fault) for line in told)
    # A port that is misspelt leaves the one that was meant unbound, which follows from nothing else.
    assert len(told) == (2 if "source_txt" in binding else 1)


def test_a_whole_field_is_what_the_checker_would_make_of_its_name() -> None:
    tree = Name("count", Span(0, 5))
    assert check(tree, "count", {"count": INTEGER}) == (whole_field("count", INTEGER), ())


def test_a_budget_is_what_was_set_of_it() -> None:
    found = graph(
        "[budget]\nmax_tokens = 100_000\nmax_usd = 0.5\n[[nodes]]\nname='n'\nkind='tool.grep'\nreads.pattern='goal'"
    )
    assert (found.budget.max_tokens, found.budget.max_usd, found.budget.max_seconds) == (100_000, 0.5, None)
