"""A range of a decoded string goes in; the range of the source that it was decoded from comes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grapharc.spec.source import Span


class Piece(NamedTuple):
    """``length`` decoded characters from offset ``decoded``, which the source spells from ``start`` to ``end``.

    Where both are equally long they correspond one to one; else the piece is an escape, which is never split.
    """

    decoded: int
    length: int
    start: int
    end: int


def narrow(pieces: Iterable[Piece], within: Span) -> Span:
    """Find the source of a range of decoded characters; what lies beyond the last one counts as its end."""
    start = end = -1
    stop = 0
    for piece in pieces:
        reach = piece.decoded + piece.length
        if start < 0 and within.start < reach:
            start = _source(piece, within.start, piece.start)
        if end < 0 and within.start < within.end <= reach:
            end = _source(piece, within.end, piece.end)
        stop = piece.end
    start = stop if start < 0 else start
    return Span(start, max(start, stop if end < 0 and within.end > within.start else end))


def _source(piece: Piece, decoded: int, otherwise: int) -> int:
    one_to_one = piece.length == piece.end - piece.start
    return piece.start + decoded - piece.decoded if one_to_one else otherwise
