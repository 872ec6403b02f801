"""Kinds of a registry, or all that could be written, go in; those that could prove something about rules come out.

Without a registry there are endlessly many kinds, but few that matter. Every selector asks for something to be there: a
name of a certain form, a capability, a label, a role. So of all kinds that match some selectors, one that has nothing
else matches the fewest others, and whatever can be shown of a request to be let past a rule can be shown of it. Of each
way in which a name matches globs one name is looked at; under an alias, of each of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Literal, Protocol, TypeAlias

from grapharc.policy.lint.names import ALIASES, NameClass, name_classes
from grapharc.policy.owner.selectors import Glob, HasCapability, HasLabel, HasRole, Selector, spelt
from grapharc.policy.owner.selects import known_as
from grapharc.spec.documents.names import KEYWORDS
from grapharc.spec.documents.policy import Effect
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.globs import matches
from grapharc.spec.linked import END, START
from grapharc.spec.offers import Offer, Registry

Need: TypeAlias = "tuple[Selector, Effect]"
"""A selector, and the effect of its rule, which decides whether an alias counts."""

Side: TypeAlias = Literal["kind", "tool", "spend", "edge source", "edge target", "path source", "path target", "flow"]
"""Where a subject stands in a request; sentinels stand at the ends of edges and paths alone."""

_SENTINEL: dict[Side, str] = {"edge source": START, "path source": START, "edge target": END, "path target": END}


@frozen
class Subject:
    """A kind, or a sentinel: its name in use, the one in its manifest, and what selects it besides.

    Of one that a registry offers it goes without saying what it has.
    """

    name: str
    kind: str
    has: frozenset[Selector]
    is_tool: bool = False
    offered: bool = False

    @property
    def is_sentinel(self) -> bool:
        """Whether it is where a graph starts or ends."""
        return self.name in (START, END)

    def __str__(self) -> str:
        alias = "" if self.kind == self.name else f", an alias of {self.kind}"
        has = "" if self.offered else "".join(f" with {each}" for each in sorted(map(spelt, self.has)))
        return f"{self.name}{alias}{has}"


class Kinds(Protocol):
    """Where the subjects of requests come from."""

    def subjects(self, needs: Sequence[Need], side: Side) -> Sequence[Subject]:
        """Return subjects that meet all needs, enough to show whatever can be shown of one that does."""
        ...


def meets(need: Need, subject: Subject, side: Side) -> bool:
    """Tell whether a subject is what a rule's selector asks for, by the names that its effect knows."""
    selector, effect = need
    if not isinstance(selector, Glob):
        return selector in subject.has
    if subject.is_sentinel and side.startswith("path"):
        return selector.pattern == subject.name
    return any(matches(selector.pattern, name) for name in known_as(subject.name, subject.kind, effect))


class Offered:
    """The kinds of a registry, all of them."""

    def __init__(self, registry: Registry) -> None:
        self._known: dict[tuple[tuple[Need, ...], Side], Sequence[Subject]] = {}
        offers = [registry.offers[name] for name in sorted(registry.offers)]
        self._plain = [_subject(offer) for offer in offers]
        self._tools = [each for each in self._plain if each.is_tool]
        roles: list[frozenset[Selector]] = [
            frozenset(),
            *(frozenset({HasRole(role)}) for role in sorted(registry.roles)),
        ]
        self._spenders = [
            Subject(each.name, each.kind, each.has | role, each.is_tool, not role)
            for each in self._plain
            for role in roles
        ]

    def subjects(self, needs: Sequence[Need], side: Side) -> Sequence[Subject]:
        """Return every kind that meets all needs."""
        key = tuple(needs), side
        if key not in self._known:
            self._known[key] = self._subjects(needs, side)
        return self._known[key]

    def _subjects(self, needs: Sequence[Need], side: Side) -> Sequence[Subject]:
        among = {"tool": self._tools, "spend": self._spenders}.get(side, self._plain)
        if side == "flow":  # data carries labels that no kind need add
            labels = frozenset(selector for selector, _ in needs if isinstance(selector, HasLabel))
            among = [replace(each, has=each.has | labels) for each in among]
        sentinel = _SENTINEL.get(side)
        if sentinel is not None:
            among = [*among, Subject(sentinel, sentinel, frozenset())]
        return [each for each in among if all(meets(need, each, side) for need in needs)]


class Conceivable:
    """All kinds that could be written, under every name and with everything that a selector could ask for.

    ``globs`` are all that will be asked about. Raises TooTangled where they match names in too many ways.
    """

    def __init__(self, globs: Iterable[str]) -> None:
        patterns = sorted({*globs, START, END})
        sentinels = 1 << patterns.index(START) | 1 << patterns.index(END)
        names = [each for each in name_classes(patterns) if not each.matched & sentinels]
        aliases = [each for each in name_classes(patterns, ALIASES) if not each.matched & sentinels]
        aliases = [each for each in aliases if each.name not in KEYWORDS and not each.name.startswith("__")]
        self._names = [each.name for each in names]
        self._matching = {
            pattern: (dict.fromkeys(_of(names, number)), _of(aliases, number))
            for number, pattern in enumerate(patterns)
        }
        self._known: dict[tuple[tuple[Need, ...], Side], Sequence[Subject]] = {}

    def subjects(self, needs: Sequence[Need], side: Side) -> Sequence[Subject]:
        """Return kinds that meet all needs and have nothing besides, one for each way of being called."""
        key = tuple(needs), side
        if key not in self._known:
            self._known[key] = list(self._subjects(needs, side))
        return self._known[key]

    def _subjects(self, needs: Sequence[Need], side: Side) -> Iterator[Subject]:
        has = frozenset(selector for selector, _ in needs if not isinstance(selector, Glob))
        globs: list[tuple[str, Effect]] = []
        for selector, effect in needs:
            if isinstance(selector, Glob):
                globs.append((selector.pattern, effect))
        for name, kind in self._called(globs):
            yield Subject(name, kind, has, side == "tool")
        sentinel = _SENTINEL.get(side)
        if sentinel is not None and not has:
            subject = Subject(sentinel, sentinel, has)
            if all(meets(need, subject, side) for need in needs):
                yield subject

    def _called(self, globs: Sequence[tuple[str, Effect]]) -> Iterator[tuple[str, str]]:
        """One name serves two globs best by being both the kind's and the one in use, unless no name matches both.

        Otherwise one of the names matches the one glob and the other the other; an allow asks for the one in use.
        """
        for name in self._common([pattern for pattern, _ in globs]):
            yield name, name
        if len(globs) == 2:
            first, second = globs
            for (used, _), (behind, effect) in ((first, second), (second, first)):
                if effect != "allow":
                    yield from product(self._matching[used][1], self._matching[behind][0])

    def _common(self, patterns: Sequence[str]) -> Iterable[str]:
        """The names that match all globs: of the one that the fewest match, since most globs have few in common."""
        if not patterns:
            return self._names
        matching = sorted((self._matching[pattern][0] for pattern in patterns), key=len)
        return [name for name in matching[0] if all(name in each for each in matching[1:])]


def _of(classes: Iterable[NameClass], number: int) -> tuple[str, ...]:
    return tuple(each.name for each in classes if each.matched >> number & 1)


def _subject(offer: Offer) -> Subject:
    has: set[Selector] = {HasCapability(name) for name in offer.capabilities} | {
        HasLabel(name) for name in offer.labels
    }
    return Subject(offer.name, offer.kind.name, frozenset(has), offer.kind.tool, offered=True)
