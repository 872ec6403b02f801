"""Each code of the catalogue, shown by two documents: one of which it alone is said, and one of which nothing is.

See ``tests/documents/README.md``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grapharc.cli.rendering import text
from grapharc.spec.reasons import reason, reasons
from tests.pipeline import check

UPDATES = bool(os.environ.get("GRAPHARC_UPDATE"))
DOCUMENTS = Path(__file__).parent / "documents"
SLUGS = sorted(folder.name for folder in DOCUMENTS.iterdir() if folder.is_dir())
SIDES = ("registry", "policy")

SHOWN_OTHERWISE: dict[str, str] = {
    "approval_expired": "tests/gate/test_approvals.py",
    "approval_from_head": "tests/gate/test_approvals.py",
    "approval_stale": "tests/gate/test_approvals.py",
    "approval_unused": "tests/gate/test_approvals.py",
    "baseline_entry_stale": "tests/project/test_baseline.py",
    "document_too_large": "tests/reading/test_bytes.py",
    "empty_document": "tests/reading/test_recovery.py",
    "expression_too_long": "tests/expressions/test_parse.py",
    "malformed_baseline": "tests/project/test_baseline.py",
    "no_graph_matches": "tests/cli/test_check.py",
    "override_unmatched": "tests/project/test_severities.py",
    "project_not_in_force": "tests/project/test_belonging.py",
    "suppression_expired": "tests/policy/test_suppressions.py",
    "suppression_malformed": "tests/policy/test_suppressions.py",
    "suppression_without_reason": "tests/policy/test_suppressions.py",
    "too_many_faults": "tests/reading/test_hostile.py",
    "unapproved_change": "tests/gate/test_gate.py",
    "utf16_encoding": "tests/reading/test_bytes.py",
}
"""Codes that no document can show, and the test that shows each."""


def twin(slug: str, name: str) -> Path:
    """The document of that name: what has no second suffix that says it stands beside another."""
    found = [path for path in (DOCUMENTS / slug).glob(f"{name}.*") if path.suffix != ".out" and not _is_beside(path)]
    assert len(found) == 1, f"{slug} needs one document {name}.*"
    return found[0]


def _is_beside(path: Path) -> bool:
    return any(f".{side}." in path.name for side in SIDES)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", ["refused", "admitted"])
def test_a_code_is_said_of_the_one_document_and_nothing_of_the_other(slug: str, name: str) -> None:
    document = twin(slug, name)
    report = check(document)
    output = document.with_name(f"{name}.out")
    if UPDATES:
        output.write_text(text.render(report), "utf-8")
    assert {finding.code for finding in report.findings} == ({slug} if name == "refused" else set())
    assert text.render(report) == output.read_text("utf-8")


@pytest.mark.parametrize("slug", SLUGS)
def test_the_catalogue_shows_lines_of_the_two_documents(slug: str) -> None:
    for name, lines in (("refused", reason(slug).bad), ("admitted", reason(slug).good)):
        documents = [twin(slug, name), *(DOCUMENTS / slug).glob(f"{name}.*.*")]
        written = "\n".join(document.read_bytes().decode("utf-8", "replace") for document in documents)
        there = {line.strip() for line in written.splitlines()}
        missing = [line for line in lines.splitlines() if line.strip() and line.strip() not in there]
        assert not missing, f"{name} of {slug} does not have these lines of its row"


def test_every_code_is_shown_once() -> None:
    assert set(SLUGS) | set(SHOWN_OTHERWISE) == set(reasons())
    assert not set(SLUGS) & set(SHOWN_OTHERWISE)


@pytest.mark.parametrize("code", sorted(SHOWN_OTHERWISE))
def test_what_no_document_can_show_is_shown_by_a_test(code: str) -> None:
    assert code in (DOCUMENTS.parent.parent / SHOWN_OTHERWISE[code]).read_text("utf-8")
