"""A text and the names of relaxations go in; the relaxed text, and where each of its characters came from, come out.

Each one makes a citation match that differs in something a typesetter changes and an author does not mean. They are
off unless they are asked for, and a verdict says which were on.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Collection, Mapping
from typing import Literal, TypeAlias, get_args

from grapharc.spec.frozen import frozen

Relaxation: TypeAlias = Literal["nfc", "quotes", "soft_hyphens"]
RELAXATIONS: tuple[Relaxation, ...] = get_args(Relaxation)

_QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033", "''''\"\"\"\"'\"")
_SOFT_HYPHEN = re.compile("\u00ad(?:[ \t]*\r?\n[ \t]*)?")
_CLUSTER = re.compile(r".[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]*", re.DOTALL)


@frozen
class Relaxed:
    """A relaxed text; ``origins[i]`` is the offset that character ``i`` came from, and one more for the end."""

    text: str
    origins: array[int]


def relax(text: str, names: Collection[Relaxation]) -> Relaxed:
    """Apply relaxations in a fixed order, whatever order they are named in."""
    relaxed = Relaxed(text, array("L", range(len(text) + 1)))
    for name in RELAXATIONS:
        if name in names:
            relaxed = _STEPS[name](relaxed)
    return relaxed


def _without_soft_hyphens(relaxed: Relaxed) -> Relaxed:
    return _rewritten(relaxed, _SOFT_HYPHEN, lambda _: "")


def _composed(relaxed: Relaxed) -> Relaxed:
    return _rewritten(relaxed, _CLUSTER, lambda cluster: unicodedata.normalize("NFC", cluster))


def _with_straight_quotes(relaxed: Relaxed) -> Relaxed:
    return Relaxed(relaxed.text.translate(_QUOTES), relaxed.origins)


_STEPS: Mapping[Relaxation, Callable[[Relaxed], Relaxed]] = {
    "soft_hyphens": _without_soft_hyphens,
    "nfc": _composed,
    "quotes": _with_straight_quotes,
}


def _rewritten(relaxed: Relaxed, pattern: re.Pattern[str], rewrite: Callable[[str], str]) -> Relaxed:
    """Replace every match; the characters of a replacement all come from where the match began."""
    parts: list[str] = []
    origins = array("L")
    position = 0
    for match in pattern.finditer(relaxed.text):
        new = rewrite(match[0])
        if new == match[0]:
            continue
        parts += (relaxed.text[position : match.start()], new)
        origins.extend(relaxed.origins[position : match.start()])
        origins.extend([relaxed.origins[match.start()]] * len(new))
        position = match.end()
    parts.append(relaxed.text[position:])
    origins.extend(relaxed.origins[position:])
    return Relaxed("".join(parts), origins)
