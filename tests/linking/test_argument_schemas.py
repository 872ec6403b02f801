"""What is plainly right by our own check is right by jsonschema, and what jsonschema finds is told with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.arguments.defaults import with_defaults
from grapharc.spec.arguments.formats import formatted, shape_of
from grapharc.spec.arguments.json_schema import errors_of, errors_of_schema
from grapharc.spec.arguments.misfits import misfits, plain_fit
from grapharc.spec.arguments.schema_check import schema_faults
from grapharc.spec.json_value import Json
from grapharc.spec.memo import Memo

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(-5, 5),
    st.sampled_from(["", "a", "ab", "aé", "b\n", "low", "high"]),
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
plain_schemas = st.recursive(
    st.one_of(
        st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(lambda name: {"type": name}),
        st.just({"type": ["string", "null"]}),
        st.just({"enum": ["low", "high"]}),
        st.just({"type": "string", "enum": ["a", "low"]}),
        st.just({"type": "string", "minLength": 1, "maxLength": 2, "format": "role"}),
        st.just({"type": "string", "pattern": "^a"}),
        st.just({"type": "string", "format": "date"}),
        st.just({"type": "integer", "minimum": 0, "exclusiveMaximum": 4}),
        st.just({"type": "number", "maximum": 2.5, "multipleOf": 0.5}),
        st.just({"const": 3}),
        st.just(True),
        st.just(False),
    ),
    lambda inner: st.one_of(
        inner.map(lambda item: {"type": "array", "items": item, "maxItems": 2}),
        inner.map(lambda item: {"type": "object", "additionalProperties": item}),
        inner.map(lambda item: {"type": "object", "properties": {"a": item}, "additionalProperties": False}),
        st.lists(inner, min_size=1, max_size=2).map(lambda arms: {"anyOf": arms}),
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from("abc"), plain_schemas), st.sets(st.sampled_from("abc")), st.data())
def test_what_is_plainly_right_is_right(properties: dict[str, Json], required: set[str], data: st.DataObject) -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        "additionalProperties": False,
    }
    assert errors_of_schema(schema) == []
    args = data.draw(st.dictionaries(st.sampled_from("abcd"), values, max_size=4))
    fit = plain_fit(schema)
    is_right = not errors_of(schema, args)
    if fit is not None and fit(args):
        assert is_right
    assert (misfits(schema, "s", args, Memo()) == ()) == is_right


def test_plain_schemas_are_plain() -> None:
    """Otherwise jsonschema, which takes long to load, would be asked about every new prompt."""
    schema: dict[str, Json] = {
        "type": "object",
        "additionalProperties": False,
        "required": ["role", "prompt"],
        "properties": {
            "role": {"type": "string", "format": "role", "description": "who"},
            "prompt": {"type": "string", "format": "template", "minLength": 1},
            "max_tokens": {"type": "integer", "default": 4096, "minimum": 1},
            "tools": {"type": "array", "items": {"type": "string", "format": "kind"}, "default": []},
            "level": {"enum": ["low", "high"]},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    }
    fit = plain_fit(schema)
    assert fit is not None
    assert fit({"role": "a", "prompt": "b", "tools": ["c"], "level": "low", "headers": {"d": "e"}})
    assert not fit({"role": "a"})
    assert not fit({"role": "a", "prompt": "b", "other": 1})


UNION: dict[str, Json] = {
    "type": "object",
    "properties": {
        "to": {
            "anyOf": [
                {"type": "string", "maxLength": 3},
                {"type": "object", "required": ["host"], "properties": {"port": {"type": "integer"}}},
            ]
        },
        "on": {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
        "many": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "contains": {"const": 1}},
        "none": {"enum": []},
    },
}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"to": "abcd"}, [(("to",), "", "", "at most 3 characters long")]),
        ({"to": {"port": "x"}}, [(("to",), "", "host", ""), (("to", "port"), "", "", "of type integer")]),
        ({"to": 3}, [(("to",), "", "", "what one of the 2 alternatives of the schema wants")]),
        ({"on": {"x-a": 1, "y": 2}}, [(("on", "y"), "y", "", "")]),
        ({"on": {"x-a": "1"}}, [(("on", "x-a"), "", "", "of type integer")]),
        ({"many": [1, 1]}, [(("many",), "", "", "free of duplicates")]),
        ({"none": 1}, [(("none",), "", "", "one of no values at all")]),
        ({"many": [2]}, [(("many",), "", "", "as 'contains' of the schema wants it")]),
    ],
)
def test_each_misfit_has_its_place_and_of_a_union_only_the_arm_that_was_meant_is_told(
    args: dict[str, Json], told: list[tuple[tuple[str, ...], str, str, str]]
) -> None:
    found = misfits(UNION, "s", args, Memo())
    assert [(misfit.path, misfit.unknown, misfit.missing, misfit.expected) for misfit in found] == told


def test_a_misfit_is_remembered_by_the_two_texts() -> None:
    memo = Memo()
    first = misfits(UNION, "s", {"to": 3}, memo)
    assert memo.changed
    assert misfits({}, "s", {"to": 3}, memo) == first
    assert misfits({}, "t", {"to": 3}, memo) == ()


def test_patterns_are_re2s_everywhere_in_a_schema() -> None:
    evil: dict[str, Json] = {
        "type": "object",
        "patternProperties": {"^(a+)+$": {"pattern": "(b+)+$"}},
        "additionalProperties": False,
    }
    args: dict[str, Json] = {"a" * 60: "b" * 60 + "c", "a" * 60 + "!": 1}
    assert len(misfits(evil, "s", args, Memo())) == 2


def test_a_recursive_schema_is_held_to_a_deep_value() -> None:
    tree: dict[str, Json] = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}
    deep: Json = {}
    for _ in range(60):
        deep = {"next": deep}
    assert isinstance(deep, dict)
    assert schema_faults(tree, Memo()) == ()
    assert misfits(tree, "s", deep, Memo()) == ()


def test_a_reference_is_never_fetched() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/s.json"}}}
    assert [fault.code for fault in schema_faults(schema, Memo())] == ["remote_reference"]


def test_strings_with_a_format_are_found_wherever_the_schema_puts_them() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "$defs": {
            "ask": {"properties": {"prompt": {"type": "string", "format": "template"}, "then": {"$ref": "#/$defs/ask"}}}
        },
        "properties": {
            "first": {"$ref": "#/$defs/ask"},
            "roles": {"type": "array", "prefixItems": [{"format": "role"}], "items": {"format": "kind"}},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "string", "format": "workspace-path"}]},
        },
        "patternProperties": {"^t_": {"format": "template"}},
        "additionalProperties": {"format": "role"},
    }
    args: dict[str, Json] = {
        "first": {"prompt": "a", "then": {"prompt": {"file": "b.md"}, "then": {"prompt": 3}}},
        "roles": ["r", "k", "l"],
        "maybe": "p",
        "t_x": "c",
        "other": "q",
    }
    assert [(path, format_) for path, format_, _ in formatted(shape_of(schema), args)] == [
        (("first", "prompt"), "template"),
        (("first", "then", "prompt"), "template"),
        (("roles", 0), "role"),
        (("roles", 1), "kind"),
        (("roles", 2), "kind"),
        (("maybe",), "workspace-path"),
        (("t_x",), "template"),
        (("other",), "role"),
    ]


def test_defaults_are_filled_in_at_every_depth_and_never_shared() -> None:
    schema: dict[str, Json] = {
        "properties": {
            "a": {"default": []},
            "b": {"properties": {"c": {"default": 1}}},
            "d": {"default": {}, "properties": {"e": {"default": 2}}},
            "f": {"default": 3},
        }
    }
    filled = with_defaults({"b": {}}, schema, ["f"])
    assert filled == {"a": [], "b": {"c": 1}, "d": {"e": 2}}
    assert with_defaults({}, schema)["a"] is not with_defaults({}, schema)["a"]
