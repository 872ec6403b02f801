"""A node's retries and a failure go in; how long to wait before the next attempt, if there is one, comes out."""

from __future__ import annotations

from math import inf

from grapharc.runtime.errors import FailureReason
from grapharc.spec.linked import Retry

_DOUBLINGS = 60
"""After so many the wait is longer than any run, and does not grow."""


def pause_after(retry: Retry | None, reason: FailureReason, attempt: int) -> float | None:
    """Return the seconds to wait after an attempt that failed; None where it was the last."""
    if retry is None or attempt >= retry.max_attempts or reason not in retry.on:
        return None
    longest = inf if retry.max_backoff_seconds is None else retry.max_backoff_seconds
    return min(retry.backoff_seconds * 2.0 ** min(attempt - 1, _DOUBLINGS), longest)
