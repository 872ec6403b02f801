"""Findings as people and programs see them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

import pytest

from grapharc.cli.rendering import concise, json, text
from grapharc.cli.rendering.cells import printable, width
from grapharc.cli.rendering.shown import Spot
from grapharc.cli.rendering.snippet import WIDEST, cut
from grapharc.project.report import Looked, Report
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Place, Related, Step
from grapharc.spec.in_order import in_order
from grapharc.spec.json_value import Path
from grapharc.spec.reasons import message, notes, remedy
from grapharc.spec.source import Source, Span

GRAPH = 'name = "a"\n\tkind = "ツ\u202e本x.claims"   # 東京\nfoo = 1\n'


@dataclass(frozen=True)
class Spans:
    """A layout that finds the text of a path's last step."""

    source: str

    def span(self, path: Path, part: str = "value") -> Span:
        start = self.source.index(str(path[-1]))
        return Span(start, start + len(str(path[-1])))

    def inner(self, path: Path, within: Span) -> Span:
        start = self.span(path).start
        return Span(start + within.start, start + within.end)


def texts(**documents: str) -> dict[str, Text]:
    return {
        f"{name}.toml": Text(Source(f"{name}.toml", source), "toml", {"nodes": []}, Spans(source), True)
        for name, source in documents.items()
    }


DENIED = Finding(
    "node_denied",
    Place("graph.toml", ("x.claims",)),
    {"kind": "x\x1b[31m", "policy": "prod", "reason": "no\nshells"},
    rule="no-shell",
    related=(Related("first_here", Place("graph.toml", ("name",))), Related("rule_here", Place("policy.toml"))),
    witness=(Step("__start__ -> a", Place("graph.toml", ("foo",))), Step("a -> b")),
)
EMPTY = Finding("no_entry_edge", Place("graph.toml", ("foo",)), severity="warning")


def report(*findings: Finding) -> Report:
    known = texts(graph=GRAPH)
    return Report((Looked("graph.toml", "graph"),), in_order(findings, known), known)


def unwrapped(shown: str) -> str:
    """Put what goes on in a second line, four columns further in than the sign, back at the end of the first."""
    return re.sub(r"(?m)(^  = remedy: .*)((?:\n    \S.*)+)", lambda m: m[1] + m[2].replace("\n   ", ""), shown)


def test_no_line_of_a_remedy_is_wider_than_a_terminal() -> None:
    lines = text.render(report(EMPTY, DENIED)).splitlines()
    remedies = [line for line in lines if line.startswith(("  = remedy", "    "))]
    assert len(remedies) > 2
    assert max(map(len, remedies)) <= 80


def test_a_finding_shows_its_line_its_related_places_its_witness_and_what_mends_it() -> None:
    denied, empty = report(DENIED, EMPTY).findings
    assert unwrapped(text.render(report(EMPTY, DENIED))) == dedent(
        rf"""
        error[node_denied]: {printable(message(denied))}
         --> graph.toml:2:13
          |
        2 |     kind = "ツ\u202e本x.claims"   # 東京
          |                       ^^^^^^^^
          |
         ::: graph.toml:1:1: {notes()["first_here"]}
          |
        1 | name = "a"
          | ----
          |
         ::: policy.toml: {notes()["rule_here"]}
          = 1. __start__ -> a (graph.toml:3:1)
          = 2. a -> b
          = remedy: {printable(remedy(denied))}

        warning[no_entry_edge]: {message(empty)}
         --> graph.toml:3:1
          |
        3 | foo = 1
          | ^^^
          |
          = remedy: {remedy(empty)}

        1 error and 1 warning in 1 document
        """
    ).removeprefix("\n")


def test_colour_adds_nothing_but_colour() -> None:
    import re

    coloured = text.render(report(EMPTY, DENIED), colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text.render(report(EMPTY, DENIED))
    assert coloured.startswith("\x1b[1;31merror[node_denied]\x1b[0m")


def test_the_concise_form_has_one_line_a_finding() -> None:
    assert concise.render(report(EMPTY, DENIED)).splitlines() == [
        f"graph.toml:2:13: error: {printable(message(DENIED))} [node_denied]",
        f"graph.toml:3:1: warning: {message(EMPTY)} [no_entry_edge]",
    ]
    assert r"\x1b[31m" in printable(message(DENIED))


def test_json_has_every_key_of_a_finding() -> None:
    rendered = json.render(report(EMPTY))
    assert rendered["warnings"] == 1
    assert rendered["documents"] == [{"path": "graph.toml", "kind": "graph"}]
    assert rendered["findings"] == [
        {
            "code": "no_entry_edge",
            "class": "soundness",
            "severity": "warning",
            "fingerprint": "e53b9e074df19a7b3426d0cb357b01a4",
            "document": "graph.toml",
            "place": "/foo",
            "span": {
                "start": {"line": 3, "column": 1, "offset": GRAPH.index("foo")},
                "end": {"line": 3, "column": 4, "offset": GRAPH.index("foo") + 3},
            },
            "message": message(EMPTY),
            "subject": "",
            "rule": None,
            "values": {},
            "related": [],
            "witness": [],
            "remedy": remedy(EMPTY),
            "fixes": [],
        }
    ]


def test_findings_are_sorted_and_each_shows_once() -> None:
    other = Finding("no_entry_edge", Place("a.toml"))
    assert report(EMPTY, other, DENIED, EMPTY).findings == (other, DENIED, EMPTY)


def test_nothing_found_is_said() -> None:
    assert text.render(report()) == "no findings in 1 document\n"


@pytest.mark.parametrize(
    ("source", "wanted", "line", "indent", "length"),
    [
        ("a = 東京\n", "京", "a = 東京", 6, 2),
        ("\t\tab", "b", "        ab", 9, 1),
        ("e\u0301 = x", "x", "e\u0301 = x", 4, 1),
        ("a\u200bb\u00a0c", "c", "a\\u200bb\\xa0c", 12, 1),
        ("k = [ \r\n1]", "[ \r\n1", "k = [ ", 4, 1),
        ("k = ", "", "k = ", 0, 1),
    ],
)
def test_carets_stand_under_what_they_mean(source: str, wanted: str, line: str, indent: int, length: int) -> None:
    held = Source("x", source)
    start = source.index(wanted)
    snippet = cut(Spot("x", "", held, held.position(start), held.position(start + len(wanted))))
    assert snippet is not None
    assert (snippet.line, snippet.indent, snippet.length) == (line, indent, length)


@pytest.mark.parametrize(("before", "after"), [(3, 5000), (5000, 3), (100_000, 100_000), (60, 60), (0, 138)])
def test_a_long_line_is_cut_round_its_carets(before: int, after: int) -> None:
    held = Source("x", "東" * before + "BAD" + "y" * after)
    snippet = cut(Spot("x", "", held, held.position(before), held.position(before + 3)))
    assert snippet is not None
    assert width(snippet.line) <= WIDEST + 2
    shown = "".join(character * width(character) for character in snippet.line)
    assert shown[snippet.indent : snippet.indent + snippet.length] == "BAD"


def test_no_character_that_a_terminal_obeys_is_printed() -> None:
    everything = "".join(map(chr, [*range(0x3000), *range(0xD800, 0xD900), 0xFEFF, 0x2028, 0xE0001]))
    assert all(character.isprintable() for character in printable(everything))
