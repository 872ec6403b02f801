"""The text of a template goes in, its parts come out; with values for its ports they become a text again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.spec.canonical import canonical
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.source import Span


@frozen
class Hole:
    """``{port}`` or ``{port.field}``; ``span`` covers the braces too."""

    port: str
    field: str | None
    span: Span


@frozen
class Template:
    """A text with holes: literal text, braces unescaped, and holes in turn."""

    parts: tuple[str | Hole, ...]

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes in the order they are written."""
        return tuple(part for part in self.parts if isinstance(part, Hole))


TemplateFault: TypeAlias = "tuple[Literal['malformed_hole', 'unmatched_brace'], Span]"
"""A hole that names no port, or a brace without its other half."""

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
# Groups: the port and the field of a hole. What else stands between two braces is no hole.
_PIECE = re.compile(rf"\{{\{{|\}}\}}|\{{({_NAME})(?:\.({_NAME}))?\}}|\{{[^{{}}]*\}}|[{{}}]")


def parse_template(text: str) -> tuple[Template, tuple[TemplateFault, ...]]:
    """Take a template apart; what is wrong with it is left out of its parts and named."""
    parts: list[str | Hole] = []
    faults: list[TemplateFault] = []
    literal, last = "", 0
    for piece in _PIECE.finditer(text):
        start, end = piece.span()
        literal += text[last:start]
        last = end
        if piece[1] is not None:
            if literal:
                parts.append(literal)
                literal = ""
            parts.append(Hole(piece[1], piece[2], Span(start, end)))
        elif piece[0] in ("{{", "}}"):
            literal += piece[0][0]
        else:
            faults.append(("unmatched_brace" if end - start == 1 else "malformed_hole", Span(start, end)))
    literal += text[last:]
    if literal:
        parts.append(literal)
    return Template(tuple(parts)), tuple(faults)


def render(template: Template, values: Mapping[str, Json]) -> str:
    """Fill the holes: text goes in as it is, every other value as canonical JSON."""
    return "".join(part if isinstance(part, str) else _show(_value(part, values)) for part in template.parts)


def _value(hole: Hole, values: Mapping[str, Json]) -> Json:
    value = values[hole.port]
    if hole.field is None:
        return value
    if isinstance(value, Mapping) and hole.field in value:
        return value[hole.field]
    raise KeyError(f"{hole.port}.{hole.field}")


def _show(value: Json) -> str:
    return value if isinstance(value, str) else canonical(value)
