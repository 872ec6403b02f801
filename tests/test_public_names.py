"""The package's door: every public name is there, and nothing is imported before it is used."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import grapharc


@pytest.mark.parametrize("name", grapharc.__all__)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(grapharc, name)
    if name != "__version__":
        assert inspect.getdoc(value)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(grapharc.__file__).read_text("utf-8"))
    (typed,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = [alias.asname or alias.name for statement in typed.body for alias in statement.names]
    assert sorted(seen) == sorted(grapharc.__all__)
    assert dir(grapharc) == sorted(grapharc.__all__)


def test_what_is_not_there_is_said_in_the_words_of_python() -> None:
    with pytest.raises(AttributeError, match="module 'grapharc' has no attribute 'chekc'"):
        _ = grapharc.chekc
