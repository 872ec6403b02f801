"""The parts of a macro go in compiled, the compiled macro comes out; every round is paid for from what may be spent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.expressions.cost import MAX_COST
from grapharc.spec.expressions.evaluation import EvaluationError, Scope, Step, Variables, wrong_type
from grapharc.spec.expressions.syntax import MacroName
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.source import Span


@frozen
class Parts:
    """A macro's parts: what it goes through, what it does in each round, where its variable is kept."""

    range: Step
    condition: Step | None
    body: Step
    slot: int
    steps: int
    """How many nodes a round evaluates."""
    span: Span
    body_span: Span


def macro(name: MacroName, parts: Parts) -> Step:
    """Compile a macro."""
    return _MACROS[name](name, parts)


def _rounds(name: MacroName, parts: Parts, scope: Scope, variables: Variables) -> list[object]:
    """Return the items of a list or the keys of a map, after paying for all rounds at once."""
    value = parts.range(scope, variables)
    if is_list(value):
        items = value
    elif is_dict(value):
        items = list(value)
    else:
        raise wrong_type(name, value, parts.span)
    variables.steps -= len(items) * parts.steps
    if variables.steps < 0:
        raise EvaluationError("too_costly", parts.span, limit=MAX_COST)
    return items


def _quantifier(name: MacroName, parts: Parts) -> Step:
    """``all`` ends with the first false, ``exists`` with the first true; an error counts only if nothing ends it."""
    decisive = name == "exists"
    body, slot = parts.body, parts.slot

    def run(scope: Scope, variables: Variables) -> object:
        error: EvaluationError | None = None
        for item in _rounds(name, parts, scope, variables):
            variables.values[slot] = item
            try:
                result = body(scope, variables)
            except EvaluationError as raised:
                error = error or raised
                continue
            if result is decisive:
                return decisive
            if not isinstance(result, bool):
                error = error or wrong_type(name, result, parts.body_span)
        if error is not None:
            raise error
        return not decisive

    return run


def _exists_one(name: MacroName, parts: Parts) -> Step:
    def run(scope: Scope, variables: Variables) -> object:
        found = 0
        for item in _rounds(name, parts, scope, variables):
            variables.values[parts.slot] = item
            found += _holds(name, parts.body, scope, variables, parts.body_span)
        return found == 1

    return run


def _filter(name: MacroName, parts: Parts) -> Step:
    def run(scope: Scope, variables: Variables) -> object:
        kept: list[object] = []
        for item in _rounds(name, parts, scope, variables):
            variables.values[parts.slot] = item
            if _holds(name, parts.body, scope, variables, parts.body_span):
                kept.append(item)
        return kept

    return run


def _map(name: MacroName, parts: Parts) -> Step:
    condition, body, slot = parts.condition, parts.body, parts.slot

    def run(scope: Scope, variables: Variables) -> object:
        made: list[object] = []
        for item in _rounds(name, parts, scope, variables):
            variables.values[slot] = item
            if condition is None or _holds(name, condition, scope, variables, parts.span):
                made.append(body(scope, variables))
        return made

    return run


def _holds(name: MacroName, condition: Step, scope: Scope, variables: Variables, span: Span) -> bool:
    result = condition(scope, variables)
    if isinstance(result, bool):
        return result
    raise wrong_type(name, result, span)


_Macro: TypeAlias = "Callable[[MacroName, Parts], Step]"
_MACROS: Mapping[MacroName, _Macro] = {
    "all": _quantifier,
    "exists": _quantifier,
    "exists_one": _exists_one,
    "filter": _filter,
    "map": _map,
}
