"""The colours of diagrams, by day and by night. What a colour says stands beside it in words or in the line's style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grapharc.compiler.diagrams.picture import Family


class Colours(NamedTuple):
    """Fills and strokes as ``#rrggbb``, on white and on black."""

    fill: str
    stroke: str
    dark_fill: str
    dark_stroke: str


FAMILIES: Mapping[Family, Colours] = {
    "pure": Colours("#f6f8fa", "#57606a", "#21262d", "#8b949e"),
    "reads": Colours("#e3f5e8", "#2c6e3f", "#12301c", "#56b870"),
    "writes": Colours("#fff3cf", "#8a6100", "#3a2d05", "#d9a520"),
    "model": Colours("#e4efff", "#0b5cad", "#0e2a4a", "#5aa6f5"),
    "runs": Colours("#ffe7de", "#a03a12", "#44190a", "#f0824f"),
    "human": Colours("#f1e8fd", "#6b3fa0", "#2d1a47", "#b287f0"),
    "field": Colours("#ffffff", "#57606a", "#161b22", "#8b949e"),
}

INK, DARK_INK = "#1f2328", "#e6edf3"
PAPER, DARK_PAPER = "#ffffff", "#0d1117"
FAINT, DARK_FAINT = "#57606a", "#9198a1"
REFUSED, DARK_REFUSED = "#b3261e", "#ff8078"
ASKED, DARK_ASKED = "#6b3fa0", "#c8a2ff"
ADDED, DARK_ADDED = "#116329", "#4ac26b"
EDGE, DARK_EDGE = "#424a53", "#adbac7"
"""Of each pair the first is for white, the second for black; both contrast at least 4.5 to 1 with their ground."""

FAINT_LINE, REFUSED_LINE, ADDED_LINE = "#6e7781", "#cf222e", "#1a7f37"
"""Strokes where nobody can tell which ground they will be on: they contrast at least 3 to 1 with both."""
