"""Types and state: what names mean, and which types, defaults and reducers go together."""

from __future__ import annotations

import pytest

from grapharc.spec.types import MISSING, show
from tests.linking.graphs import faults, graph
from tests.linking.project import said


def test_fields_of_the_registry_and_of_the_graph_are_one_state() -> None:
    found = graph("""
[types]
Level = '"low" | "high"'
[types.Box]
level = { type = "Level", default = "low" }
count = { type = "integer", minimum = 0 }
[state]
box = { type = "Box", default = { count = 3 } }
maybe = "integer | null"
seen = { type = "list[Box]", default = [{ count = 1 }], reducer = "append" }
anything = "json"
[[nodes]]
name = "n"
kind = "control.set"
reads.value = "box.level"
""")
    assert said(found.findings, found.texts) == []
    assert list(found.fields) == ["goal", "box", "maybe", "seen", "anything"]
    assert found.fields["box"].default == {"level": "low", "count": 3}
    assert found.fields["seen"].default == [{"level": "low", "count": 1}]
    assert found.fields["maybe"].default is None
    assert found.fields["anything"].default is MISSING


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ('f = { type = "Boxx" }', "4:15: type 'Boxx' is not declared, did you mean 'Box'? [unknown_type]"),
        ('f = "list[Box"', "4:14: this is no type: expected a name, list[...]"),
        (
            'f = { type = "integer", default = 1.5 }',
            "4:35: the default of 'f' is not of type 'integer': expected integer",
        ),
        (
            'f = { type = "integer", reducer = "merge" }',
            "4:35: reducer 'merge' cannot put values of type 'integer' together",
        ),
        ('f = { type = "list[string]", reducer = "sum" }', "4:40: reducer 'sum' cannot put"),
        ('f = { type = "number | null", reducer = "max" }', "4:41: reducer 'max' cannot put"),
        ('f = { type = "integer", minLength = 2 }', "4:25: 'minLength' says nothing about type 'integer'"),
        ('f = { type = "string", pattern = "(" }', "4:34: '(' is no pattern"),
        ('f = { type = "string", maxLength = 2, default = "abc" }', "4:49: the default of 'f' is not of type 'string'"),
        ('f = "T"', "4:6: type 'T' is not declared [unknown_type]"),
        ('f = "str"', "4:6: type 'str' is not declared, did you mean 'string'? [unknown_type]"),
        ('f = "list"', "4:6: type 'list' is not declared, did you mean 'list[json]'? [unknown_type]"),
        ('f = "list[int]"', "4:11: type 'int' is not declared, did you mean 'integer'? [unknown_type]"),
        ('f = "list[T: Box]"', "4:5: type variable 'T' has no meaning here [type_variable_outside_kind]"),
    ],
)
def test_a_field_that_does_not_hold_together_is_told_once(field: str, fault: str) -> None:
    found = faults(
        f"types.Box.size = 'integer'\n\n[state]\n{field}\n\n"
        "[[nodes]]\nname = 'n'\nkind = 'tool.grep'\nreads.pattern = 'f'\n"
    )
    # The node reads the field: nobody is told what follows from a field that could not be made out.
    mine = [line for line in found if line.startswith("4:")]
    assert len(mine) == 1
    assert mine[0].startswith(fault)


def test_types_may_stand_in_any_order_and_a_graphs_own_come_first() -> None:
    found = graph("""
[types]
Tickets = "list[Ticket]"
[types.Ticket]
claim = "Claim"
[types.Claim]
text = "string"
[state]
tickets = "Tickets"
""")
    assert said(found.findings, found.texts) == []
    assert show(found.fields["tickets"].type) == "list[Ticket]"
    assert list(found.types) == ["Claim", "Ticket", "Tickets"]


def test_types_that_need_each_other_are_refused_and_what_needs_them_is_not_told() -> None:
    assert faults("""
[types.A]
b = "list[B]"
[types.B]
a = "A | null"
[types.C]
a = "A"
[state]
c = "C"
a = "A"
""") == ["2:8: type 'A' is made of itself [recursive_type]", "4:8: type 'B' is made of itself [recursive_type]"]


def test_a_long_chain_of_aliases_is_no_problem_and_a_deep_type_is_refused() -> None:
    names = "".join(f'T{n} = "T{n + 1}"\n' for n in range(2000))
    assert faults(f'[types]\n{names}T2000 = "string"\n[state]\nf = "T0"') == []
    deep = "".join(f'T{n} = "list[T{n + 1}]"\n' for n in range(2000))
    assert [line.rpartition("[")[2] for line in faults(f'[types]\n{deep}T2000 = "string"')] == ["type_too_large]"]
