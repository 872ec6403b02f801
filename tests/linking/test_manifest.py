"""Kind manifests: what a kind is, and what is said of one that does not hold together."""

from __future__ import annotations

import json

import pytest

from grapharc.spec.memo import Memo
from grapharc.spec.offers import Kind
from grapharc.spec.read import read_manifest
from grapharc.spec.registry.manifest import Manifest, open_manifest
from grapharc.spec.types import MISSING, ListOf, Variable, show
from tests.linking.project import said
from tests.linking.shelf import OWN, SHIPPED


def manifest(text: str) -> Manifest:
    document, _ = read_manifest(text.encode(), "kinds.toml")
    return open_manifest(document, Memo())


def kind(text: str, name: str) -> Kind:
    found = manifest(text)
    assert found.findings == ()
    return found.kinds[name]


def faults(text: str) -> list[str]:
    found = manifest(text)
    return said(found.findings, {"kinds.toml": found.text})


def sort_out(lines: str) -> list[str]:
    """Faults of one kind that has these lines from its fifth line on."""
    return faults(f'[[kind]]\nname = "sort"\nentry = "kinds.py:sort"\ncapabilities = []\n{lines}\n')


def test_type_variables_are_bounded_wherever_they_stand() -> None:
    anchor = kind(SHIPPED, "verify.anchor")
    claim = anchor.reads["claims"].type
    assert isinstance(claim, ListOf)
    assert isinstance(claim.item, Variable)
    assert claim.item.bound is not None
    assert anchor.writes["accepted"].type == claim
    assert show(anchor.writes["verdicts"].type) == "list[Verdict]"


def test_a_manifest_sees_its_own_types_and_exports_them() -> None:
    found = manifest(OWN)
    assert list(found.types) == ["Ticket"]
    assert found.kinds["triage"].reads["ticket"].default is MISSING
    assert found.kinds["triage"].version == "3"


def test_a_kind_without_a_schema_takes_no_arguments() -> None:
    assert kind(OWN, "triage").args == {"type": "object", "additionalProperties": False}


@pytest.mark.parametrize("entry", ["kinds.py:sort", "team.kinds:sort", "a.b.c:_f", "sort-out.py:sort"])
def test_an_entry_is_a_function_of_a_package_or_of_a_file_beside_the_manifest(entry: str) -> None:
    assert faults(f'[[kind]]\nname = "sort"\nentry = "{entry}"\ncapabilities = []\n') == []


@pytest.mark.parametrize(
    "entry",
    ["sort", "kinds:sort", "kinds.py", "../kinds.py:sort", "sub/kinds.py:sort", "a.b:c.d", "a..b:c", ".py:f", "a.b:"],
)
def test_any_other_entry_is_refused(entry: str) -> None:
    assert faults(f'[[kind]]\nname = "sort"\nentry = "{entry}"\ncapabilities = []\n') == [
        f"kinds.toml:3:9: '{entry}' names no function [malformed_entry]"
    ]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('reads.text = "strnig"', "5:15: type 'strnig' is not declared, did you mean 'string'? [unknown_type]"),
        (
            'reads.text = { type = "string", format = "rol" }',
            "5:42: format 'rol' is unknown, did you mean 'role'? [unknown_format]",
        ),
        (
            'reads.count = { type = "integer", default = "3" }',
            "5:45: the default of 'count' is not of type 'integer': expected integer, found string '3'"
            " [default_does_not_fit]",
        ),
        (
            'reads.items = "list[T: Claim]"\nwrites = { kept = "list[T: Verdict]" }',
            "6:12: 'T' is bounded by 'Verdict' here and by 'Claim' elsewhere in the kind [variable_bounds_differ]",
        ),
        (
            'args = { type = "object", properties.ctx = { type = "string" } }',
            "5:38: 'ctx' is reserved [reserved_name]",
        ),
        (
            'args = { type = "object", properties.class = { type = "string" } }',
            "5:38: 'class' is reserved, it is a keyword of Python [reserved_name]",
        ),
        (
            'args = { type = "object", properties."max tokens" = { type = "integer" } }',
            "5:38: 'max tokens' cannot be a name here, 'max_tokens' could [invalid_name]",
        ),
        (
            'args = { type = "array" }',
            "5:17: the schema must be 'object' here, not string 'array' [args_schema_invalid]",
        ),
        (
            'args = { type = "object", properties.a = { type = "string", pattern = "(?=a)" } }',
            "5:71: '(?=a)' is no pattern: invalid perl operator: (?= [bad_pattern]",
        ),
        (
            'args = { type = "object", properties.a = { type = "integer", default = "a" } }',
            "5:72: the schema must be what its own schema wants here, not string 'a' [args_schema_invalid]",
        ),
        (
            'args = { type = "object", properties.a = { \'$ref\' = "#/$defs/a" } }',
            "5:53: '#/$defs/a' leads to nothing in the schema [unresolved_reference]",
        ),
        ("cost.tokens = -1", "5:15: 'tokens' is -1 and must be at least 0 [out_of_range]"),
        ('cost.tokens = "args.x"', "5:21: 'args' is a record of arguments, which has no field 'x' [unknown_member]"),
        ("cost.tokens = \"'a'\"", '5:16: \'"a"\' is "a", where number is asked for [wrong_result]'),
        (
            'reads.lines = "list[string]"\ncost.tokens = "size(line)"',
            "6:21: 'line' is no field that can be read here, did you mean 'lines'? [unknown_name]",
        ),
    ],
)
def test_a_faulty_kind_is_told_where_it_is_wrong(lines: str, fault: str) -> None:
    assert sort_out(lines) == [f"kinds.toml:{fault}"]


def test_a_broken_kind_is_not_offered_and_its_name_is_kept() -> None:
    found = manifest('[[kind]]\nname = "sort"\nentry = "kinds.py:sort"\ncapabilities = []\nreads.text = "strnig"\n')
    assert found.kinds == {}
    assert found.broken == {"sort"}


def test_a_lint_finding_breaks_no_kind() -> None:
    found = manifest('[[kind]]\nname = "ask"\nentry = "kinds.py:ask"\ncapabilities = ["model"]\ncost.tokens = 900\n')
    assert [finding.code for finding in found.findings] == ["model_kind_without_max_tokens"]
    assert list(found.kinds) == ["ask"]


def test_an_optional_argument_is_asked_for_before_a_cost_reads_it() -> None:
    lines = 'args = {{ type = "object", properties.n = {{ type = "integer" }} }}\ncost.tokens = "{}"'
    assert sort_out(lines.format("has(args.n) ? args.n : 5")) == []
    assert [line.rpartition("[")[2] for line in sort_out(lines.format("args.n"))] == ["absent_unguarded]"]


def test_the_example_of_the_contract_is_whole_but_for_a_bound_on_one_call() -> None:
    found = manifest("""
[types.Claim]
text = "string"
citation = "string"

[[kind]]
name = "verify.claims"
version = "1"
summary = "Check each claim's citation against its source, then ask an independent reviewer."
entry = "grapharc.stdlib_kinds.verification.claims:check_claims"
capabilities = ["model"]
labels = []
endorses = ["untrusted"]
idempotent = true

[kind.reads]
claims = "list[Claim]"
source_text = "string"

[kind.writes]
accepted = "list[Claim]"
verdicts = "list[Verdict]"

[kind.args]
type = "object"
additionalProperties = false
required = ["reviewer"]
properties.reviewer = { type = "string", format = "role" }
properties.max_claims = { type = "integer", default = 20, maximum = 200 }

[kind.cost]
tokens = "args.max_claims * 1500"
""")
    assert [finding.code for finding in found.findings] == ["model_kind_without_max_tokens"]
    assert list(found.kinds) == ["verify.claims"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"a": {"$ref": "#/$defs/a"}}},
        {"$defs": {"a": {"allOf": [{"$ref": "#"}]}}, "allOf": [{"$ref": "#/$defs/a"}]},
        {
            "$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(500)} | {"d500": {"type": "string"}},
            "$ref": "#/$defs/d0",
        },
    ],
)
def test_a_schema_that_leads_round_in_circles_never_reaches_a_value(schema: dict[str, object]) -> None:
    text = json.dumps(
        {"kind": [{"name": "k", "entry": "a.py:f", "capabilities": [], "args": {"type": "object", **schema}}]}
    )
    document, _ = read_manifest(text.encode(), "kinds.json")
    found = {finding.code for finding in open_manifest(document, Memo()).findings}
    assert found == {"circular_reference"}
