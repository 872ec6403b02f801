"""Templates: what is a hole, what is literal, what is a fault, and what text comes out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.source import Span
from grapharc.spec.templates import Hole, parse_template, render


def test_ports_and_their_fields_are_holes() -> None:
    template, faults = parse_template("List {claims} of {source.text}.")
    assert faults == ()
    assert template.parts == (
        "List ",
        Hole("claims", None, Span(5, 13)),
        " of ",
        Hole("source", "text", Span(17, 30)),
        ".",
    )


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("plain", "plain"),
        ("", ""),
        ("{{ and }}", "{ and }"),
        ('{{"answer": {count}}}', '{"answer": 3}'),
        ("{{{name}}}", "{Ana}"),
        ("{name}{name}", "AnaAna"),
        ("{items}", '["b",1.5,null,true]'),
        ("{person.name} is {person.age}", "Bo is 7"),
        ("{person}", '{"age":7,"name":"Bo"}'),
    ],
)
def test_text_goes_in_as_it_is_and_other_values_as_canonical_json(text: str, rendered: str) -> None:
    template, faults = parse_template(text)
    values = {"name": "Ana", "count": 3, "items": ["b", 1.5, None, True], "person": {"name": "Bo", "age": 7}}
    assert faults == ()
    assert render(template, values) == rendered


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a {b", ("unmatched_brace", Span(2, 3))),
        ("a } b", ("unmatched_brace", Span(2, 3))),
        ("{}", ("malformed_hole", Span(0, 2))),
        ("{ port }", ("malformed_hole", Span(0, 8))),
        ("{a.b.c}", ("malformed_hole", Span(0, 7))),
        ('{"a": 1}', ("malformed_hole", Span(0, 8))),
        ("{items[0]}", ("malformed_hole", Span(0, 10))),
        ("{0}", ("malformed_hole", Span(0, 3))),
    ],
)
def test_what_is_no_template_is_named_and_placed(text: str, fault: tuple[str, Span]) -> None:
    assert parse_template(text)[1] == (fault,)


def test_every_fault_of_a_template_is_found() -> None:
    template, faults = parse_template("{ok} {} } {also}")
    assert [hole.port for hole in template.holes] == ["ok", "also"]
    assert [code for code, _ in faults] == ["malformed_hole", "unmatched_brace"]


@given(st.text())
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    template, faults = parse_template(text.replace("{", "{{").replace("}", "}}"))
    assert faults == ()
    assert render(template, {}) == text
