"""A default that lets pass what nobody named lets pass whatever is added to the registry next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.lint.column import SIDES, rows_of
from grapharc.policy.lint.linting import Linting
from grapharc.policy.lint.subjects import Subject, meets
from grapharc.policy.owner.selectors import Glob, HasCapability
from grapharc.spec.documents.policy import Resource
from grapharc.spec.finding import Finding, Place
from grapharc.spec.json_value import Json, value_at

_REACHING = ("network", "run_command", "write_files")
"""What the built-in policy denies, too."""

_ALL = Glob("*")


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding where the default allows kinds that reach beyond a run, and that no rule names."""
    resources: tuple[Resource, ...] = ("node", "tool")
    allowing: list[Resource] = [resource for resource in resources if linting.policy.default(resource) == "allow"]
    if linting.registry is None or not allowing:
        return
    unnamed: dict[str, Subject] = {}
    for tenant in linting.tenants:
        for resource in allowing:
            for subject in linting.kinds.subjects((), SIDES[resource][0]):
                if _reached(subject) and not _is_named(linting, subject, tenant):
                    unnamed[subject.name] = subject
    if unnamed:
        place = Place(linting.policy.path, _written(linting.policy.text.value, allowing))
        reached = {name for subject in unnamed.values() for name in _reached(subject)}
        yield Finding("default_decides", place, {"kinds": tuple(unnamed), "reached": tuple(sorted(reached))})


def _reached(subject: Subject) -> list[str]:
    return [name for name in _REACHING if HasCapability(name) in subject.has]


def _is_named(linting: Linting, subject: Subject, tenant: str) -> bool:
    """Tell whether a rule, over whatever resource, means the kind by more than a ``*`` for all."""
    return any(
        selector != _ALL and meets((selector, rule.effect), subject, "kind")
        for rule in linting.concerning(tenant)
        for row in rows_of(rule)
        for selector in row.selectors
    )


def _written(value: Json, allowing: list[Resource]) -> tuple[str, ...]:
    default = value_at(value, ("default",))
    if isinstance(default, Mapping):
        return next((("default", resource) for resource in allowing if resource in default), ("default",))
    return ("default",)
