"""What is wrong with arguments goes in; findings where they are written come out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.arguments.misfits import ArgMisfit
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Value
from grapharc.spec.json_value import Path


def tell_misfits(found: Iterable[ArgMisfit], kind: str, at: Path, faults: Faults, subject: str) -> None:
    """Note each misfit of the arguments that stand at a path: an unknown one at its key, any other at its value."""
    for misfit in found:
        values: dict[str, Value] = {
            "kind": kind,
            "unknown": misfit.unknown,
            "suggestion": misfit.suggestion,
            "missing": misfit.missing,
            "arg": ".".join(map(str, misfit.path)),
            "expected": misfit.expected,
            "whole": "" if misfit.path else misfit.expected,
            "found": misfit.found,
        }
        part = "key" if misfit.unknown else "value"
        faults.add("args_schema_violation", (*at, *misfit.path), values, part=part, subject=subject)
