"""What an author may accept in a document, by a comment or a row, and what is said of those who try more."""

from __future__ import annotations

from datetime import date

import pytest

from grapharc.policy.suppress import Suppressions
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Place
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message, reasons

TODAY = date(2027, 1, 1)


def text_of(source: str, path: str = "graph.toml") -> dict[str, Text]:
    text, findings = read_text(source.encode(), path)
    assert not findings
    return {path: text}


def accepted(source: str, finding: Finding, path: str = "graph.toml") -> str | None:
    """The reason for which a finding is accepted."""
    found = Suppressions(text_of(source, path), TODAY).accepted(finding)
    return None if found is None else found.reason


def faults(source: str, *findings: Finding, path: str = "graph.toml") -> list[tuple[str, str]]:
    """Code and words of what is said of a document's suppressions."""
    found = Suppressions(text_of(source, path), TODAY).faults(findings, [path], [path])
    return [(finding.code, message(finding)) for finding in found]


def implied_end(*path: str | int) -> Finding:
    return Finding("implied_end", Place("graph.toml", path), subject="step")


@pytest.mark.parametrize(
    "source",
    [
        '[[nodes]]\nname = "step" # grapharc: allow implied_end -- why\n',
        '[[nodes]]\n# grapharc: allow implied_end -- why\nname = "step"\n',
        '# grapharc: allow implied_end -- why\n[[nodes]]\nname = "step"\n',
        '# grapharc: allow implied_end -- why\n\n# and more is said of it\n[[nodes]]\nname = "step"\n',
        '[[nodes]] # grapharc: allow implied_end -- why\nkind = "a"\nname = "step"\n',
        'nodes = [\n  # grapharc: allow implied_end -- why\n  { name = "step" },\n]\n',
        '#grapharc:allow other, implied_end -- why\r\n[[nodes]]\r\nname = "step"\r\n',
        '[[nodes]]\nname = "step"\nsuppress = [{ code = "implied_end", reason = "why" }]\n',
    ],
)
def test_a_comment_covers_its_line_or_what_begins_on_the_next(source: str) -> None:
    assert accepted(source, implied_end("nodes", 0, "name")) == "why"


@pytest.mark.parametrize(
    "source",
    [
        '# grapharc: allow implied_end -- why\n[[nodes]]\nname = "other"\n[[nodes]]\nname = "step"\n',
        '[[nodes]]\n# grapharc: allow implied_end -- why\nname = "other"\n[[nodes]]\nname = "step"\n',
        'name = "# grapharc: allow implied_end -- why"\n[[nodes]]\nname = "other"\n[[nodes]]\nname = "step"\n',
        'name = """\n# grapharc: allow implied_end -- why\n"""\nnodes = [{ name = "other" }, { name = "step" }]\n',
        "name = '''\n# grapharc: allow implied_end -- why\n'''\nnodes = [{ name = 'other' }, { name = 'step' }]\n",
        '[[nodes]]\nname = "other"\nargs = { suppress = [{ code = "implied_end", reason = "why" }] }\n'
        '[[nodes]]\nname = "step"\n',
        '# grapharc: allow self_loop -- why\n[[nodes]]\nname = "other"\n[[nodes]]\nname = "step"\n',
    ],
)
def test_a_comment_covers_nothing_else(source: str) -> None:
    assert accepted(source, implied_end("nodes", 1, "name")) is None


def test_a_key_named_suppress_among_the_arguments_of_a_kind_is_an_argument() -> None:
    source = '[[nodes]]\nname = "a"\nargs = { suppress = [{ code = "implied_end", reason = "why" }] }\n'
    assert accepted(source, implied_end("nodes", 0, "args", "suppress")) is None
    assert faults(source) == []


def test_a_header_covers_its_own_table_and_not_its_sisters() -> None:
    source = '# grapharc: allow implied_end -- why\n[types.A]\nx = "string"\n[types.B]\nx = "string"\n'
    assert accepted(source, implied_end("types", "A", "x")) == "why"
    assert accepted(source, implied_end("types", "B", "x")) is None


def test_json_accepts_by_rows_in_a_field_too() -> None:
    source = '{"state": {"old": {"type": "string", "suppress": [{"code": "field_never_read", "reason": "why"}]}}}'
    finding = Finding("field_never_read", Place("graph.json", ("state", "old")), subject="old")
    assert accepted(source, finding, "graph.json") == "why"


@pytest.mark.parametrize(
    ("until", "stands"), [("2027-01-01", False), ("2026-12-31", True), ("2027-1-1", True), ("20270201", True)]
)
def test_a_day_is_the_last_on_which_it_counts(until: str, stands: bool) -> None:
    source = f'[[nodes]]\nname = "step" # grapharc: allow implied_end -- for a while, until {until}\n'
    finding = implied_end("nodes", 0, "name")
    assert (accepted(source, finding) is None) == stands
    if not stands:
        assert accepted(source, finding) == "for a while"


@pytest.mark.parametrize(
    ("comment", "code", "words"),
    [
        ("allow implied_end", "suppression_without_reason", "'implied_end' is accepted here without a reason"),
        ("allow implied_end --", "suppression_without_reason", "'implied_end' is accepted here without a reason"),
        ("allow implied_end -- , until 2027-03-01", "suppression_without_reason", "'implied_end' is accepted here"),
        (
            "allow implied_end -- for a while, until 2026-12-31",
            "suppression_expired",
            "'implied_end' was accepted here until 2026-12-31, and that is over",
        ),
        (
            "allow implied_end -- for a while, until soon",
            "suppression_malformed",
            "this accepts nothing: 'soon' is no day, and one is written like 2027-03-01",
        ),
        (
            "alow implied_end -- why",
            "suppression_malformed",
            "this accepts nothing: '# grapharc: alow implied_end -- why' is not understood, did you mean 'allow'?",
        ),
        ("allow", "suppression_malformed", "this accepts nothing: '# grapharc: allow' is not understood"),
        ("allow implied_end because", "suppression_malformed", "this accepts nothing: '# grapharc: allow implied"),
        ("allow implied_ned -- why", "unknown_code", "there is no code 'implied_ned', did you mean 'implied_end'?"),
        (
            "allow field_never_read -- why",
            "suppression_unused",
            "'field_never_read' is accepted here, and is not found",
        ),
        (
            "allow field_never_read -- why, until 2020-01-01",
            "suppression_unused",
            "'field_never_read' is accepted here, and is not found",
        ),
        ("allow cycle -- why", "not_acceptable", "'cycle' cannot be accepted: it is of class soundness"),
        ("allow edge_denied -- why", "not_acceptable", "'edge_denied' cannot be accepted: it is of class authority"),
    ],
)
def test_what_is_wrong_with_a_comment_is_told(comment: str, code: str, words: str) -> None:
    source = f'[[nodes]]\nname = "step" # grapharc: {comment}\n'
    finding = implied_end("nodes", 0, "name")
    ((found, said),) = faults(source, finding)
    assert found == code
    assert said.startswith(words)
    assert accepted(source, finding) is None


def test_of_a_document_that_was_not_judged_to_the_end_no_suppression_is_unused() -> None:
    source = '[[nodes]]\nname = "step" # grapharc: allow implied_end -- why\n'
    assert list(Suppressions(text_of(source), TODAY).faults([], ["graph.toml"], [])) == []


@pytest.mark.parametrize("code", [code for code, row in reasons().items() if row.reason_class != "lint"])
def test_no_code_but_lint_is_accepted_in_a_document(code: str) -> None:
    row = f'[[nodes]]\nname = "step"\nsuppress = [{{ code = "{code}", reason = "please" }}]\n'
    comment = f'[[nodes]] # grapharc: allow {code} -- please\nname = "step" # grapharc: allow {code} -- please\n'
    for source in (row, comment):
        for path in (("nodes", 0), ("nodes", 0, "name")):
            assert accepted(source, Finding(code, Place("graph.toml", path))) is None
        assert {found for found, _ in faults(source)} == {"not_acceptable"}


def test_many_suppressions_and_many_findings_are_linear_work() -> None:
    rows = "".join(f'[[nodes]]\nname = "n{i}" # grapharc: allow implied_end -- why\n' for i in range(3000))
    known = Suppressions(text_of(rows), TODAY)
    found = [implied_end("nodes", index, "name") for index in range(3000)]
    assert all(known.accepted(finding) for finding in found)
