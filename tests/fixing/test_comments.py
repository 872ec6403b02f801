"""Fixes of lists in brackets: every comment survives, behind the entry that it stood behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from grapharc.cli.main import main
from grapharc.project.candidates import candidates
from grapharc.spec.comments import comments
from grapharc.spec.document import Text
from grapharc.spec.edits.replacement import replaced
from grapharc.spec.finding import Edit, Finding, Fix, Place
from grapharc.spec.json_value import Json
from grapharc.spec.reading.text import read_text

ENTRIES = ('{ n = "e0" }', '{ n = "e1#" }', '[ "e2", # within\n ]')
NEW: Json = {"n": "new"}


def lists() -> Iterator[str]:
    """Lists of up to three entries in every manner: on lines or not, commas before, behind or below, comments about."""
    opened = ("m = [", "m = [\n  ", "m = [ # head\n  ", "m = [ # head\n  # over e0\n  ")
    joints = (", ", ",\n  ", ", # to #N\n  ", " # to #N\n  , ", ",\n\n  # over #N\n  ")
    closings = ("]", ",]", "\n]", ",\n]", " # to #N\n]", ", # to #N\n]", "\n# below\n]", " # to #N\n , # odd\n]")
    for opening in opened:
        yield opening + "]" if opening.endswith("[") else opening + "\n]"
        for count, joint, closing in product((1, 2, 3), joints, closings):
            parts = [opening]
            for index, entry in enumerate(ENTRIES[:count]):
                end = joint if index + 1 < count else closing
                over = end.replace("over #N", f"over e{index + 1}")
                parts += [entry, over.replace("#N", f"e{index}")]
            yield "".join(parts)


def mended(source: str, edit: Edit) -> Text | None:
    text, faults = read_text(source.encode(), "graph.toml", "toml")
    assert not faults, source
    finding = Finding("implied_end", Place("graph.toml"), fixes=(Fix("graph.toml", (edit,), safe=True),))
    found = candidates([finding], {"graph.toml": text}, unsafe=False)
    if not found:
        return None
    return read_text(replaced(source, found[0].replacements).encode(), "graph.toml", "toml")[0]


def beside(source: str) -> list[tuple[str, str]]:
    """Each comment with the entry that it stands at: the next one where it says so, else the one before it."""
    found: list[tuple[str, str]] = []
    for offset, comment in comments(source):
        before = re.findall(r'"(e\d|new)', source[:offset])
        behind = re.findall(r'"(e\d|new)', source[offset:])
        near = behind[:1] if comment.startswith("# over") else before[-1:]
        found.append((comment.rstrip(), "".join(near)))
    return found


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("after", ["\n", "  # behind it all\n"])
def test_every_comment_survives_behind_the_same_entry(newline: str, after: str) -> None:
    made = 0
    for source in (f"{each}{after}".replace("\n", newline) for each in lists()):
        entries = sum(f'"e{index}' in source for index in range(3))
        for edit in (Edit("append", ("m",), NEW), *(Edit("remove", ("m", index)) for index in range(entries))):
            text = mended(source, edit)
            if text is None:
                assert "#" in source, source
                continue
            made += 1
            changed = text.source.text
            assert [comment for comment, _ in beside(changed)] == [comment for comment, _ in beside(source)]
            for (comment, was), (_, now) in zip(beside(source), beside(changed), strict=True):
                if re.match(r"# (to|over|within)", comment):
                    assert was == now, (source, changed)
    assert made > 500


def test_a_list_that_has_entries_always_has_room_for_another() -> None:
    for source in lists():
        if '"e0"' in source:
            text = mended(f"{source}\n", Edit("append", ("m",), NEW))
            assert text is not None, source
            assert isinstance(text.value, dict)
            assert "\n \n" not in text.source.text, source


def test_an_empty_list_with_a_comment_stays() -> None:
    assert mended("m = [\n  # keep me\n]\n", Edit("append", ("m",), NEW)) is None
    for empty in ("[]", "[ ]", "[\n]"):
        text = mended(f"m = {empty}\n", Edit("append", ("m",), NEW))
        assert text is not None
        assert text.source.text == 'm = [{ n = "new" }]\n'


def test_what_is_replaced_takes_no_comment_along() -> None:
    assert mended("m = [\n  1, # one\n]\n", Edit("replace", ("m",), NEW)) is None
    assert mended("m = [\n  [\n 1, # one\n ],\n 2]\n", Edit("remove", ("m", 0))) is None


HEAD = """\
state = { x = { type = "integer", input = true }, y = { type = "integer", default = 0, output = true } }
nodes = [{ name = "a", kind = "control.set", reads = { value = "x" }, writes = { result = "y" } }]
"""


@pytest.mark.parametrize("comma", ["", ","])
def test_the_implied_end_is_written_below_the_comment(tmp_path: Path, comma: str) -> None:
    path = tmp_path / "graph.toml"
    edge = '  { source = "__start__", target = "a" }'
    path.write_text(f"{HEAD}edges = [\n{edge}{comma}  # the only way in\n]\n", "utf-8")
    assert main(["check", "--fix", str(path)]) == 0
    new = f'  {{ source = "a", target = "__end__" }}{comma}'
    assert path.read_text("utf-8") == f"{HEAD}edges = [\n{edge},  # the only way in\n{new}\n]\n"
