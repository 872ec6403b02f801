"""Approvals that are good for nothing are taken out at once, however often they stand there."""

from __future__ import annotations

from tests.gate.conftest import GRAPH, SAVING, Repository
from tests.gate.test_gate import APPROVALS, DAY, WORDS, approve


def test_tidying_takes_out_every_approval_that_is_there_twice(repository: Repository) -> None:
    """Those of no change and those that ended all at once, of those that count all but the one that ends first."""
    repository.write({"graphs/answer.toml": SAVING})
    once = approve(repository, *WORDS)
    rows = once.split("[[approval]]")[1:]
    ended = [row.replace("2027-03-01", "2026-01-01") for row in rows]
    unused = f'\nchange = "sha256:{"0" * 64}"\nwho = "a"\nwhy = "b"\nuntil = "2027-03-01"\n'
    longer = [row.replace("2027-03-01", "2028-03-01") for row in rows]
    every = (*ended, unused, unused, unused, *rows, *longer, *ended)
    repository.commit({APPROVALS: "".join(f"[[approval]]{row}" for row in every), "graphs/answer.toml": GRAPH})
    repository.write({"graphs/answer.toml": SAVING})
    ran = repository.gate("approve", "--tidy", *DAY)
    assert (ran.exit, ran.out.count("\n  ")) == (0, 3 * len(rows) + 3)
    left = (repository.folder / APPROVALS).read_text("utf-8")
    assert [row.strip() for row in left.split("[[approval]]")[1:]] == [row.strip() for row in rows]
    assert "nothing to do" in repository.gate("approve", "--tidy", *DAY).out
