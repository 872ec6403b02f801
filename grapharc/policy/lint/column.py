"""Rules of one resource and one tenant go in; requests that some of them match and others miss come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from grapharc.policy.lint.subjects import Kinds, Need, Side, Subject, meets
from grapharc.policy.owner.policy import BETWEEN_ENDS, TIERS, Rule
from grapharc.policy.owner.selectors import Glob, Selector
from grapharc.spec.documents.policy import Effect, Resource
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import matches

SIDES: dict[Resource, tuple[Side, ...]] = {
    "node": ("kind",),
    "tool": ("tool",),
    "spend": ("spend",),
    "edge": ("edge source", "edge target"),
    "path": ("path source", "path target"),
    "flow": ("flow", "flow"),
}


@frozen
class Request:
    """What a policy could be asked: the kind of a node, or the kinds at both ends, and for whom."""

    resource: Resource
    ends: tuple[Subject, ...]
    tenant: str

    def __str__(self) -> str:
        return f"{self.resource}: {' -> '.join(map(str, self.ends))}"


@frozen
class Row:
    """One of a rule's patterns: what it asks of each end of a request."""

    rule: Rule
    selectors: tuple[Selector, ...]

    def needs(self, end: int) -> Need:
        """Return what it asks of one end."""
        return self.selectors[end], self.rule.effect


DECIDED_TOGETHER: Mapping[Resource, tuple[Resource, ...]] = {"node": ("node", "tool"), "tool": ("node", "tool")}
"""Rules over nodes govern tools too, and rules over tools the kinds that are tools as nodes."""


class Column:
    """Rules over one resource for one tenant, in the order in which they decide; a set of rows is a number."""

    def __init__(self, rules: Iterable[Rule], resource: Resource, tenant: str, kinds: Kinds) -> None:
        self.resource: Resource = resource
        self.tenant = tenant
        own = [rule for rule in rules if rule.resource in DECIDED_TOGETHER.get(resource, (resource,))]
        self.rules = sorted(own, key=lambda rule: TIERS.index(rule.effect))
        self.rows = [row for rule in self.rules for row in rows_of(rule)]
        # By the identity of rules, which the rows keep: each rule is asked for beside each other one.
        self._numbers: dict[int, list[int]] = {}
        for number, row in enumerate(self.rows):
            self._numbers.setdefault(id(row.rule), []).append(number)
        self._rows_of = {rule: sum(1 << number for number in numbers) for rule, numbers in self._numbers.items()}
        self.sides = SIDES[resource]
        self._kinds = kinds
        self._masks: dict[tuple[int, Subject], int] = {}
        self._names: dict[tuple[int, str], int] = {}
        self._by_needs: dict[tuple[tuple[Need, ...], int, bool], Sequence[tuple[int, Subject]]] = {}

    def of(self, rules: Iterable[Rule]) -> int:
        """Return the rows of some rules."""
        rows = 0
        for rule in rules:
            rows |= self._rows_of.get(id(rule), 0)
        return rows

    def before(self, rule: Rule) -> list[Rule]:
        """Return the rules that are looked at before one."""
        return self.rules[: next(number for number, other in enumerate(self.rules) if other is rule)]

    def numbers(self, rule: Rule) -> Sequence[int]:
        """Return the numbers of a rule's rows."""
        return self._numbers.get(id(rule), [])

    def find(self, rows: Sequence[int], avoiding: int) -> Request | None:
        """Return a request that all of some rows match and none of those to avoid; None where there is none."""
        needs = [[self.rows[number].needs(end) for number in rows] for end in range(len(self.sides))]
        return self.find_meeting(needs, avoiding, tools=any(self.rows[row].rule.resource == "tool" for row in rows))

    def find_meeting(self, needs: Sequence[Sequence[Need]], avoiding: int, *, tools: bool = False) -> Request | None:
        """Return a request whose ends meet their needs and that no row to avoid matches; of ``tools`` alone."""
        ends = [self.least(each, end, avoiding, tools=tools) for end, each in enumerate(needs)]
        if len(ends) == 1:
            found = next((subject for mask, subject in ends[0] if not mask), None)
            return None if found is None else Request("tool" if tools else self.resource, (found,), self.tenant)
        for left, source in ends[0]:
            for right, target in ends[1]:
                if not left & right:
                    return Request(self.resource, (source, target), self.tenant)
        return None

    def least(self, needs: Sequence[Need], end: int, among: int, *, tools: bool = False) -> list[tuple[int, Subject]]:
        """Return subjects for one end, with the rows of some that match them: those that no other matches fewer of."""
        known: dict[int, Subject] = {}
        for mask, subject in self._told_apart(needs, end, tools=tools):
            known.setdefault(mask & among, subject)
        kept: list[tuple[int, Subject]] = []
        for mask in sorted(known, key=lambda mask: (mask.bit_count(), mask)):
            if not any(less & mask == less for less, _ in kept):
                kept.append((mask, known[mask]))
        return kept

    def _told_apart(self, needs: Sequence[Need], end: int, *, tools: bool) -> Sequence[tuple[int, Subject]]:
        """Return the first subject of each set of rows that one which meets all needs can be matched by."""
        key = tuple(needs), end, tools
        known = self._by_needs.get(key)
        if known is None:
            found: dict[int, Subject] = {}
            for subject in self.subjects(needs, end, tools=tools):
                found.setdefault(self.mask(subject, end), subject)
            known = self._by_needs[key] = tuple(found.items())
        return known

    def matching(self, request: Request) -> list[Rule]:
        """Return the rules that match a request, in the order in which they decide."""
        mask = -1
        for end, subject in enumerate(request.ends):
            mask &= self.mask(subject, end)
        return [rule for rule in self.rules if mask & self.of([rule])]

    def subjects(self, needs: Sequence[Need], end: int, *, tools: bool = False) -> Sequence[Subject]:
        """Return what could stand at one end and meets all needs."""
        return self._kinds.subjects(needs, "tool" if tools else self.sides[end])

    def mask(self, subject: Subject, end: int) -> int:
        """Return the rows that match a subject at one end."""
        known = self._masks.get((end, subject))
        if known is None:
            known = self._masks[end, subject] = self._mask(subject, end)
        return known

    def _mask(self, subject: Subject, end: int) -> int:
        side = self.sides[end]
        if side.startswith("path"):
            rows = enumerate(self.rows)
            return sum(1 << number for number, row in rows if _is_end_of_path(row, end, subject, side))
        found = self._named(subject.name, end)
        if subject.kind != subject.name:  # an alias escapes no deny and no ask, and borrows no allow
            found |= self._named(subject.kind, end) & self._strict
        for selector in subject.has:
            found |= self._asking[end].get(selector, 0)
        return found if subject.is_tool else found & ~self._of_tools

    def _named(self, name: str, end: int) -> int:
        """Return the rows whose glob matches a name: there are few names, which many subjects have in common."""
        known = self._names.get((end, name))
        if known is None:
            globs = [(number, row.selectors[end]) for number, row in enumerate(self.rows)]
            found = (n for n, selector in globs if isinstance(selector, Glob) and matches(selector.pattern, name))
            known = self._names[end, name] = sum(1 << number for number in found)
        return known

    @cached_property
    def _strict(self) -> int:
        return sum(1 << number for number, row in enumerate(self.rows) if row.rule.effect != "allow")

    @cached_property
    def _of_tools(self) -> int:
        return sum(1 << number for number, row in enumerate(self.rows) if row.rule.resource == "tool")

    @cached_property
    def _asking(self) -> Sequence[Mapping[Selector, int]]:
        """For each end, the rows that ask for something else than a name, by what they ask for."""
        found: list[dict[Selector, int]] = [{} for _ in self.sides]
        for number, row in enumerate(self.rows):
            for end, selector in enumerate(row.selectors):
                if not isinstance(selector, Glob):
                    found[end][selector] = found[end].get(selector, 0) | 1 << number
        return found


def rows_of(rule: Rule) -> list[Row]:
    """Return a rule's patterns, in the order of its ``match``."""
    if rule.resource in BETWEEN_ENDS:
        return [Row(rule, (edge.source, edge.target)) for edge in rule.edges]
    return [Row(rule, (selector,)) for selector in rule.nodes]


def _is_end_of_path(row: Row, end: int, subject: Subject, side: Side) -> bool:
    """Tell whether a row over paths matches a subject; the ends of a path count as what stands on it."""
    spared = row.rule.unless_via
    return meets(row.needs(end), subject, side) and not any(meets((via, "allow"), subject, side) for via in spared)


def is_as_strict(effect: Effect, than: Effect) -> bool:
    """Tell whether an effect lets through no more than another."""
    return TIERS.index(effect) <= TIERS.index(than)
