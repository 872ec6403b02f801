"""The text of a rule's ``match`` goes in; what it selects, or the faults in it, comes out, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from grapharc.spec.finding import Value
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import inert_character
from grapharc.spec.offers import CAPABILITIES
from grapharc.spec.source import Span
from grapharc.spec.suggest import suggest

ARROW = "->"


@frozen
class Glob:
    """Kinds whose name matches."""

    pattern: str


@frozen
class HasCapability:
    """Kinds that may touch something, ``capability:NAME``."""

    name: str


@frozen
class HasLabel:
    """Kinds that add a label to what they write, ``label:NAME``."""

    name: str


@frozen
class HasRole:
    """Kinds that call a model in a role, ``role:NAME``; only for spend."""

    name: str


Selector: TypeAlias = "Glob | HasCapability | HasLabel | HasRole"


@frozen
class EdgeSelector:
    """Edges by what stands at both ends."""

    source: Selector
    target: Selector


@frozen
class Fault:
    """What is wrong in a pattern: a code, the range of its text, and the values of the message."""

    code: str
    span: Span
    values: Mapping[str, Value]


def spelt(selector: Selector) -> str:
    """Return a selector as a policy spells it."""
    match selector:
        case Glob():
            return selector.pattern
        case HasCapability():
            return f"capability:{selector.name}"
        case HasLabel():
            return f"label:{selector.name}"
        case HasRole():
            return f"role:{selector.name}"


def ends_spelt(edge: EdgeSelector) -> str:
    """Return both ends as a policy spells them."""
    return f"{spelt(edge.source)} {ARROW} {spelt(edge.target)}"


def parse_kind(text: str, subject: str, *, roles: bool = False) -> Selector | Fault:
    """Read a selector of kinds; ``subject`` is what messages call the place where it stands."""
    if ARROW in text:
        return Fault("match_is_an_edge", Span(0, len(text)), {"match": text, "subject": subject})
    return _parse(text, 0, _WITH_ROLES if roles else _PREFIXES)


def parse_ends(text: str, resource: str) -> EdgeSelector | Fault:
    """Read ``SOURCE -> TARGET``; spaces round the arrow are free."""
    if text.count(ARROW) != 1:
        return Fault("match_is_no_edge", Span(0, len(text)), {"match": text, "resource": resource})
    left, _, right = text.partition(ARROW)
    source = _parse(left.rstrip(" "), 0, _PREFIXES)
    target = _parse(right.lstrip(" "), len(text) - len(right.lstrip(" ")), _PREFIXES)
    if isinstance(source, Fault):
        return source
    return target if isinstance(target, Fault) else EdgeSelector(source, target)


def _parse(text: str, offset: int, prefixes: Mapping[str, Callable[[str], Selector]]) -> Selector | Fault:
    prefix, colon, name = text.partition(":")
    if not colon:
        return _checked(text, offset, Glob(text))
    make = prefixes.get(prefix)
    if make is None:
        near = suggest(prefix, prefixes)
        values = {"prefix": prefix, "suggestion": near, "known": tuple(f"{known}:" for known in prefixes)}
        return Fault("unknown_selector", Span(offset, offset + len(prefix)), values)
    start = offset + len(prefix) + 1
    if prefix == "capability" and name not in CAPABILITIES:
        values = {"capability": name, "suggestion": suggest(name, CAPABILITIES), "known": tuple(CAPABILITIES)}
        return Fault("unknown_capability", Span(start, start + len(name)), values)
    wild = next((index for index, character in enumerate(name) if character in "*?"), None)
    if wild is not None:
        span = Span(start + wild, start + wild + 1)
        return Fault("selector_is_no_glob", span, {"prefix": prefix, "pattern": name, "character": name[wild]})
    return _checked(name, start, make(name))


def _checked(pattern: str, offset: int, selector: Selector) -> Selector | Fault:
    if not pattern:
        return Fault("empty_pattern", Span(offset, offset), {})
    inert = inert_character(pattern)
    if inert is None:
        return selector
    index, character = inert
    span = Span(offset + index, offset + index + 1)
    return Fault("inert_pattern", span, {"pattern": pattern, "character": character})


_PREFIXES: Mapping[str, Callable[[str], Selector]] = {"capability": HasCapability, "label": HasLabel}
_WITH_ROLES: Mapping[str, Callable[[str], Selector]] = {**_PREFIXES, "role": HasRole}
