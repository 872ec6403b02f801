"""Google's CEL evaluates generated expressions beside us: the same value, or an error on both sides."""

from __future__ import annotations

import os
from functools import cache
from random import Random

import pytest

from grapharc.spec.expressions.check import check
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.memo import Memo
from grapharc.spec.types import BOOLEAN, INTEGER, JSON, NUMBER, STRING, ListOf, MapOf, Type
from grapharc.spec.values import conform
from tests.expressions.generator import NAMES, Generator, values

cel = pytest.importorskip("cel_expr_python.cel")

BATCHES = 400 if os.environ.get("GRAPHARC_DEEP") else 12
EXPRESSIONS = 250
TYPES: dict[str, Type] = {
    "int": INTEGER,
    "double": NUMBER,
    "string": STRING,
    "bool": BOOLEAN,
    "list int": ListOf(INTEGER),
    "list string": ListOf(STRING),
    "map int": MapOf(INTEGER),
    "dyn": JSON,
}
SCOPE = {name: TYPES[type_] for name, type_ in NAMES.items()}
ERROR = "an error"


@cache
def environment() -> object:
    types = {
        "int": cel.Type.INT,
        "double": cel.Type.DOUBLE,
        "string": cel.Type.STRING,
        "bool": cel.Type.BOOL,
        "list int": cel.Type.List(cel.Type.INT),
        "list string": cel.Type.List(cel.Type.STRING),
        "map int": cel.Type.Map(cel.Type.STRING, cel.Type.INT),
        "dyn": cel.Type.DYN,
    }
    return cel.NewEnv(variables={name: types[type_] for name, type_ in NAMES.items()})


def theirs(compiled: object, scope: dict[str, object]) -> object:
    found = compiled.eval(data=scope)  # type: ignore[attr-defined]
    return ERROR if found.type() == cel.Type.ERROR else found.plain_value()


def ours(text: str, draws: list[dict[str, object]]) -> list[object] | None:
    """What we say for each drawing of values; None for an expression that the checker refuses."""
    tree, faults = parse_expression(text, Memo())
    assert tree is not None, (text, faults)
    checked, _ = check(tree, text, SCOPE)
    if checked is None:
        return None
    evaluate = compile_expression(checked)
    found = [_value(evaluate, scope) for scope in draws]
    for value in found:
        # What comes out is of the type that the checker said, but for what no document can hold.
        if value != ERROR and "inf" not in repr(value) and "nan" not in repr(value):
            conform(checked.type)(value)  # raises what is wrong with it
    return found


def _value(evaluate: object, scope: dict[str, object]) -> object:
    try:
        return evaluate(scope)  # type: ignore[operator]
    except EvaluationError:
        return ERROR


def shown(value: object) -> str:
    """A form that tells apart 1, 1.0 and true, and not two NaN."""
    return repr(value)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_cel_says_the_same(batch: int) -> None:
    random = Random(batch)
    refused = 0
    for _ in range(EXPRESSIONS):
        type_ = random.choice([*TYPES][:-2])
        text = Generator(random, {}).write(type_, 4)
        draws = [values(random) for _ in range(3)]
        found = ours(text, draws)
        if found is None:
            refused += 1
            continue
        compiled = environment().compile(text)  # type: ignore[attr-defined]
        for scope, mine in zip(draws, found, strict=True):
            assert shown(mine) == shown(theirs(compiled, scope)), (text, scope)
    assert refused <= EXPRESSIONS // 10
