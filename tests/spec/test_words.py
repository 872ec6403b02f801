"""A closed set of words has one name in one place, so that a word that is added is added everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import grapharc


def test_no_two_type_aliases_are_for_the_same_words() -> None:
    first: dict[frozenset[object], str] = {}
    twice = [f"{name} and {first[words]}" for words, name in aliases() if first.setdefault(words, name) != name]
    assert len(first) > 20
    assert twice == []


def aliases() -> Iterator[tuple[frozenset[object], str]]:
    """Yield the words of each alias for a literal type, and where it is declared."""
    package = Path(grapharc.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            match node:
                case ast.AnnAssign(
                    target=ast.Name(id=name), value=ast.Subscript(value=ast.Name(id="Literal"), slice=inner)
                ):
                    words = frozenset(each.value for each in ast.walk(inner) if isinstance(each, ast.Constant))
                    yield words, f"{path.relative_to(package)}:{name}"
