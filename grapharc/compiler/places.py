"""Where an expression is written goes in; a function that shows where a part of it stands comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.document import Text, locate
from grapharc.spec.finding import Place
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import value_at
from grapharc.spec.source import Span

Where: TypeAlias = "Callable[[Span], str]"
"""Shows where a part of an expression stands, as ``document:line:column``; "" where no document says it."""


def whereabouts(place: Place, expression: str, texts: Mapping[str, Text]) -> Where:
    """Return what shows parts of an expression. One that only follows from what stands at its place is shown whole."""

    def where(part: Span) -> str:
        text = texts.get(place.document)
        if text is not None and value_at(text.value, place.path) == expression:
            found = locate(replace(place, within=part), texts)
        else:
            found = locate(place, texts)
        return f"{place.document}:{found[0].line}:{found[0].column}" if found is not None else ""

    return where
