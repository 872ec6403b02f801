"""A store goes in; how much it holds comes out."""

from __future__ import annotations

from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.rows import FROM
from grapharc.stdlib_kinds.memory.store import SQLiteMemoryStore
from grapharc.stdlib_kinds.memory.times import iso

_CONTRADICTIONS = f"""select 1 from {FROM} where x.rid is null group by c.about_number, c.skey, c.pkey
    having min(c.okey) != max(c.okey)"""


@frozen
class Statistics:
    """Counts; ``first`` and ``last`` are when the oldest and the newest operation were recorded, None without one.

    ``contradictions`` are subjects and predicates with more than one value, ``runs`` those that anything came from.
    """

    claims: int
    held: int
    superseded: int
    entities: int
    contradictions: int
    artifacts: int
    runs: int
    operations: int
    first: str | None
    last: str | None


def statistics(store: SQLiteMemoryStore) -> Statistics:
    """Count what a store holds."""

    def count(sql: str) -> int:
        return int(store.rows(f"select count(*) from {sql}")[0][0])

    claims, given_up = count("claim"), count("closing")
    [(operations, first, last)] = store.rows("select count(*), min(hlc), max(hlc) from op")
    return Statistics(
        claims=claims,
        held=claims - given_up,
        superseded=given_up,
        entities=count("(select distinct skey from claim)"),
        contradictions=count(f"({_CONTRADICTIONS})"),
        artifacts=count("artifact"),
        runs=count(
            "(select run_id from claim where run_id is not null union select run_id from artifact "
            "where run_id is not null)"
        ),
        operations=operations,
        first=None if first is None else iso(first),
        last=None if last is None else iso(last),
    )
