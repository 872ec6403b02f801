"""The door to the verifier: a claim, its citation and its source go in, a verdict comes out."""

from grapharc.spec.registry.vendors import different_providers, vendor
from grapharc.stdlib_kinds.verification.anchor import MIN_CITATION_CHARS, Anchor, Folded, Occurrence, fold
from grapharc.stdlib_kinds.verification.prompt import CONTEXT_WINDOW_CHARS
from grapharc.stdlib_kinds.verification.relaxations import RELAXATIONS
from grapharc.stdlib_kinds.verification.verdict import (
    Reviewer,
    Verdict,
    VerifierStats,
    evaluate_verdicts,
    verify_claim,
)

__all__ = [
    "CONTEXT_WINDOW_CHARS",
    "MIN_CITATION_CHARS",
    "RELAXATIONS",
    "Anchor",
    "Folded",
    "Occurrence",
    "Reviewer",
    "Verdict",
    "VerifierStats",
    "different_providers",
    "evaluate_verdicts",
    "fold",
    "vendor",
    "verify_claim",
]
