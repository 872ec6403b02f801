"""One fault is told once: nothing is said that merely follows from it, and what has nothing to do with it is."""

from __future__ import annotations

import pytest

from tests.linking.graphs import REGISTRY, graph
from tests.linking.project import linked
from tests.linking.shelf import SHELF

OTHER = '[[nodes]]\nname = "other"\nkind = "triagee"\n'
"""A fault that has nothing to do with any other."""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # a field that could not be made out: whoever reads or writes it
        (
            'state = { f = "strng" }\n[[nodes]]\nname = "n"\nkind = "control.set"\n'
            'reads.value = "f + \'a\'"\nwrites.result = "f"',
            "unknown_type",
        ),
        (
            'state = { pattern = { type = "string", reducr = "last" } }\n[[nodes]]\nname = "n"\nkind = "tool.grep"',
            "unknown_key",
        ),
        (
            'state = { f = 3 }\n[[nodes]]\nname = "n"\nkind = "model.call"\nargs = { role = "writer", prompt = "{f}" }',
            "wrong_type",
        ),
        # a type that could not be made out: fields of it
        ('types = { A = "strng" }\nstate = { a = "A", b = "list[A]" }', "unknown_type"),
        ('types = { A = { a = "A" } }\nstate = { a = "A" }', "recursive_type"),
        # arguments that are not a table: what they should hold
        ('state = { x = "string" }\n[[nodes]]\nname = "n"\nkind = "model.call"\nargs = 3', "wrong_type"),
        ('state = { x = "string" }\n[[nodes]]\nname = "n"\nkind = "tool.grep"\nreads = "x"', "wrong_type"),
        ('state = { x = "string" }\n[[nodes]]\nname = "n"\nkind = "tool.grep"\nreads.pattern = 3', "wrong_type"),
        # a template that cannot be read: its length, its type
        (
            'state = { x = "string" }\n[[nodes]]\nname = "n"\nkind = "model.call"\n'
            'args = { role = "writer", prompt = { file = "none.md" } }',
            "document_unreadable",
        ),
        # a node that could not be made out: edges to it
        (
            '[[nodes]]\nname = "n"\nkind = 3\n[[edges]]\nchain = ["__start__", "n"]',
            "wrong_type",
        ),
        (
            '[[nodes]]\nname = "bad name"\nkind = "tool.grep"\nreads.pattern = "goal"\n'
            '[[edges]]\nchain = ["__start__", "bad name"]',
            "invalid_name",
        ),
        ('[[nodes]]\nnam = "n"\nkind = "tool.grep"\n[[edges]]\nchain = ["__start__", "n"]', "unknown_key"),
        # an unknown kind: its arguments and bindings
        (
            '[[nodes]]\nname = "n"\nkind = "nothing.known"\nargs = { a = 1 }\n'
            'reads = { b = "c" }\nwrites = { d = "e" }',
            "unregistered_node",
        ),
        # a wrong input: the outputs that share its type variable
        (
            'state = { claims = "list[string]", source_text = "string", accepted = "list[Claim]" }\n'
            '[[nodes]]\nname = "n"\nkind = "verify.anchor"',
            "read_type_mismatch",
        ),
    ],
)
def test_a_fault_is_told_alone_and_beside_others(text: str, code: str) -> None:
    assert {finding.code for finding in graph(text).findings} == {code}
    assert {finding.code for finding in graph(f"{text}\n{OTHER}").findings} == {code, "unregistered_node"}


@pytest.mark.parametrize(
    ("registry", "code"),
    [
        ('[[use]]\nfrom = "none.toml"\nkind = "min*"', "document_unreadable"),
        ('[[use]]\nfrom = "kinds/triage.toml"\nkind = "mine"', "unknown_kind"),
        ('[[use]]\nkind = "tool.grep"\nas = "mine"\nversoin = "1"', "unknown_key"),
        ('[[use]]\nfrom = "mine.toml"\nkind = "mine"', "unknown_type"),
        ('[[use]]\nfrom = "graph.toml"\nkind = "*"', "wrong_document"),
        ('extends = "none.toml"\n[[use]]\nkind = "tool.grep"', "document_unreadable"),
    ],
)
def test_a_graph_is_not_blamed_for_its_registry(registry: str, code: str) -> None:
    mine = '[[kind]]\nname = "mine"\nentry = "mine.py:f"\ncapabilities = []\nreads.a = "strng"\n'
    graph_text = (
        '[[nodes]]\nname = "n"\nkind = "mine"\nreads.pattern = "\'x\'"\n[[edges]]\nchain = ["__start__", "n"]\n'
    )
    found = linked({**SHELF, "registry.toml": registry, "mine.toml": mine, "graph.toml": graph_text})
    assert {finding.code for finding in found.findings} == {code}


def test_a_role_or_a_shared_field_that_is_broken_is_not_missed() -> None:
    registry = REGISTRY.replace('writer = "openai/gpt-4o-mini"', "writer = 3").replace(
        '"string", input', '"strng", input'
    )
    text = '[[nodes]]\nname = "n"\nkind = "model.call"\nargs = { role = "writer", prompt = "{goal}" }\n'
    found = linked({**SHELF, "registry.toml": registry, "graph.toml": text})
    assert sorted(finding.code for finding in found.findings) == ["unknown_type", "wrong_type"]
    assert found.unbound == {"n"}


@pytest.mark.parametrize(
    "text",
    [
        '[state]\nf = "string\n[[nodes]]\nname = "n"\nkind = "tool.grep"\nreads.pattern = "f"',
        '[[nodes]]\nname = "n\nkind = "tool.grep"\nreads.pattern = "goal"\n[[edges]]\nchain = ["__start__", "n"]',
        '[[nodes]]\nname = "n"\nkind = "tool.grep\nreads.pattern = "goal"\n[[edges]]\nchain = ["__start__", "n"]',
        '[types]\nA = "string\n[state]\nf = "A"',
    ],
)
def test_after_a_syntax_error_nothing_is_missed_that_it_swallowed(text: str) -> None:
    assert not {finding.code for finding in graph(text).findings} & {
        "unknown_name",
        "unregistered_node",
        "unknown_edge_endpoint",
        "unknown_type",
    }


def test_what_was_left_out_is_named() -> None:
    found = graph("""
state = { f = "strng", g = "string" }
[[nodes]]
name = "unknown"
kind = "nothing.known"
[[nodes]]
name = "half"
kind = "control.set"
reads.value = "f"
[[nodes]]
name = "whole"
kind = "control.set"
reads.value = "g"
[[edges]]
chain = ["__start__", "whole", "nowhere"]
""")
    assert found.unlinked == {"unknown"}
    assert found.unbound == {"half"}
    assert found.missing_fields == {"f"}
    assert found.missing_edges
