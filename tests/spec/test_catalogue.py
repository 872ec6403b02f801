"""The catalogue is whole: each slug that the code uses has its row, and no row is left over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from grapharc.policy.judge import RULES
from grapharc.policy.lint.lint import OF_A_RULE, OF_ALL_RULES
from grapharc.runtime.errors import RunError
from grapharc.runtime.refusals import NotAdmitted, Refusal
from grapharc.spec.reasons import endings, notes, reasons

PACKAGE = Path(__file__).parents[2] / "grapharc"
RULE_FILES = {path.stem for path in (PACKAGE / "policy" / "rules").glob("*.py")} - {"__init__"}
LINT_FILES = {path.stem for path in (PACKAGE / "policy" / "lint" / "rules").glob("*.py")} - {"__init__"}


def calls(*names: str) -> Iterator[tuple[Path, str]]:
    """Each file and literal first argument of a call to one of some names."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name) and node.func.id in names:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield path, first.value


def words() -> set[str]:
    """Every literal string of the package that could be a slug."""
    return {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
    }


def test_each_code_that_is_found_has_a_row() -> None:
    missing = {(path.name, code) for path, code in calls("Finding", "Fault", "fault") if code not in reasons()}
    assert missing == set()


def test_each_row_is_found_by_somebody() -> None:
    assert set(reasons()) - words() == set()


def test_each_note_is_used_and_worded() -> None:
    assert {note for _, note in calls("Related") if note not in notes()} == set()
    assert set(notes()) - words() == set()


def test_each_rule_is_one_file_named_for_its_code_and_is_judged() -> None:
    judged = {check.__module__.rpartition(".")[2] for check in RULES}
    assert judged == RULE_FILES
    assert set(reasons()) >= RULE_FILES
    linted = {check.__module__.rpartition(".")[2] for check in (*OF_A_RULE, *OF_ALL_RULES)}
    assert linted == LINT_FILES
    assert set(reasons()) >= LINT_FILES


def test_a_rule_finds_its_own_code_only() -> None:
    makers = ("Finding", "over_budget", "over_size", "of_pair")
    found = {(path.stem, code) for path, code in calls(*makers) if path.parent.name == "rules"}
    assert found == {(slug, slug) for slug in RULE_FILES | LINT_FILES}


def test_each_code_of_the_runtime_has_a_row_and_no_row_is_left_over() -> None:
    def codes(base: type[RunError | Refusal]) -> Iterator[str]:
        yield base.code
        for each in base.__subclasses__():
            yield from codes(each)

    for path in (PACKAGE / "runtime").glob("*.py"):
        import_module(f"grapharc.runtime.{path.stem}")
    own = {code for base in (RunError, Refusal) for code in codes(base) if isinstance(code, str)}
    own |= {NotAdmitted(verdict, "", ()).code for verdict in ("refused", "needs_approval")}
    assert set(endings()) == own
    assert all(ending.message and ending.why and ending.remedy for ending in endings().values())
