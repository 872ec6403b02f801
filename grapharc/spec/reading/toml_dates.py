"""The text of a TOML date or time goes in; a string that knows which of the four it is comes out.

No document of ours holds one; this is for reading all that TOML allows.
"""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Literal, TypeAlias

MomentKind: TypeAlias = Literal["datetime", "datetime-local", "date-local", "time-local"]

_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.[0-9]++)?"
_ZONE = r"(?P<zone>[zZ]|[+-](?P<zone_hour>[0-9]{2}):(?P<zone_minute>[0-9]{2}))"
_MOMENT = re.compile(rf"{_DATE}(?:[tT ]{_TIME}{_ZONE}?)?")
_CLOCK = re.compile(_TIME)

_LAST = {"hour": 23, "minute": 59, "second": 59, "zone_hour": 23, "zone_minute": 59}


class Moment(str):
    """A date or a time as it is written, in RFC 3339's form."""

    kind: MomentKind

    def __new__(cls, text: str, kind: MomentKind) -> Moment:
        """Make a string of it that keeps its kind."""
        moment = super().__new__(cls, text)
        moment.kind = kind
        return moment


def moment(text: str) -> Moment | None:
    """Read a date, a time, or both; None for one that does not exist."""
    found = _MOMENT.fullmatch(text) or _CLOCK.fullmatch(text)
    if found is None:
        return None
    parts: dict[str, str | None] = found.groupdict()
    if any(int(parts.get(name) or 0) > last for name, last in _LAST.items()) or not _is_day(parts):
        return None
    if parts.get("zone"):
        kind = "datetime"
    elif "year" not in parts:
        kind = "time-local"
    else:
        kind = "datetime-local" if parts.get("hour") else "date-local"
    return Moment(text, kind)


def _is_day(parts: dict[str, str | None]) -> bool:
    year, month, day = (int(parts.get(name) or 1) for name in ("year", "month", "day"))
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
