"""Replacements of ranges of a text go in, the text with all of them made comes out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.frozen import frozen
from grapharc.spec.source import Span


@frozen
class Replacement:
    """A range of a text, in code points, and what is to stand there instead."""

    span: Span
    text: str


def replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """Make replacements that do not clash."""
    parts: list[str] = []
    done = 0
    for each in sorted(replacements, key=lambda each: each.span):
        parts += [text[done : each.span.start], each.text]
        done = each.span.end
    return "".join([*parts, text[done:]])


def clash(some: Iterable[Replacement], others: Iterable[Replacement]) -> bool:
    """Tell whether two sets of replacements touch one another, so that only one of them can be made at a time."""
    others = list(others)
    return any(
        each.span.start <= other.span.end and other.span.start <= each.span.end for each in some for other in others
    )
