"""The conformance cases of CEL: every one that the subset has comes out as CEL says, the others are listed with why."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from math import isnan
from pathlib import Path

import pytest

from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.fault import ExpressionFault
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.memo import Memo
from grapharc.spec.subtype import join
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NEVER, NULL, NUMBER, STRING, ListOf, Member, Record, Type

CASES = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "cel" / "cases.json"
OUTSIDE = Path(__file__).with_name("outside.toml")

OUTSIDE_CODES = {
    "unsupported_literal": "unsigned integers and bytes",
    "record_key_not_constant": "maps with keys that are no strings",
    "unknown_function": "functions that the subset does not have",
    "wrong_argument_count": "macros with two variables",
    "unknown_name": "types as values, and names with dots",
}
"""The faults by which a text shows that it is CEL beyond the subset, and what of CEL that is."""


@cache
def cases() -> list[dict[str, object]]:
    return json.loads(CASES.read_text("utf-8")) if CASES.exists() else []


def value_of(tagged: object) -> tuple[object, Type]:
    """The value that a tagged value of the cases means, with its type."""
    assert isinstance(tagged, dict)
    [(tag, value)] = tagged.items()
    match tag:
        case "int":
            return int(value), INTEGER
        case "double":
            return float(value), NUMBER
        case "string":
            return value, STRING
        case "bool":
            return value, BOOLEAN
        case "null":
            return None, NULL
        case "list":
            items = [value_of(item) for item in value]
            type_: Type = NEVER
            for _, item in items:
                type_ = join(type_, item)
            return [item for item, _ in items], ListOf(type_)
        case "map":
            entries = [(value_of(key)[0], *value_of(item)) for key, item in value]
            members = tuple(Member(str(key), type_) for key, _, type_ in entries)
            return {key: item for key, item, _ in entries}, Record("", members)
        case _:
            raise ValueError(f"the subset has no {tag}")


def same(found: object, expected: object) -> bool:
    """Equality that tells 1 from 1.0 and from true, and 0.0 from -0.0, and takes NaN as equal to itself."""
    if isinstance(found, float) and isinstance(expected, float) and isnan(found) and isnan(expected):
        return True
    return repr(found) == repr(expected) or (
        isinstance(found, dict) and isinstance(expected, dict) and same(sorted(found.items()), sorted(expected.items()))
    )


def verdict(case: Mapping[str, object]) -> str:
    """``agrees``, the code by which a case is outside the subset, or how it differs."""
    text, expect = str(case["expr"]), case["expect"]
    assert isinstance(expect, dict)
    tree, faults = parse_expression(text, Memo())
    if outside := _outside(faults):
        return outside
    if tree is None:
        return "agrees" if "error" in expect else f"differs: {faults}"
    try:
        bound = {name: value_of(value) for name, value in dict(case.get("bindings") or {}).items()}
    except ValueError:
        return "unsupported_literal"
    faults = (
        () if case.get("disable_check") else check(tree, text, {name: type_ for name, (_, type_) in bound.items()})[1]
    )
    if outside := _outside(faults):
        return outside
    refusals = [fault.code for fault in faults if fault.code != "expression_dynamic"]
    if refusals and "error" in expect:
        return "agrees"
    if refusals:
        return f"differs: {faults}"
    return _evaluated(tree, text, {name: value for name, (value, _) in bound.items()}, expect)


def _outside(faults: tuple[ExpressionFault, ...]) -> str:
    return next((fault.code for fault in faults if fault.code in OUTSIDE_CODES), "")


def _evaluated(tree: Expression, text: str, scope: Mapping[str, object], expect: Mapping[str, object]) -> str:
    """Evaluate without types, as ``json`` is: what the checker let through must not depend on them here."""
    try:
        found = compile_expression(Checked(text, tree, JSON, (), (), {}, 0))(scope)
    except EvaluationError as error:
        return "agrees" if "error" in expect else f"differs: {error}"
    if "error" in expect:
        return f"differs: {found!r} and no error"
    expected, _ = value_of(expect["value"])
    return "agrees" if same(found, expected) else f"differs: {found!r}"


@pytest.mark.usefixtures("conformance")
def test_every_case_of_the_subset_agrees_and_the_list_of_the_others_is_exact() -> None:
    found = {str(case["id"]): verdict(case) for case in cases()}
    outside = {code: sorted(id_ for id_, each in found.items() if each == code) for code in OUTSIDE_CODES}
    if os.environ.get("GRAPHARC_UPDATE"):
        OUTSIDE.write_text("\n".join(_table(code, ids) for code, ids in outside.items()), "utf-8")
    assert {id_: each for id_, each in found.items() if each not in ("agrees", *OUTSIDE_CODES)} == {}
    assert {code: row["ids"] for code, row in tomllib.loads(OUTSIDE.read_text("utf-8")).items()} == outside


def _table(code: str, ids: list[str]) -> str:
    listed = "\n".join(f"    {json.dumps(id_)}," for id_ in ids)
    return f"[{code}]\nreason = {json.dumps(OUTSIDE_CODES[code])}\nids = [\n{listed}\n]\n"


@pytest.mark.usefixtures("conformance")
def test_the_cases_that_agree_are_many() -> None:
    assert sum(verdict(case) == "agrees" for case in cases()) >= 314
