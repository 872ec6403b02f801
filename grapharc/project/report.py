"""What checking found: the documents that were looked at, every finding, in order and once, and the admissions."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.policy.admission import Admission
from grapharc.project.settings import Settings
from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding, Severity
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import is_dict
from grapharc.spec.reasons import severity

_TELLING = frozenset(
    {"nodes", "edges", "state", "budget"}
    | {"rule", "default", "limits", "tenants"}
    | {"use", "models", "extends"}
    | {"kind", "grapharc", "severity", "approvers"}
)

_WRITTEN = frozenset({"bytes", "character", "escape", "found", "key", "value"})
"""Values of findings that hold what stands in a document."""


@frozen
class Looked:
    """One document that was looked at; ``kind`` is None where that could not be told."""

    path: str
    kind: DocumentKind | None


@frozen
class Report:
    """The documents in the order of their paths, what was found in them, and the texts to show it in.

    ``admissions`` has one for each graph that could be judged and each tenant that it was judged for, the refused ones
    too. ``settings`` and ``layers`` (by path, of the registry and the policies) say what it was checked under, and who
    said so.
    """

    documents: tuple[Looked, ...]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]
    admissions: tuple[Admission, ...] = ()
    settings: Settings | None = None
    layers: Mapping[str, str] = field(default_factory=dict[str, str])

    def count(self, wanted: Severity) -> int:
        """Return how many findings are of one severity."""
        return sum(severity(finding) == wanted for finding in self.findings)

    @property
    def is_refused(self) -> bool:
        """Tell whether the answer is no."""
        return any(map(is_error, self.findings))


def is_error(finding: Finding) -> bool:
    """Tell whether a finding alone makes the answer no."""
    return severity(finding) == "error"


def is_ours(text: Text) -> bool:
    """Tell whether a text looks like one of our documents: of any other, no line is ever printed.

    The ``kind`` of ours is a list of tables; many a format has one that is a word.
    """
    return is_dict(text.value) and any(
        key in _TELLING and not (key == "kind" and isinstance(value, str)) for key, value in text.value.items()
    )


def without_content(finding: Finding) -> Finding:
    """Leave out what a finding repeats of its document, unless that is nearly a word of ours: it may be a secret."""
    if finding.values.get("suggestion"):
        return finding
    values = {name: "..." if name in _WRITTEN else value for name, value in finding.values.items()}
    return replace(finding, values=values, subject="", fixes=())
