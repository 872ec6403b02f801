"""What came of policy tests goes in; the lines that a person reads come out, or the document that a program does."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.cli.rendering.shown import spot
from grapharc.cli.rendering.text import counted
from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.mutants import Mutant
from grapharc.project.policy_tests import Group, Results, Suite, Tried
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Json


def render(tests: Results, least: float | None, *, colour: bool = False) -> str:
    """Return each case in a line, what is not as expected beneath it, and how much the cases cover."""
    lines: list[str] = []
    for group in tests.groups:
        for suite in group.suites:
            lines += _suite(suite, tests, colour)
        lines += _coverage(group, tests, least, colour)
        lines += _mutants(group, tests, colour)
    return "".join(f"{line}\n" for line in lines)


def render_json(tests: Results, least: float | None) -> dict[str, Json]:
    """Return all cases, the coverage and the mutants."""
    return {"groups": [_group_json(group, tests, least) for group in tests.groups]}


def _suite(suite: Suite, tests: Results, colour: bool) -> Iterator[str]:
    yield paint(printable(suite.path), "title", colour)
    for tried in suite.tried:
        word = paint("FAIL", "error", colour) if tried.differences else paint("pass", "good", colour)
        yield f"  {word}  {printable(tried.trial.name)}"
        if tried.differences:
            yield f"        {_where(tried.trial.place, tests)}: {printable(_question(tried))}"
            yield from (f"        {printable(difference)}" for difference in tried.differences)
    failed = sum(bool(tried.differences) for tried in suite.tried)
    passed = len(suite.tried) - failed
    yield f"{counted(len(suite.tried), 'case')}: {passed} passed{f', {failed} failed' if failed else ''}"


def _question(tried: Tried) -> str:
    tenant = tried.trial.question.tenant
    return f"{tried.trial.question}{f', for tenant {tenant!r}' if tenant else ''}"


def _coverage(group: Group, tests: Results, least: float | None, colour: bool) -> Iterator[str]:
    covered = group.coverage
    decided = covered.rules - len(covered.idle)
    short = "" if least is None or covered.percent >= least else f", and {_number(least)} % are asked for"
    summary = f"{decided} of {counted(covered.rules, 'rule')} decided in some case ({_number(covered.percent)} %)"
    yield f"coverage: {summary}{paint(short, 'error', colour) if short else ''}"
    for policy, rule in covered.idle:
        yield f"  never decides: rule '{rule.id}' of {_policy(policy)}, {_where(rule.place, tests)}"
    for policy, tier in covered.idle_tiers:
        what = "the default" if tier == "default" else f"any rule that {_VERBS[tier]}"
        yield f"  never decides: {what} of {_policy(policy)}"


_VERBS = {"deny": "denies", "ask": "asks", "allow": "allows"}


def _mutants(group: Group, tests: Results, colour: bool) -> Iterator[str]:
    if group.failing:
        word = paint("not tried", "error", colour)
        yield f"mutants: {word}, since {counted(group.failing, 'case')} failed: mend that first"
    if group.survivors is None:
        return
    tried, unnoticed = group.survivors.tried, group.survivors.unnoticed
    yield f"mutants: {tried - len(unnoticed)} of {tried} were noticed"
    for mutant in unnoticed:
        whose = f"rule '{mutant.rule.id}', " if mutant.rule is not None else ""
        word = paint("survives", "error", colour)
        yield f"  {word}: {whose}{printable(mutant.change)} ({_where(mutant.place, tests)})"


def _where(place: Place, tests: Results) -> str:
    return printable(str(spot(place, tests.report.texts)))


def _policy(policy: Policy) -> str:
    return f"policy '{printable(policy.title)}'"


def _number(percent: float) -> str:
    return f"{percent:.1f}".removesuffix(".0")


def _group_json(group: Group, tests: Results, least: float | None) -> dict[str, Json]:
    covered = group.coverage
    return {
        "policies": [{"path": each.path, "name": each.name, "digest": each.digest} for each in group.policies],
        "cases": [_case_json(suite, tried, tests) for suite in group.suites for tried in suite.tried],
        "coverage": {
            "rules": covered.rules,
            "percent": round(covered.percent, 2),
            "asked_for": least,
            "never_decide": [{"policy": policy.title, "rule": rule.id} for policy, rule in covered.idle],
            "idle_tiers": [{"policy": policy.title, "tier": tier} for policy, tier in covered.idle_tiers],
        },
        "mutants": {"tried": 0, "survive": [], "failing_cases": group.failing}
        if group.failing
        else None
        if group.survivors is None
        else {
            "tried": group.survivors.tried,
            "survive": [_mutant_json(mutant, tests) for mutant in group.survivors.unnoticed],
        },
    }


def _case_json(suite: Suite, tried: Tried, tests: Results) -> dict[str, Json]:
    deciding = tried.outcome.deciding
    return {
        "document": suite.path,
        "place": _where(tried.trial.place, tests),
        "name": tried.trial.name,
        "question": str(tried.trial.question),
        "tenant": tried.trial.question.tenant,
        "passed": not tried.differences,
        "expected": tried.trial.right.answer,
        "answer": tried.outcome.answer,
        "by": [{"policy": each.policy.title, "rule": each.rule.id if each.rule else None} for each in deciding],
        "differences": list(tried.differences),
    }


def _mutant_json(mutant: Mutant, tests: Results) -> dict[str, Json]:
    rule = mutant.rule.id if mutant.rule else None
    return {"policy": mutant.policy.title, "rule": rule, "change": mutant.change, "place": _where(mutant.place, tests)}
