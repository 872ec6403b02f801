"""A text goes in; whether it may be shown comes out: of a file that is no document of ours, nothing is repeated."""

from __future__ import annotations

from grapharc.spec.document import Text
from grapharc.spec.finding import Finding, Value
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import is_dict

_TELLING = frozenset(
    {"nodes", "edges", "state", "budget"}
    | {"rule", "default", "limits", "tenants"}
    | {"use", "models", "extends"}
    | {"kind", "grapharc", "severity", "overrides", "approvers", "case"}
    | {"baseline", "approval"}
)

_WRITTEN = frozenset({"bytes", "character", "escape", "found", "key", "value"})
"""Values of findings that hold what stands in a document."""


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
    values = {name: "..." if _repeats(name, value) else value for name, value in finding.values.items()}
    return replace(finding, values=values, subject="", fixes=())


def _repeats(name: str, value: Value) -> bool:
    """What was found is quoted, unless nothing was: then the line or the document ends there."""
    return name in _WRITTEN and value not in ("the end of the line", "the end of the document")
