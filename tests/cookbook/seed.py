"""What others printed when they ran their recipes: read from the seed, where it lies beside the repository."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest

SEED = (
    Path(__file__).resolve().parents[3] / "shared" / "seeds" / "grapharc_cookbook_verification_and_memory.txt"
)  # fmt: skip

VARYING = re.compile(r"\b[0-9a-f]{12}\b|pid=\d+|\d{4}-\d\d-\d\dT[\d:.]+\+00:00")
"""Ids, process numbers and moments differ from run to run."""


@cache
def _text() -> str:
    return SEED.read_text("utf-8") if SEED.is_file() else ""


def printed(question: str, begins: str, lines: int | None = None) -> list[str]:
    """Return what a recipe printed: from the line that begins so to the next empty one, or that many lines.

    Skips the test where the seed is absent, which in CI is a failure.
    """
    if not _text():
        if os.environ.get("CI"):
            pytest.fail(f"{SEED} is absent, and CI must have it")
        pytest.skip("../shared/seeds is absent")
    recipe = _text().split(f"\n{question}\n", 1)[1].splitlines()
    start = next(number for number, line in enumerate(recipe) if line.startswith(begins))
    if lines is not None:
        return recipe[start : start + lines]
    return recipe[start : recipe.index("", start)]


def steady(text: str) -> list[str]:
    """Return lines with what varies from run to run left open."""
    return [VARYING.sub("<>", line.rstrip()) for line in text.splitlines()]
