"""Arguments that are expressions, documents or deep inside of tables, and what schemas may say beside types."""

from __future__ import annotations

import json

import pytest

from grapharc.spec.canonical import digest
from grapharc.spec.json_value import Json
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.meaning import graph_meaning
from tests.linking.project import linked, said
from tests.linking.shelf import SHELF

KIND = """
[[kind]]
name = "special"
entry = "kinds.py:special"
capabilities = []

[kind.args]
type = "object"
properties.when = { type = "string", format = "expression" }
properties.plan = { type = "string", format = "document-path" }
properties.steps = { type = "array", items = { '$ref' = "#/$defs/step" } }
properties.since = { type = "string", format = "date-time" }
properties.home = { type = "string", format = "uri" }
properties.find = { type = "string", format = "regex" }
'$defs'.step = { '$anchor' = "step", type = "object", properties.say = { type = "string", format = "template" } }
"""


def special(args: str, **files: str) -> LinkedGraph:
    graph = (
        f'state = {{ count = "integer", name = "string" }}\n[[nodes]]\nname = "n"\nkind = "special"\nargs = {args}\n'
    )
    registry = '[[use]]\nfrom = "special.toml"\nkind = "special"'
    others = {f"{name}.md": text for name, text in files.items()}
    return linked({**SHELF, "special.toml": KIND, "registry.toml": registry, "graph.toml": graph, **others})


def faults(args: str) -> list[str]:
    found = special(args)
    return [line.removeprefix("graph.toml:") for line in said(found.findings, found.texts)]


def test_an_expression_reads_state_and_is_told_of_within_its_text() -> None:
    found = special("{ when = \"count > 3 && name != ''\" }")
    assert found.findings == ()
    assert found.nodes["n"].fields_read == ("count", "name")
    assert [argument.path for argument in found.nodes["n"].expressions] == [("when",)]
    assert faults('{ when = "cuont > 3" }') == [
        "5:18: 'cuont' is no field that can be read here, did you mean 'count'? [unknown_name]"
    ]


def test_a_named_document_is_resolved_and_its_text_is_part_of_the_meaning() -> None:
    found = special('{ plan = "./plan.md" }', plan="first")
    assert found.findings == ()
    assert found.nodes["n"].args == {"plan": "plan.md"}
    assert found.files == {"plan.md": "first"}
    changed = special('{ plan = "./plan.md" }', plan="second")
    assert digest(graph_meaning(found)) != digest(graph_meaning(changed))
    assert faults('{ plan = "none.md" }') == ["5:17: 'none.md' cannot be read: no such file [document_unreadable]"]


def test_templates_stand_at_any_depth() -> None:
    found = special('{ steps = [{ say = "{count}" }, { say = { file = "two.md" } }, {}] }', two="{name}!")
    assert found.findings == ()
    assert [template.path for template in found.nodes["n"].templates] == [("steps", 0, "say"), ("steps", 1, "say")]
    assert found.nodes["n"].args == {"steps": [{"say": "{count}"}, {"say": "{name}!"}, {}]}
    assert [read.port for read in found.nodes["n"].reads] == ["count", "name"]


@pytest.mark.parametrize(
    ("args", "is_right"),
    [
        ('{ since = "2027-01-01T00:00:00Z" }', True),
        ('{ since = "2027-01-01" }', False),
        ('{ home = "https://example.org/a" }', True),
        ('{ home = "not a uri" }', False),
        ('{ find = "a+" }', True),
        ('{ find = "(?=a)" }', False),
    ],
)
def test_the_formats_of_json_schema_are_held_to(args: str, is_right: bool) -> None:
    assert (faults(args) == []) == is_right


def test_a_file_larger_than_a_document_may_be_is_not_read_into_a_prompt() -> None:
    found = special('{ plan = "large.md" }', large="x" * (16 * 1024 * 1024 + 1))
    assert said(found.findings, found.texts)[0].endswith(
        "cannot be read: it is larger than 16 MiB [document_unreadable]"
    )


@pytest.mark.parametrize(
    ("schema", "codes"),
    [
        ({"properties": {"a": {"$ref": "#step"}}, "$defs": {"s": {"$anchor": "step"}}}, set()),
        ({"properties": {"a": {"$ref": "#other"}}}, {"unresolved_reference"}),
        ({"anyOf": [{"type": "object"}], "properties": {"a": {"$ref": "#/anyOf/0"}}}, set()),
        ({"anyOf": [{"type": "object"}], "properties": {"a": {"$ref": "#/anyOf/x"}}}, {"unresolved_reference"}),
        ({"patternProperties": {"^a": {}}, "unevaluatedProperties": False}, {"unknown_schema_keyword"}),
        ({"patternProperties": {"(": {}}}, {"bad_pattern"}),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, {"args_schema_invalid"}),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, set()),
        ({"properties": {"a": {"type": ["string", "nul"]}}}, {"args_schema_invalid"}),
        ({"properties": {"a": {"enum": "low"}}}, {"args_schema_invalid"}),
        ({"properties": {"a": {"minimum": "1"}}}, {"args_schema_invalid"}),
        ({"dependentSchemas": {"a": {"$ref": "#"}}}, {"circular_reference"}),
        ({"if": {"$ref": "#"}, "then": {}}, {"circular_reference"}),
        ({"properties": {"a": True, "b": False}}, set()),
    ],
)
def test_what_a_schema_may_say(schema: dict[str, Json], codes: set[str]) -> None:
    kind: Json = {"name": "k", "entry": "k.py:f", "capabilities": [], "args": {"type": "object", **schema}}
    registry = '[[use]]\nfrom = "k.json"\nkind = "k"'
    texts = {**SHELF, "k.json": json.dumps({"kind": [kind]}), "registry.toml": registry, "graph.toml": "nodes = []"}
    assert {finding.code for finding in linked(texts).findings} - {"unknown_kind"} == codes
