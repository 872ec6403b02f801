"""A finding goes in, its words come out: the catalogue ``reasons.toml``, read when there is something to word.

What only a run can be told is in ``endings.toml``.

A template holds ``{name}``, which prints a value of the finding, and ``[[ ... ]]``, which is left out when a value
in it is missing or empty; of parts that ``|`` joins, ``[[ ... ]]|[[ ... ]]``, a finding has at most one. A list prints
as its quoted items in order. ``{{`` and ``}}`` are literal braces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from grapharc.spec.finding import Finding, Related, Severity, Value
from grapharc.spec.frozen import frozen
from grapharc.spec.package_data import package_data

ReasonClass: TypeAlias = Literal["soundness", "authority", "lint"]

# A check that finds nothing words nothing, so that patterns are compiled, and kept by re, when they are used.
_OPTIONAL = r"(?s)\[\[(.*?)\]\]"
_VALUE = r"\{\{|\}\}|\{([a-z_]+)\}"


@frozen
class Reason:
    """One code: what class of fault it is, how it is worded, why it matters, how it is mended.

    ``bad`` and ``good`` are the lines of a document that matter; a test finds them in the code's two documents.
    """

    code: str
    reason_class: ReasonClass
    severity: Severity
    message: str
    why: str
    remedy: str
    bad: str
    good: str


@frozen
class Ending:
    """A code of the runtime: what ends a run or keeps one from starting. No document alone can show it."""

    code: str
    message: str
    why: str
    remedy: str


if TYPE_CHECKING:  # making these takes longer than all else here
    from typing import TypedDict

    # "class" is no name that Python lets a class body hold, so this shape is written as a call.
    _Row = TypedDict(
        "_Row",
        {
            "class": ReasonClass,
            "severity": Severity,
            "message": str,
            "why": str,
            "remedy": str,
            "bad": str,
            "good": str,
        },
    )

    class _Note(TypedDict):
        message: str

    class _Tables(TypedDict):
        code: dict[str, _Row]
        notes: dict[str, _Note]


def reasons() -> Mapping[str, Reason]:
    """Return every code with its reason, in the order of the catalogue."""
    return _catalogue()[0]


@cache
def endings() -> Mapping[str, Ending]:
    """Return what ends runs, by code, in the order of the catalogue."""
    import tomllib  # not before there is something to word

    rows = tomllib.loads(package_data("spec/endings.toml").decode())
    return {code: Ending(code, row["message"], row["why"], row["remedy"]) for code, row in rows.items()}


def reason(code: str) -> Reason:
    """Look a code up. Raises KeyError for one that the catalogue does not have."""
    return reasons()[code]


def severity(finding: Finding) -> Severity:
    """Return how bad a finding is: its own severity, else its code's."""
    return finding.severity or reason(finding.code).severity


def message(finding: Finding) -> str:
    """Say what is wrong."""
    return fill(reason(finding.code).message, _values(finding))


def remedy(finding: Finding) -> str:
    """Say what would mend it."""
    return fill(reason(finding.code).remedy, _values(finding))


def related_note(related: Related) -> str:
    """Say why a second place is shown."""
    return fill(_catalogue()[1][related.note], related.values)


def notes() -> Mapping[str, str]:
    """Return the template of every note about a related place."""
    return _catalogue()[1]


def fill(template: str, values: Mapping[str, Value]) -> str:
    """Fill a template. Raises KeyError for a value that is missing outside of an optional part."""
    template = template.replace("]]|[[", "]][[")
    kept = re.sub(_OPTIONAL, lambda part: part[1] if _has_all(part[1], values) else "", template)
    return re.sub(_VALUE, lambda value: _show(values[value[1]]) if value[1] else value[0][0], kept)


def _has_all(part: str, values: Mapping[str, Value]) -> bool:
    return all(values.get(name, "") not in ("", ()) for name in re.findall(_VALUE, part) if name)


def _show(value: Value) -> str:
    match value:
        case tuple():
            return ", ".join(f"'{item}'" for item in sorted(value))
        case float():
            return repr(value).removesuffix(".0")
        case str() | int():
            return str(value)


def _values(finding: Finding) -> Mapping[str, Value]:
    return {"subject": finding.subject, "rule": finding.rule or "", **finding.values}


@cache
def _catalogue() -> tuple[dict[str, Reason], dict[str, str]]:
    tables = _read_tables(package_data("spec/reasons.toml").decode())
    rows = {code: _reason(code, row) for code, row in tables["code"].items()}
    return rows, {slug: note["message"] for slug, note in tables["notes"].items()}


def _read_tables(text: str) -> _Tables:
    import tomllib  # not before there is something to word

    # tomllib gives Any; a test holds each row of our own file to this shape.
    tables: _Tables = tomllib.loads(text)  # pyright: ignore[reportAssignmentType]
    return tables


def _reason(code: str, row: _Row) -> Reason:
    return Reason(
        code,
        row["class"],
        row["severity"],
        row["message"],
        row["why"],
        row["remedy"],
        row["bad"],
        row["good"],
    )
