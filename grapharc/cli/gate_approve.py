"""``gate approve [CHANGES]``: changes that need consent go in, approvals of them stand in the project's file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.gate_options import Gated, gate_options, gated
from grapharc.cli.options import json_option
from grapharc.cli.rendering.cells import printable
from grapharc.project.errors import CannotStart
from grapharc.project.gate.approvals import day, is_current
from grapharc.project.gate.approve import approvals_of, with_approvals, without_approvals
from grapharc.project.gate.opened import APPROVALS_FILE, approvals_path, is_folder
from grapharc.project.gate.report import GateReport, Told
from grapharc.project.writing import write_file
from grapharc.spec.documents.approvals import ApprovalModel


@click.command("approve")
@click.argument("changes", nargs=-1)
@click.option("--who", metavar="NAME", help="Who agrees.")
@click.option("--why", metavar="TEXT", help="Why it is right.")
@click.option("--until", metavar="DAY", help="The last day on which it counts, as 2027-03-01.")
@click.option(
    "--tidy", is_flag=True, help="Take out approvals that are expired, stale, unused or there twice; nothing else."
)
@gate_options
@json_option
def approve(
    asked: Gated,
    changes: tuple[str, ...],
    who: str | None,
    why: str | None,
    until: str | None,
    tidy: bool,
    as_json: bool,
) -> int:
    """Write down that somebody agrees to changes, in grapharc.approvals.toml.

    CHANGES are digests as the gate prints them, or their beginnings; without CHANGES, all that need consent. What is
    compared is what 'grapharc gate' would compare with the same options. By default an approval counts once it is on
    the base.
    """
    report = gated(asked, ())
    path = approvals_path(asked.flags, os.environ, asked.head)
    data = Path(path).read_bytes() if Path(path).exists() else None
    if tidy:
        written = _tidy(asked, report, path, data)
    else:
        given = _given(who, why, until, asked.today)
        written = _approve(report, changes, path, data, given, asked.today)
    words = "".join(f"  {printable(line)}\n" for line in written) or "  nothing to do\n"
    text = f"{'took out of' if tidy else 'wrote to'} {APPROVALS_FILE}:\n{words}"
    if written and not tidy and asked.source == "base":
        text += f"next: commit {APPROVALS_FILE} to the branch that changes are held against; there it counts\n"
    document = {"file": APPROVALS_FILE, "taken_out" if tidy else "written": list(written)}
    return give(Answer(DONE, lambda: document, lambda _: text), as_json=as_json)


def _approve(
    report: GateReport,
    changes: tuple[str, ...],
    path: str,
    data: bytes | None,
    given: tuple[str, str, str],
    today: date,
) -> list[str]:
    """Write approvals; what the file approves already stays, and what it approved until a day that is over gives way.

    What the file holds is asked and not the report, whose head may be a commit that has another.
    """
    who, why, until = given
    held = list(enumerate(approvals_of(data, APPROVALS_FILE)))
    current = {one.change for _, one in held if is_current(one, today)}
    chosen = [told for told in _chosen(report, changes) if told.digest not in current]
    renewed = {told.digest for told in chosen}
    over = {index for index, one in held if one.change in renewed}
    more = [
        ApprovalModel(change=told.digest, who=who, why=why, until=until, document=told.document, says=_says(told))
        for told in chosen
    ]
    if more:
        if data is not None and over:
            data = without_approvals(data, APPROVALS_FILE, over)
        write_file(path, with_approvals(data, APPROVALS_FILE, more))
    return [f"{approval.document}: {approval.says}" for approval in more]


def _says(told: Told) -> str:
    from grapharc.policy.diff.words import say

    return say(told.change)


def _chosen(report: GateReport, changes: tuple[str, ...]) -> list[Told]:
    """The changes that need consent and are named. Raises CannotStart for a name of none or of several."""
    if not changes:
        return list(report.failing)
    chosen: dict[str, Told] = {}
    for name in changes:
        beginning = name if name.startswith("sha256:") else f"sha256:{name}"
        found = [told for told in report.failing if told.digest.startswith(beginning)]
        if len({told.digest for told in found}) != 1:
            what = "several changes" if found else "no change that needs consent"
            raise CannotStart(f"'{name}' names {what}", "'grapharc gate' prints the digests")
        chosen[found[0].digest] = found[0]
    return list(chosen.values())


def _given(who: str | None, why: str | None, until: str | None, today: date) -> tuple[str, str, str]:
    for name, value in (("who", who), ("why", why), ("until", until)):
        if not value:
            raise CannotStart(f"--{name} is missing: an approval says who agrees, why, and until when")
    last = None if until is None else day(until)
    if last is None:
        raise CannotStart(f"--until: '{until}' is no day", "one is written like 2027-03-01")
    if last < today:
        raise CannotStart(f"--until: '{until}' is over", f"an approval counts from {today} on, until the day it names")
    return who or "", why or "", last.isoformat()


def _tidy(asked: Gated, report: GateReport, path: str, data: bytes | None) -> list[str]:
    if asked.head is not None and not is_folder(asked.head):
        raise CannotStart("approvals can only be taken out of what stands on the disk", "leave --head out")
    held = approvals_of(data, APPROVALS_FILE)
    gone = {index: held[index] for index in report.spent}
    if data is not None and gone:
        write_file(path, without_approvals(data, APPROVALS_FILE, gone))
    return _lines(gone.values())


def _lines(approvals: Iterable[ApprovalModel]) -> list[str]:
    return [f"{approval.document or approval.change}: {approval.says or approval.why}" for approval in approvals]
