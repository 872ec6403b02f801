"""An ask that does not say of whom is one that nobody in particular may answer."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.lint.linting import Linting
from grapharc.spec.finding import Finding


def check(linting: Linting) -> Iterator[Finding]:
    """Yield a finding for each rule that asks and names no role."""
    for rule in linting.rules:
        if rule.effect == "ask" and not rule.approver_role:
            yield Finding("ask_without_role", rule.part("effect"), subject=rule.id, rule=rule.id)
