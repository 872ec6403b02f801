"""How a run's outputs are shown to a person: no JSON, and nothing that a terminal obeys."""

from __future__ import annotations

import pytest

from grapharc.cli.rendering.outputs import output_lines
from grapharc.spec.json_value import Json


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("one line", ["out: one line"]),
        ("two\nlines", ["out:", "  two", "  lines"]),
        (None, ["out: null"]),
        ([], ["out: []"]),
        ({"b": 1, "a": "x"}, ["out:", "  a: x", "  b: 1"]),
        (
            [{"text": "x", "found": [{"end": 9, "start": 1}, {"end": 19, "start": 11}]}],
            [
                "out:",
                "  - found:",
                "      - end: 9",
                "        start: 1",
                "      - end: 19",
                "        start: 11",
                "    text: x",
            ],
        ),
        ([[1, [True]], {}], ["out:", "  - - 1", "    - - true", "  - {}"]),
        ({"a\x1b": ["b\x1b"]}, ["out:", "  a\\x1b:", "    - b\\x1b"]),
    ],
)
def test_what_has_parts_has_a_line_for_each(value: Json, lines: list[str]) -> None:
    assert list(output_lines("out", value)) == lines


def test_what_lies_very_deep_ends_in_a_line() -> None:
    value: Json = 1
    for _ in range(400):
        value = [value]
    (_, line) = output_lines("out", value)
    assert line.lstrip(" -") == "[" * 392 + "1" + "]" * 392
