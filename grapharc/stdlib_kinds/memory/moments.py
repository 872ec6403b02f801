"""Which moment of the world and which moment of belief go in; the condition that a claim then meets comes out, as SQL.

Valid time is when something is true of the world, transaction time is when this store held it. A claim that is
superseded stays true of the world until its successor's ``valid_from``; before that was recorded, it was held to go on.
"""

from __future__ import annotations

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.claim import require_moment
from grapharc.stdlib_kinds.memory.rows import FROM
from grapharc.stdlib_kinds.memory.times import When

_FOREVER = 2**63 - 1
_CURRENT = "x.rid is null"


@frozen
class Moments:
    """What is asked of: ``as_of`` in the world, ``as_at`` in this store's belief; microseconds, None for now."""

    as_of: int | None = None
    as_at: int | None = None


_NOW = Moments()


def moments(as_of: When | None, as_at: When | None) -> Moments:
    """Read both. Raises ValueError for what is no moment."""
    if as_of is None and as_at is None:
        return _NOW
    return Moments(require_moment(as_of, "as_of"), require_moment(as_at, "as_at"))


def visible(asked: Moments) -> str:
    """Return the condition over ``claim c left join closing x``; numbers are written into it.

    Without ``as_of`` valid time is not looked at: what is not superseded counts, as of now or as of then.
    """
    if asked is _NOW:
        return _CURRENT
    parts: list[str] = []
    if asked.as_at is not None:
        parts.append(f"c.recorded <= {asked.as_at}")
    if asked.as_of is None:
        parts.append(_CURRENT if asked.as_at is None else f"(x.rid is null or x.closed > {asked.as_at})")
    else:
        known = "x.t_to" if asked.as_at is None else f"case when x.closed <= {asked.as_at} then x.t_to end"
        parts.append(f"c.t_from <= {asked.as_of} and {asked.as_of} < coalesce({known}, c.t_to, {_FOREVER})")
    return " and ".join(parts)


def of_posting(condition: str) -> str:
    """Write a condition over claims as one over a posting ``p``, with as few look-ups as it takes."""
    if condition == "true":
        return condition
    if condition == _CURRENT:
        return "not exists (select 1 from closing x where x.rid = p.rid)"
    return f"exists (select 1 from {FROM} where c.rid = p.rid and {condition})"


def recorded(asked: Moments) -> str:
    """Return the condition of what was recorded at all by ``as_at``."""
    return "true" if asked.as_at is None else f"c.recorded <= {asked.as_at}"


def superseded(asked: Moments) -> str:
    """Return the condition of what was superseded by ``as_at``."""
    return "x.rid is not null" if asked.as_at is None else f"x.closed <= {asked.as_at}"
