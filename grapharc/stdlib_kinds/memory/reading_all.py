"""A query's words go in; the claims that score best come out, by reading all postings of the words.

For words that are all common and hardly ever meet, where what each could add tells little about who is best: then
looking other words up for one claim after the other takes longer than adding everything up.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest

from grapharc.stdlib_kinds.memory.scored import Scored, near
from grapharc.stdlib_kinds.memory.spelling import Execute

_AT_ONCE = 500


def best_of_all(
    execute: Execute,
    parts: Sequence[int],
    gains: Sequence[tuple[int, Mapping[int, Mapping[int, float]]]],
    wanted: int,
    condition: str,
    floor: float,
) -> list[Scored]:
    """Return the claims that may be among the ``wanted`` best.

    ``gains`` are the numbers of words in the order of the query, and what each adds by length and frequency; ``parts``
    those of the parts that postings stand in; ``floor`` is a score that each of the best reaches. SQLite hands each run
    over as one text, which takes a third of the time that row after row does.
    """
    last = execute("select coalesce(max(rid), 0) from claim", ()).fetchone()[0]
    scores = array("d", bytes(8 * (last + 1)))
    run_of = f"p.part in ({', '.join('?' * len(parts))}) and p.tid = ? and p.tf = ? and p.len = ?"
    ask = f"select json_group_array(p.rid) from post p where {run_of} and {condition}"
    for term, of_lengths in gains:
        for length, of_frequencies in of_lengths.items():
            for frequency, gain in of_frequencies.items():
                [(run,)] = execute(ask, (*parts, term, frequency, length))
                for rid in json.loads(run):
                    scores[rid] += gain
    likely = [(score, rid) for rid, score in enumerate(scores) if score > 0 and score >= floor]
    top = nlargest(wanted, (score for score, _ in likely))
    least = near(top[-1], top[0]) if top else 0.0
    return _dated(execute, [(rid, score) for score, rid in likely if score >= least])


def _dated(execute: Execute, found: Sequence[tuple[int, float]]) -> list[Scored]:
    """Say of each claim when it was observed."""
    scored: list[Scored] = []
    for start in range(0, len(found), _AT_ONCE):
        some = dict(found[start : start + _AT_ONCE])
        ask = f"select rid, observed from claim where rid in ({_listed(some)})"
        scored += [Scored(some[rid], seen, rid) for rid, seen in execute(ask, ())]
    return scored


def _listed(rids: Iterable[int]) -> str:
    return ", ".join(map(str, rids))
