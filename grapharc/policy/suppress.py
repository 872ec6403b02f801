"""Findings and the documents they are in go in; those that an author has accepted, with a reason, come out apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import Json
from grapharc.spec.reasons import reason


def part_suppressed(
    findings: Iterable[Finding], texts: Mapping[str, Text], today: date
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Part findings into those that stand and those that are suppressed where they are; only lint can be."""
    standing: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in findings:
        is_accepted = reason(finding.code).reason_class == "lint" and _is_accepted(finding, texts, today)
        (suppressed if is_accepted else standing).append(finding)
    return tuple(standing), tuple(suppressed)


def _is_accepted(finding: Finding, texts: Mapping[str, Text], today: date) -> bool:
    text = texts.get(finding.place.document)
    return text is not None and any(_holds(row, finding.code, today) for row in _rows(text.value, finding.place))


def _rows(value: Json, place: Place) -> Iterable[Mapping[str, Json]]:
    """The rows of ``suppress`` in every table that holds a place."""
    for step in place.path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
        if isinstance(value, Mapping):
            rows = value.get("suppress")
            yield from (row for row in rows if isinstance(row, Mapping)) if isinstance(rows, list) else ()


def _holds(row: Mapping[str, Json], code: str, today: date) -> bool:
    until = row.get("until", "")
    return row.get("code") == code and bool(row.get("reason")) and (not until or _is_before_end(until, today))


def _is_before_end(until: Json, today: date) -> bool:
    try:
        return isinstance(until, str) and today <= date.fromisoformat(until)
    except ValueError:
        return False
