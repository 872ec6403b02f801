"""Globs over kinds, beside the standard library's, whose two wildcards mean the same."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.globs import FORBIDDEN, inert_character, matches


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("tool.*", "tool.read_file", True),
        ("tool.*", "tool.", True),
        ("tool.*", "my.tool.read", False),
        ("*", "__start__", True),
        ("*", "", True),
        ("", "", True),
        ("?", "", False),
        ("tool.????_file", "tool.read_file", True),
        ("Tool.*", "tool.read_file", False),
        ("a.b", "axb", False),
        ("*.read*", "tool.read_file", True),
        ("tool", "tool.read", False),
    ],
)
def test_a_glob_is_anchored_and_case_sensitive(pattern: str, name: str, expected: bool) -> None:
    assert matches(pattern, name) is expected


@given(st.text("ab*?.", max_size=12), st.text("ab.", max_size=12))
def test_a_glob_means_what_fnmatch_means(pattern: str, name: str) -> None:
    assert matches(pattern, name) == fnmatchcase(name, pattern)


def test_an_evil_glob_is_decided_at_once() -> None:
    assert not matches("*a" * 5000 + "b", "a" * 64)


@pytest.mark.parametrize("character", [*sorted(FORBIDDEN), " ", "/", ":", "é"])
def test_a_character_that_no_kind_holds_is_found(character: str) -> None:
    assert inert_character(f"ab{character}c") == (2, character)
    assert inert_character("tool.*_file-2?") is None
