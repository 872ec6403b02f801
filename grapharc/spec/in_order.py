"""Findings of several stages and documents go in; each once, in the order of their places, they come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.spec.document import Text, locate
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import pointer


def in_order(findings: Iterable[Finding], texts: Mapping[str, Text]) -> tuple[Finding, ...]:
    """Sort findings by document, place and code; a fault that shows through several stages is kept once."""
    keyed = {_key(finding, texts): finding for finding in findings}
    return tuple(keyed[key] for key in sorted(keyed))


def _key(finding: Finding, texts: Mapping[str, Text]) -> tuple[str, int, int, str, str, str]:
    place = finding.place
    found = locate(place, texts)
    start, end = (found[0].offset, found[1].offset) if found else (0, 0)
    rest = repr((pointer(place.path), finding.subject, finding.rule or "", sorted(finding.values.items())))
    return place.document, start, end, finding.code, rest, repr(finding.witness)
