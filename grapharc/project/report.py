"""What checking found: the documents that were looked at, every finding, in order and once, and the admissions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from grapharc.project.extent import Extent
from grapharc.project.settings import Settings
from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding, Severity
from grapharc.spec.frozen import field, frozen
from grapharc.spec.reasons import severity

if TYPE_CHECKING:
    from grapharc.policy.admission import Admission, Verdict  # what judges nothing, as laying out, has no use for it
    from grapharc.policy.suppress import Accepted


@frozen
class Looked:
    """One document that was looked at; ``kind`` is None where that could not be told."""

    path: str
    kind: DocumentKind | None


@frozen
class Judged:
    """What was decided about a graph for one tenant, ``by`` whom or, from another process, the graph's digest alone."""

    document: str
    tenant: str
    verdict: Verdict
    by: Admission | str

    @property
    def digest(self) -> str:
        """The graph's digest."""
        return self.by if isinstance(self.by, str) else self.by.graph_digest

    def __reduce__(self) -> tuple[type[Judged], tuple[str, str, Verdict, str]]:
        return Judged, (self.document, self.tenant, self.verdict, self.digest)


def judged(admission: Admission) -> Judged:
    """Return the gist of an admission."""
    return Judged(admission.graph.path, admission.tenant, admission.verdict, admission)


@frozen
class Report:
    """The documents in the order of their paths, what was found in them, and the texts to show it in.

    ``judged`` has one for each graph that could be judged and each tenant that it was judged for, the refused ones too;
    ``admissions`` has them whole, unless files were checked side by side. ``settings`` and ``layers`` (by path, of the
    registry and the policies) say what it was checked under, and who said so. ``accepted`` are findings that count for
    nothing, because their document or a baseline accepts them.

    ``fingerprints`` has one for each of the findings, where somebody made them. ``way`` leads from the repository's
    folder to the project's, for those who name files from there. ``extent`` says how far the check came.
    """

    documents: tuple[Looked, ...]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]
    admissions: tuple[Admission, ...] = ()
    settings: Settings | None = None
    layers: Mapping[str, str] = field(default_factory=dict[str, str])
    accepted: tuple[Accepted, ...] = ()
    fingerprints: tuple[str, ...] = ()
    way: str = ""
    judged: tuple[Judged, ...] = ()
    extent: Extent = Extent()

    def count(self, wanted: Severity) -> int:
        """Return how many findings are of one severity."""
        return sum(severity(finding) == wanted for finding in self.findings)

    @property
    def is_refused(self) -> bool:
        """Tell whether the answer is no."""
        return any(map(is_error, self.findings))

    def marked(self) -> Iterator[tuple[Finding, str]]:
        """Yield each finding with its fingerprint."""
        if self.findings and not self.fingerprints:
            from grapharc.project.fingerprints import fingerprints

            return zip(self.findings, fingerprints(self.findings, self.texts), strict=True)
        return zip(self.findings, self.fingerprints, strict=True)


def is_error(finding: Finding) -> bool:
    """Tell whether a finding alone makes the answer no."""
    return severity(finding) == "error"
