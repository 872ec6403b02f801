"""How a run ended and what it gave."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.runtime.budget import Spent
from grapharc.runtime.errors import Stop
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen
class RunResult:
    """One run. ``outputs`` are the output fields that have a value; none for a run that something ended.

    ``shown`` are the same with secrets of the environment masked, for printing.
    """

    run_id: str
    stop: Stop
    outputs: Mapping[str, Json]
    shown: Mapping[str, Json]
    spent: Spent
