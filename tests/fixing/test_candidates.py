"""What could mend a finding is the same, whether many findings are looked at together or each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.project.candidates import candidates_of_each
from grapharc.project.tried import Draft, tried
from grapharc.spec.edits.replacement import Replacement
from grapharc.spec.finding import Edit
from grapharc.spec.reading.text import read_text
from grapharc.spec.source import Span
from tests.pipeline import check

DOCUMENTS = Path(__file__).resolve().parent.parent / "documents"
REFUSED = sorted(path for path in DOCUMENTS.glob("*/refused.*") if path.suffix in (".toml", ".json"))

EDGES = """\
[[nodes]]
name = "a"
kind = "control.pass"

[[nodes]]
name = "b"
kind = "control.pass"

[[edges]]
chain = ["__start__", "a", "b", "__end__"]

[[edges]]
source = "a"
target = "b"

[[edges]]
source = "__start__"
target = "a"   # kept, for whoever asks

[[edges]]
source = "b"
target = "__end__"
"""


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.parent.name)
def test_many_together_are_mended_as_each_by_itself(path: Path) -> None:
    report = check(path)
    together = candidates_of_each(report.findings, report.texts, unsafe=True)
    assert together == [candidates_of_each([each], report.texts, unsafe=True)[0] for each in report.findings]


def test_a_fix_that_would_take_a_comment_is_left_out_and_its_neighbours_are_not(tmp_path: Path) -> None:
    path = tmp_path / "graph.toml"
    path.write_text(EDGES, "utf-8")
    report = check(path)
    duplicates = [finding for finding in report.findings if finding.code == "duplicate_edge"]
    found = candidates_of_each(duplicates, report.texts, unsafe=True)
    assert [(finding.subject, len(each)) for finding, each in zip(duplicates, found, strict=True)] == [
        ("a -> b", 1),
        ("__start__ -> a", 0),
        ("b -> __end__", 1),
    ]


def test_what_says_something_else_is_told_from_what_is_tried_with_it() -> None:
    text = read_text(b'a = 1\nb = 2\nc = 3\nd = ["x", "y"]\n', "some.toml")[0]

    def draft(key: str, value: int, at: int, written: str) -> Draft:
        return Draft((Edit("replace", (key,), value),), (Replacement(Span(at, at + 1), written),))

    first, wrong, broken, last = (
        draft("a", 5, 4, "5"),
        draft("b", 6, 10, "7"),
        draft("b", 6, 10, '"'),
        draft("c", 8, 16, "8"),
    )
    gone = Draft((Edit("remove", ("d", 0)),), (Replacement(Span(23, 28), ""),))
    gone_too = Draft((Edit("remove", ("d", 1)),), (Replacement(Span(26, 31), ""),))
    drafts = [first, wrong, last, broken, first, gone, gone_too]
    assert tried(text, drafts) == [True, False, True, False, True, True, True]
