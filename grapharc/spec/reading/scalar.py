"""What reading one scalar gives, and how a message shows the text that could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from grapharc.spec.json_value import Json

SHOWN = 30

_TOKEN = re.compile(
    r'"(?:[^"\\\n]++|\\[^\n])*+"?+|\'(?:[^\'\\\n]++|\\[^\n])*+\'|[\w$.+-]++|\r?\n|.',
    re.DOTALL,
)


class Scalar(NamedTuple):
    """What was read. Without ``known`` the text is used up and no value came of it; nor was it ``closed``, perhaps."""

    value: Json
    end: int
    known: bool = True
    closed: bool = True


def shown(text: str) -> str:
    """Return a text as a message prints it: short, and without characters that have no shape."""
    if not text.isprintable():
        return " ".join(f"U+{ord(character):04X}" for character in text[:3])
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the word that was probably meant, or nothing."""
    from grapharc.spec.suggest import suggest  # few documents have such a fault

    return suggest(word, known)


def token(text: str, at: int) -> tuple[str, int]:
    """Return what stands at an offset as a message prints it, and the offset after it."""
    found = _TOKEN.match(text, at)
    if found is None:
        return "the end of the document", at
    if found[0].endswith("\n"):
        return "the end of the line", at
    return f"'{shown(found[0])}'", found.end()
