"""``policy init [FILE]``: a registry goes in; a policy that says of each kind what it may stands there."""

from __future__ import annotations

import os

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering.cells import printable
from grapharc.cli.reporting import findings_answer
from grapharc.policy.trials.starting import Started, starting_policy
from grapharc.project.errors import CannotStart
from grapharc.project.governance import open_governance
from grapharc.project.opening import open_project
from grapharc.project.report import Report, is_error
from grapharc.project.settings import Flags
from grapharc.project.writing import refuse_lost_folder, write_new_file
from grapharc.spec.json_value import Json


@click.command("init")
@click.argument("file", default="policy.toml")
@project_options
@json_option
def command(flags: Flags, file: str, as_json: bool) -> int:
    """Write a starting policy from a registry.

    FILE is policy.toml unless it is named. Kinds that only read are allowed; what writes, runs a command, reaches the
    network or spends money is denied, each with a reason to review. A file that is there is never written over.
    """
    if not file.endswith(".toml"):
        raise CannotStart(
            f"'{file}' does not end in '.toml', and a starting policy is TOML: only there its comments have a place",
            "name it so: grapharc policy init FILE.toml",
        )
    if os.path.lexists(file):
        raise _taken(file)
    refuse_lost_folder(file, "FILE")
    project = open_project(flags, (), os.environ)
    governance = open_governance(project)
    project.close()
    findings = (*project.findings, *governance.findings)
    if governance.registry is None or any(map(is_error, findings)):
        report = Report((), findings, governance.texts)
        return give(findings_answer(report), as_json=as_json)
    registry = next((path for path, kind in governance.documents.items() if kind == "registry"), "")
    started = starting_policy(governance.registry, registry)
    try:
        write_new_file(file, started.text.encode())
    except FileExistsError:
        raise _taken(file) from None
    return give(Answer(DONE, lambda: _document(file, started), lambda _: _text(file, started)), as_json=as_json)


def _taken(file: str) -> CannotStart:
    return CannotStart(
        f"'{file}' is already there, and nothing is written over", "name a new file: grapharc policy init FILE"
    )


def _document(file: str, started: Started) -> dict[str, Json]:
    return {"file": file, "allowed": list(started.allowed), "denied": list(started.denied)}


def _text(file: str, started: Started) -> str:
    counts = f"{len(started.allowed)} kinds allowed, {len(started.denied)} denied"
    return (
        f"wrote {printable(file)}: {counts}\n"
        f"next:\n  review every rule\n  grapharc check {printable(file)}\n  grapharc policy why 'node: KIND'\n"
    )
