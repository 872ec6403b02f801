"""Dates as people write them go in; microseconds since 1970 come out, and canonical dates from those."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

When: TypeAlias = "str | datetime"
"""A moment with its time zone: ISO 8601 text, or a datetime that knows its zone."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_lock = threading.Lock()
_last = 0


def now() -> int:
    """Return this moment in microseconds, later than any that this process was told before."""
    global _last
    with _lock:
        _last = max(time.time_ns() // 1000, _last + 1)
        return _last


def now_iso() -> str:
    """Return this moment as canonical text."""
    return iso(now())


def iso(micros: int) -> str:
    """Write microseconds as ISO 8601 in UTC, always with six digits, so that text sorts as time does."""
    seconds, rest = divmod(micros, 1_000_000)
    return f"{_second(seconds)}.{rest:06d}+00:00"


def micros(when: When, what: str) -> int:
    """Read a moment. Raises ValueError, which names it as ``what``, for what is no date or has no time zone."""
    moment = when if isinstance(when, datetime) else _parsed(when, what)
    if moment.tzinfo is None:
        right = moment.replace(tzinfo=UTC).isoformat()
        raise ValueError(f"{what} '{when}' has no time zone, '{right}' would be right if it is UTC")
    return (moment - _EPOCH) // _MICROSECOND


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()[:19]


def _parsed(text: str, what: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise ValueError(f"{what} {text!r} is no date, one like '2026-05-01T12:00:00+00:00' would be right") from None
