"""A policy goes in; each end of each of its patterns comes out, with where it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.lint.column import SIDES, rows_of
from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.subjects import Need, Side
from grapharc.policy.owner.policy import BETWEEN_ENDS, Rule
from grapharc.policy.owner.selectors import ARROW, Glob, Selector
from grapharc.spec.finding import Place
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import item_path, value_at
from grapharc.spec.linked import END, START
from grapharc.spec.source import Span


@frozen
class Pattern:
    """What a rule asks of one end of a request, or of what stands between the ends."""

    rule: Rule
    selector: Selector
    side: Side
    place: Place

    @property
    def need(self) -> Need:
        """What it asks of a subject."""
        return self.selector, self.rule.effect

    @property
    def where(self) -> str:
        """Where it is looked for, in words."""
        return _WHERE[self.side]


_WHERE: Mapping[Side, str] = {
    "kind": "kind of a node",
    "tool": "kind of a tool",
    "spend": "kind that spends",
    "edge source": "start of an edge",
    "edge target": "end of an edge",
    "path source": "start of a path",
    "path target": "end of a path",
    "flow": "end of a flow",
}


def patterns(linting: Linting) -> Iterator[Pattern]:
    """Yield every end of every pattern of rules that are not damaged."""
    written = linting.policy.text.value
    for rule in linting.rules:
        sides = SIDES[rule.resource]
        for number, row in enumerate(rows_of(rule)):
            path = item_path(written, rule.part("match").path, number)
            spans = _spans(str(value_at(written, path))) if rule.resource in BETWEEN_ENDS else (None,)
            for selector, side, span in zip(row.selectors, sides, spans, strict=True):
                yield Pattern(rule, selector, side, Place(rule.place.document, path, within=span))
        for number, selector in enumerate(rule.unless_via):
            path = item_path(written, rule.part("unless_via").path, number)
            yield Pattern(rule, selector, "kind", Place(rule.place.document, path))


def _spans(text: str) -> tuple[Span, Span]:
    """Where the two ends stand in ``SOURCE -> TARGET``."""
    left, _, right = text.partition(ARROW)
    start = len(text) - len(right.lstrip(" "))
    return Span(0, len(left.rstrip(" "))), Span(start, len(text))


def is_sentinel_misspelt(pattern: Pattern) -> bool:
    """Tell whether a pattern at the end of an edge or a path is nearly a sentinel, and none."""
    return pattern.side.startswith(("edge", "path")) and bool(sentinel_meant(pattern.selector))


def sentinel_meant(selector: Selector) -> str:
    """Return the sentinel that a glob spells otherwise than documents do, or ""."""
    if not isinstance(selector, Glob) or selector.pattern in (START, END):
        return ""
    return {"start": START, "end": END}.get(selector.pattern.strip("_").casefold(), "")
