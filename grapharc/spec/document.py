"""One document as it was read: its value, its typed model as far as one could be made, and where everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.marks import Mark
from grapharc.spec.source import Position, Source, Span

Syntax: TypeAlias = Literal["json", "toml"]
DocumentKind: TypeAlias = Literal["graph", "policy", "registry", "manifest", "project", "test", "approvals"]

ModelT = TypeVar("ModelT", covariant=True)


class Layout(Protocol):
    """What a reader knows about places: made once, asked lazily."""

    root: Mark
    """The mark of the whole, for whoever goes through a document as it is written."""

    def span(self, path: Path, part: Literal["value", "key"] = "value") -> Span:
        """Return where a value or its key stands; for a path that is not there, the nearest one above it that is."""
        ...

    def mark(self, path: Path) -> Mark | None:
        """Return the mark of what a path leads to; None where it leads to nothing."""
        ...

    def inner(self, path: Path, within: Span) -> Span:
        """Return where a range of a string value's decoded text stands in the source."""
        ...


@frozen(slots=False)
class Text:
    """What a reader made of a source: the value that could be made out, faults left aside, and its layout."""

    source: Source
    syntax: Syntax
    value: Json
    layout: Layout
    complete: bool
    """Whether the whole text was understood: there are no holes."""
    holes: frozenset[Path] = frozenset()
    """Where, after a fault of the writing, something is missing from ``value``: a value that could not be made out, or
    a container in which an unknown part could not."""


@frozen(slots=False)
class Document(Generic[ModelT]):
    """A text with its typed model. ``model`` holds what was well formed; ``damaged`` names the paths left out of it.

    A later stage must not report that something is missing where it, or what holds it, is damaged. ``findings`` are
    those of reading it: they travel with it, so that nothing made from a faulty document can pass for faultless.
    """

    text: Text
    kind: DocumentKind
    model: ModelT
    damaged: frozenset[Path] = field(default=frozenset())
    findings: tuple[Finding, ...] = ()

    @property
    def path(self) -> str:
        """The path the document is shown under."""
        return self.text.source.path

    def is_damaged(self, path: Path) -> bool:
        """Tell whether something was left out at, beneath or above a path."""
        if not self.damaged:
            return False
        return self.has_hole(path) or any(path[:end] in self.damaged for end in range(len(path)))

    def has_hole(self, path: Path) -> bool:
        """Tell whether something was left out at or beneath a path."""
        return path in self._above_holes

    @cached_property
    def _above_holes(self) -> frozenset[Path]:
        return frozenset(hole[:end] for hole in self.damaged for end in range(len(hole) + 1))


def locate(place: Place, texts: Mapping[str, Text]) -> tuple[Position, Position] | None:
    """Look up the first and the last position of a place; None for a document that was never read."""
    text = texts.get(place.document)
    if text is None:
        return None
    if place.span is not None:
        span = place.span
    elif place.within is not None:
        span = text.layout.inner(place.path, place.within)
    else:
        span = text.layout.span(place.path, place.part)
    return text.source.position(span.start), text.source.position(span.end)
