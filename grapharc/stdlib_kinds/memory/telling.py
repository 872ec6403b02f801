"""A store goes in; how much it holds comes out, and its record line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from grapharc.spec.canonical import canonical
from grapharc.spec.frozen import frozen
from grapharc.stdlib_kinds.memory.connection import Connection
from grapharc.stdlib_kinds.memory.proving import operations

_COUNTS = {
    "operations": "select count(*) from op",
    "claims": "select claims from total",
    "superseded": "select count(*) from closing",
    "entities": "select count(distinct skey) from claim",
    "words": "select count(*) from term",
    "artifacts": "select count(*) from artifact",
    "contradictions": """select count(*) from (select 1 from claim c left join closing x on x.rid = c.rid
        where x.rid is null group by c.skey, c.pkey having min(c.okey) != max(c.okey))""",
    "bytes": "select page_count * page_size from pragma_page_count, pragma_page_size",
}


@frozen
class StoreStats:
    """How much a store holds. ``contradictions`` counts subjects and predicates with more than one current object."""

    operations: int
    claims: int
    current: int
    superseded: int
    entities: int
    words: int
    artifacts: int
    contradictions: int
    bytes: int
    head: str
    """The hash of the last operation in hexadecimal, empty where there is none: what to note for ``verify_store``."""


def store_stats(store: Connection) -> StoreStats:
    """Count what a store holds, all of one moment."""
    with store.reading() as execute:
        counts: dict[str, int] = {name: execute(ask, ()).fetchone()[0] for name, ask in _COUNTS.items()}
        last = execute("select hash from op order by n desc limit 1", ()).fetchone()
    current = counts["claims"] - counts["superseded"]
    return StoreStats(**counts, current=current, head=last[0].hex() if last else "")


def export_operations(store: Connection) -> Iterator[str]:
    """Return the record as lines of canonical JSON, one for each operation, with its hashes in hexadecimal."""
    with store.reading() as execute:
        for op in operations(execute):
            yield canonical(
                {
                    "n": op.n,
                    "writer": op.writer,
                    "seq": op.seq,
                    "hlc": op.hlc,
                    "verb": op.verb,
                    "body": json.loads(op.body),
                    "format": op.format,
                    "prev": op.prev.hex(),
                    "hash": op.hash.hex(),
                }
            )
