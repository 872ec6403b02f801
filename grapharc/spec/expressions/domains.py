"""The conditions of a branch go in; whether they cover every value, and which of them can never be reached, comes out.

Exact where conditions ask about booleans, enums, null, and numbers, strings and sizes compared with constants: every
case is tried. Elsewhere the answer is unknown, and nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from grapharc.spec.expressions.formula import Either, Formula, Outcome, decide, extent
from grapharc.spec.expressions.questions import Terms
from grapharc.spec.expressions.syntax import Binary, Expression
from grapharc.spec.expressions.terms import Case
from grapharc.spec.frozen import field, frozen, record
from grapharc.spec.types import Type

MOST_STEPS = 100_000
"""Parts of conditions that are looked at while cases are tried; a branch that needs more is answered with unknown."""

MOST_TERMS = 64
"""Terms whose cases are tried together; likewise."""

Answer: TypeAlias = Literal["yes", "no", "unknown"]
Witness: TypeAlias = "tuple[tuple[str, str], ...]"
"""Terms and the values they would have, as they are written, in the order in which the conditions ask for them."""


@frozen
class Arm:
    """Whether a condition is ever the first that is true; if it never is, which of those before it are to blame.

    An arm that is never reached and has no one to blame can itself never be true.
    """

    reachable: Answer
    covered_by: tuple[int, ...] = ()


@frozen
class Coverage:
    """Whether one of the conditions is always true, and if not, values for which none is."""

    exhaustive: Answer
    witness: Witness
    arms: tuple[Arm, ...]


def coverage(conditions: Sequence[Expression], scope: Mapping[str, Type]) -> Coverage:
    """Decide a branch: conditions in order, the first that is true wins. A condition that fails ends the run."""
    terms = Terms(scope)
    formulas = [terms.formula(condition) for condition in conditions]
    search = _Search(terms, formulas, _Budget(MOST_STEPS))
    search.explore({}, True)
    if search.budget.is_spent:
        return Coverage("unknown", (), tuple(Arm("unknown") for _ in conditions))
    exhaustive: Answer = "no" if search.witness is not None else "unknown" if search.fell_through else "yes"
    arms = tuple(_arm(index, search) for index in range(len(formulas)))
    return Coverage(exhaustive, search.witness or (), arms)


def always(condition: Expression, scope: Mapping[str, Type]) -> bool | None:
    """Return what a condition always comes out as; None if that depends on something, or is not known."""
    terms = Terms(scope)
    return _always(terms.formula(condition), terms, _Budget(MOST_STEPS))


def constant_parts(condition: Expression, scope: Mapping[str, Type]) -> Iterator[tuple[Expression, bool]]:
    """Yield the parts of a condition, joined by ``&&`` and ``||``, that always come out the same, the largest each."""
    terms = Terms(scope)
    yield from _constant_parts(condition, terms.formula(condition), terms, _Budget(MOST_STEPS))


def _constant_parts(
    node: Expression, formula: Formula, terms: Terms, budget: _Budget
) -> Iterator[tuple[Expression, bool]]:
    value = _always(formula, terms, budget)
    if value is not None:
        yield node, value
    elif isinstance(node, Binary) and isinstance(formula, Either):
        yield from _constant_parts(node.left, formula.left, terms, budget)
        yield from _constant_parts(node.right, formula.right, terms, budget)


def _always(formula: Formula, terms: Terms, budget: _Budget) -> bool | None:
    outcomes: set[Outcome] = set()
    _spread(formula, {}, terms, budget, extent(formula), outcomes)
    return outcomes.pop() if len(outcomes) == 1 and not budget.is_spent else None


def _spread(
    formula: Formula, values: dict[str, object], terms: Terms, budget: _Budget, size: int, outcomes: set[Outcome]
) -> None:
    """Collect what a formula comes out as in the cases of its terms, until that is two things."""
    budget.steps = -1 if len(values) > MOST_TERMS else budget.steps - size
    if budget.is_spent:
        return
    outcome = decide(formula, values)
    if not isinstance(outcome, str):
        outcomes.add(outcome)
        return
    for case in terms.cases(outcome):
        if len(outcomes) > 1:
            break
        values[outcome] = case.value
        _spread(formula, values, terms, budget, size, outcomes)
    values.pop(outcome, None)


@record
class _Budget:
    """The steps that are left to all searches about one branch."""

    steps: int

    @property
    def is_spent(self) -> bool:
        return self.steps < 0


@record
class _Search:
    """Goes through the cases of the terms that conditions ask for, one condition after the other."""

    terms: Terms
    formulas: Sequence[Formula]
    budget: _Budget
    witness: Witness | None = None
    fell_through: bool = False
    reached: dict[int, bool] = field(default_factory=dict[int, bool])
    """The conditions that were the first to be true, and whether in a case that surely exists."""

    def __post_init__(self) -> None:
        self.sizes = [extent(formula) for formula in self.formulas]

    def explore(self, known: Mapping[str, Case], certain: bool, start: int = 0) -> None:
        values = {term: case.value for term, case in known.items()}
        if len(known) > MOST_TERMS:
            self.budget.steps = -1
        for index in range(start, len(self.formulas)):
            self.budget.steps -= self.sizes[index]
            if self.budget.is_spent:
                return
            outcome = decide(self.formulas[index], values)
            if isinstance(outcome, str):
                for case in self.terms.cases(outcome):
                    self.explore({**known, outcome: case}, certain and case.certain, index)
                return
            if outcome is not False:
                if outcome:
                    self.reached[index] = certain or self.reached.get(index, False)
                return
        self.fell_through = True
        if certain and self.witness is None:
            self.witness = tuple((term, str(case)) for term, case in known.items())


def _arm(index: int, search: _Search) -> Arm:
    if index in search.reached:
        return Arm("yes" if search.reached[index] else "unknown")
    return Arm("no", _to_blame(index, search))


def _to_blame(index: int, search: _Search) -> tuple[int, ...]:
    """The fewest conditions before one, found by leaving out one after the other, that together leave nothing to it."""
    blamed = list(range(index))
    for candidate in range(index):
        others = [each for each in blamed if each != candidate]
        if not _is_reached(index, others, search):
            blamed = others
    return tuple(blamed)


def _is_reached(index: int, before: Sequence[int], search: _Search) -> bool:
    formulas = [*(search.formulas[each] for each in before), search.formulas[index]]
    attempt = _Search(search.terms, formulas, search.budget)
    attempt.explore({}, True)
    return attempt.budget.is_spent or len(before) in attempt.reached
