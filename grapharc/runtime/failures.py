"""What a kind raised goes in; what sort of failure that is, and the record that an error edge writes, come out.

An exception says itself what it is, in the order of these rules, and so does what it was raised from:

1. by an attribute ``reason``, one of ``timeout``, ``unavailable``, ``rate_limited`` and ``error``: for kinds to use.
2. by the status of an HTTP response, as ``status_code`` or ``response.status_code``: 408 and 504 are a timeout, 429 is
   a rate limit, 500, 502, 503 and 529 say that a service is unavailable.
3. by its class, or one it is derived from. ``TimeoutError`` and what is called so (``ReadTimeout``) are a timeout,
   ``RateLimitError`` and its like a rate limit, ``ConnectionError`` and its like say that a service is unavailable.

Everything else is an ``error``. Clients of models follow these names, and none of them has to be imported here.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

from grapharc.runtime.errors import NodeFailed
from grapharc.spec.json_value import Json
from grapharc.spec.linked import RetryOn

_DEEPEST = 10
"""Of the exceptions that one was raised from, no more than these are asked."""

_STATUS: dict[int, RetryOn] = {
    408: "timeout",
    429: "rate_limited",
    500: "unavailable",
    502: "unavailable",
    503: "unavailable",
    504: "timeout",
    529: "unavailable",
}
_NAMES: tuple[tuple[re.Pattern[str], RetryOn], ...] = (
    (re.compile(r"Time(d)?[oO]ut|DeadlineExceeded"), "timeout"),
    (re.compile(r"RateLimit|TooManyRequests|Throttl|ResourceExhausted"), "rate_limited"),
    (re.compile(r"Connect(ion)?Error|Unavailable|Overloaded|InternalServer|Disconnected|NetworkError"), "unavailable"),
)
_REASONS: dict[object, RetryOn] = {
    "timeout": "timeout",
    "unavailable": "unavailable",
    "rate_limited": "rate_limited",
    "error": "error",
}


def classify(raised: BaseException) -> RetryOn:
    """Tell what sort of failure an exception is."""
    for each in _causes(raised):
        if (found := _own(each)) is not None:
            return found
    return "error"


def failure_record(error: NodeFailed) -> Json:
    """Return a failure as documents know it: the type ``Failure``."""
    return {
        "node": error.node,
        "kind": error.kind,
        "code": error.reason,
        "message": error.message or type(error.cause).__name__,
        "attempts": error.attempts,
        "index": error.index,
    }


def _causes(raised: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = raised
    for _ in range(_DEEPEST):
        if cause is None:
            return
        yield cause
        reason = _attribute(cause, "reason")  # where urllib keeps it
        cause = cause.__cause__ or (reason if isinstance(reason, BaseException) else None)


def _own(raised: BaseException) -> RetryOn | None:
    reason = _attribute(raised, "reason")
    if isinstance(reason, str) and reason in _REASONS:
        return _REASONS[reason]
    for status in (_attribute(raised, "status_code"), _attribute(_attribute(raised, "response"), "status_code")):
        if isinstance(status, int) and status in _STATUS:
            return _STATUS[status]
    if isinstance(raised, socket.gaierror):
        return "unavailable"
    names = [kind.__name__ for kind in type(raised).__mro__]
    return next((found for pattern, found in _NAMES if any(map(pattern.search, names))), None)


def _attribute(value: object, name: str) -> object:
    """Look at an attribute of something foreign, whose properties may do anything."""
    try:
        return getattr(value, name, None)
    except Exception:
        return None
