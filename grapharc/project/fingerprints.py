"""Findings in order and their texts go in; a fingerprint for each comes out, the same after lines have moved.

It is made of the code, the document, the way to the place by names, the subject, the rule and the values: of nothing
that changes when something else is written above. Findings that agree in all of it are numbered in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from grapharc.project.ours import is_ours
from grapharc.spec.canonical import canonical
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding
from grapharc.spec.hashing import sha256
from grapharc.spec.json_value import Json, Path

DIGITS = 32
"""Of a SHA-256 in hexadecimal: more than enough to tell findings apart, and short enough to read in a diff."""

_NAMES = ("name", "id", "as", "kind", "role", "code", "chain", "source", "target", "when", "from", "paths")
"""The keys that tell one row of a list from the next, as far as a row has them."""

_OF_REMEDIES = ("registry", "project_file")
"""Values that only say where a finding could be mended: it is the same one in a project whose registry moves."""

_MOST = 200
"""A text that stands where no path leads counts with its first so many characters."""


def fingerprints(findings: Sequence[Finding], texts: Mapping[str, Text]) -> tuple[str, ...]:
    """Return a fingerprint for each finding, no two of them equal."""
    met: Counter[str] = Counter()
    return tuple(_numbered(_identity(finding, texts.get(finding.place.document)), met) for finding in findings)


def _numbered(identity: str, met: Counter[str]) -> str:
    met[identity] += 1
    number = f"#{met[identity]}" if met[identity] > 1 else ""
    return sha256(f"{identity}{number}".encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _identity(finding: Finding, text: Text | None) -> str:
    place = finding.place
    values: dict[str, Json] = {
        name: sorted(value) if isinstance(value, tuple) else value
        for name, value in finding.values.items()
        if name not in _OF_REMEDIES
    }
    where: list[Json] = list(_steps(place.path, text.value if text else None))
    if text is not None and place.span is not None and is_ours(text):
        where.append(text.source.text[place.span.start : place.span.end][:_MOST])
    return canonical([finding.code, place.document, place.part, where, finding.subject, finding.rule, values])


def _steps(path: Path, value: Json) -> Iterator[Json]:
    """Name each step of a path; an index only where what it leads to has no name."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
            yield str(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
            yield _name_of(value, step)
        else:
            value = None
            yield step


def _name_of(value: Json, index: int) -> Json:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        names = {key: value[key] for key in _NAMES if isinstance(value.get(key), str | list)}
        return canonical(names) if names else index
    return index
