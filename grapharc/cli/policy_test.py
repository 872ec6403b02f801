"""``policy test [PATHS]``: policy test documents go in; each case is tried, and what came of it comes out."""

from __future__ import annotations

import os
from datetime import date

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering import tests
from grapharc.cli.reporting import findings_answer
from grapharc.project.opening import open_project
from grapharc.project.policy_tests import Results, is_passed, try_policies
from grapharc.project.settings import Flags


@click.command("test")
@click.argument("paths", nargs=-1)
@click.option(
    "--min-coverage",
    type=click.FloatRange(0, 100),
    metavar="N",
    help="Of a hundred rules, how many must decide in some case.",
)
@click.option("--mutate", is_flag=True, help="Break the policies in every way, and name what no case notices.")
@project_options
@json_option
def command(flags: Flags, paths: tuple[str, ...], min_coverage: float | None, mutate: bool, as_json: bool) -> int:
    """Try the cases of policy test documents.

    PATHS are documents with a [[case]], or folders of them; without PATHS, the whole project. Tested are the policies
    that a document names, else those of the project. Exit code 1: a case did not come out as expected, too few rules
    decided, or a mutant was not noticed.
    """
    project = open_project(flags, paths, os.environ)
    try:
        found = try_policies(project, paths, date.today(), mutate=mutate)
    finally:
        project.close()
    return give(_answer(found, min_coverage), as_json=as_json)


def _answer(found: Results, least: float | None) -> Answer:
    if found.report.is_refused:
        return findings_answer(found.report)
    code = DONE if is_passed(found) and not _falls_short(found, least) and not _survives(found) else NO
    return Answer(
        code,
        lambda: tests.render_json(found, least),
        lambda colour: tests.render(found, least, colour=colour),
    )


def _falls_short(found: Results, least: float | None) -> bool:
    return least is not None and any(group.coverage.percent < least for group in found.groups)


def _survives(found: Results) -> bool:
    return any(group.survivors is not None and group.survivors.unnoticed for group in found.groups)
