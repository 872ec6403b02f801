"""A case and policies go in; the answer comes out, who gave it, and how it differs from the right one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.policy import Decision, Policy, strictest
from grapharc.policy.trials.ask import Policies
from grapharc.policy.trials.question import Question, Request
from grapharc.spec.documents.policy import Effect
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import frozen
from grapharc.spec.offers import Offer
from grapharc.spec.reasons import message, reason, severity
from grapharc.spec.reserved import NO_PREMISES, Premises

_DECIDING: Mapping[str, Effect] = {"refused": "deny", "needs_approval": "ask", "admitted": "allow"}


@frozen
class Expectation:
    """The right answer. Of ``rule``, ``role`` and ``default`` only what a case says; ``findings`` are pairs of a code
    and a rule, None where nothing is said of them."""

    answer: str
    rule: str | None = None
    default: bool | None = None
    role: str | None = None
    findings: tuple[tuple[str, str | None], ...] | None = None


@frozen
class Trial:
    """One case."""

    name: str
    question: Question
    right: Expectation
    place: Place


@frozen
class Outcome:
    """What policies answered. ``decisions`` are all that took part in it, ``findings`` what is said of a graph."""

    answer: str
    decisions: tuple[Decision, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def deciding(self) -> tuple[Decision, ...]:
        """The decisions that made the answer what it is."""
        effect = _DECIDING.get(self.answer, self.answer)
        return tuple(decision for decision in self.decisions if decision.effect == effect)


class Court:
    """Policies before which cases are tried. Graphs were linked before; nothing is read again."""

    def __init__(
        self, policies: Sequence[Policy], offers: Mapping[str, Offer], today: date, premises: Premises = NO_PREMISES
    ) -> None:
        self._policies, self._today, self._premises = Policies(policies, offers), today, premises

    def ask(self, question: Question) -> Outcome:
        """Return what the policies answer."""
        if isinstance(question, Request):
            decisions = self._policies.decide(question)
            return Outcome(strictest(decisions).effect, decisions)
        policies, tenant = self._policies.policies, question.tenant
        admission = admit(question.graph, policies, tenant=tenant, today=self._today, premises=self._premises)
        decisions = tuple(decision for ruling in admission.rulings for decision in ruling.decisions)
        return Outcome(admission.verdict, decisions, tuple(_told(admission)))

    def tells(self, trial: Trial) -> tuple[str, ...]:
        """Return in words how the answer differs from the right one; nothing where it does not."""
        return differences(trial, self.ask(trial.question))


def differences(trial: Trial, outcome: Outcome) -> tuple[str, ...]:
    """Return in words how an answer differs from the right one; nothing where it does not."""
    return tuple(_differences(trial, outcome))


def by_whom(outcome: Outcome, question: Question) -> str:
    """Return who made an answer what it is, in words."""
    names = dict.fromkeys(_who(decision, question) for decision in outcome.deciding)
    return ", ".join(names) or "nobody"


def _who(decision: Decision, question: Question) -> str:
    policy = f"policy '{decision.policy.title}'"
    if decision.rule is not None:
        return f"rule '{decision.rule.id}' of {policy}"
    if not decision.policy.serves(question.tenant):
        return f"{policy}, which does not serve the tenant"
    return f"the default of {policy}"


def _differences(trial: Trial, outcome: Outcome) -> Iterator[str]:
    right, deciding = trial.right, outcome.deciding
    if outcome.answer != right.answer:
        yield f"expected {right.answer}, got {outcome.answer} by {by_whom(outcome, trial.question)}"
        if right.findings is None:
            yield from (f"{finding.code}: {message(finding)}" for finding in outcome.findings)
    else:
        rules = [decision.rule for decision in deciding if decision.rule is not None]
        if right.rule is not None and right.rule not in {rule.id for rule in rules}:
            yield f"expected rule '{right.rule}' to decide, it was {by_whom(outcome, trial.question)}"
        if right.default and not any(decision.rule is None for decision in deciding):
            yield f"expected the default to decide, it was {by_whom(outcome, trial.question)}"
        if right.role is not None and right.role not in {rule.approver_role for rule in rules}:
            roles = (
                ", ".join(f"'{rule.approver_role}'" for rule in rules if rule.approver_role) or "nobody in particular"
            )
            yield f"expected role '{right.role}' to be asked, it is {roles}"
    if right.findings is not None:
        yield from _other_findings(right.findings, outcome.findings)


def _other_findings(right: Sequence[tuple[str, str | None]], found: Sequence[Finding]) -> Iterator[str]:
    for code, rule in right:
        if not any(finding.code == code and rule in (None, finding.rule) for finding in found):
            yield f"expected finding {code}{f' by rule {rule!r}' if rule else ''}, there is none"
    listed = {code for code, _ in right}
    for finding in found:
        if finding.code not in listed and reason(finding.code).reason_class != "lint":
            yield f"unexpected finding {finding.code}: {message(finding)}"


def _told(admission: Admission) -> Iterable[Finding]:
    """What a case can expect of a graph: every error, all that waits for a person, and lint, of which it need not."""
    for finding in admission.findings:
        kind = reason(finding.code).reason_class
        if severity(finding) == "error" or kind in ("authority", "lint"):
            yield finding
