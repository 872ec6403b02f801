"""Everything that was found goes in; what counts comes out, and what somebody accepts, with a fingerprint for each.

The order is fixed: what a document accepts, what the baseline accepts, the levels of the project, the choice of codes.
So no answer depends on which of them came first, and a finding keeps its fingerprint whatever becomes of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from grapharc.policy.suppress import Accepted, Suppressions
from grapharc.project.baseline import Baseline, stale_entry
from grapharc.project.choice import EVERYTHING, Choice
from grapharc.project.extent import Extent
from grapharc.project.fingerprints import fingerprints
from grapharc.project.severities import Levels, at_its_level
from grapharc.spec.document import Text
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.in_order import in_order

IN_BASELINE = "it was there when the baseline was made"


@frozen
class Terms:
    """What is done with findings besides what documents say: the day, a baseline, levels and a choice of codes."""

    today: date
    baseline: Baseline | None = None
    choice: Choice = EVERYTHING
    levels: Levels = field(default_factory=Levels)


@frozen
class Settled:
    """Findings that count, each with its fingerprint, and findings that are accepted."""

    findings: tuple[Finding, ...]
    fingerprints: tuple[str, ...]
    accepted: tuple[Accepted, ...]


def settle(found: tuple[Finding, ...], texts: Mapping[str, Text], terms: Terms, extent: Extent) -> Settled:
    """Settle what counts of the findings ``found``, which are in order."""
    suppressions = Suppressions(texts, terms.today)
    more = [*suppressions.faults(found, sorted(extent.documents), extent.judged)]
    if not found and not more and terms.baseline is None:
        return Settled((), (), ())
    found = in_order((*found, *more), texts) if more else found
    marked = list(zip(found, fingerprints(found, texts), strict=True))
    counted: list[tuple[Finding, str]] = []
    accepted: list[Accepted] = []
    for finding, mark in marked:
        spared = _spared(finding, mark, suppressions, terms.baseline)
        if spared is None:
            counted.append((finding, mark))
        else:
            accepted.append(replace(spared, fingerprint=mark))
    if terms.baseline is not None:
        counted = _with(counted, _faults_of(terms.baseline, {mark for _, mark in marked}, extent))
    kept = [(levelled, mark) for finding, mark in counted if (levelled := _counts(finding, terms)) is not None]
    return Settled(tuple(each for each, _ in kept), tuple(mark for _, mark in kept), tuple(accepted))


def _spared(finding: Finding, mark: str, suppressions: Suppressions, baseline: Baseline | None) -> Accepted | None:
    spared = suppressions.accepted(finding)
    if spared is None and baseline is not None and baseline.accepts(finding, mark):
        return Accepted(finding, IN_BASELINE)
    return spared


def _faults_of(baseline: Baseline, met: set[str], extent: Extent) -> list[tuple[Finding, str]]:
    """What is wrong with a baseline: its own faults, and entries whose findings are gone."""
    stale = baseline.stale(met, extent)
    texts = {baseline.path: baseline.text}
    found = in_order((*baseline.findings, *(stale_entry(baseline, entry) for entry in stale)), texts)
    return list(zip(found, fingerprints(found, texts), strict=True))


def _with(marked: list[tuple[Finding, str]], more: list[tuple[Finding, str]]) -> list[tuple[Finding, str]]:
    """Put findings of another document in their place."""
    return sorted((*marked, *more), key=lambda pair: pair[0].place.document)  # a stable sort, and both are sorted


def _counts(finding: Finding, terms: Terms) -> Finding | None:
    return at_its_level(finding, terms.levels) if terms.choice.takes(finding.code) else None
