"""``policy check [PATHS]``: policies go in; what is wrong with their rules, and what their tests say, comes out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.options import json_option, ours_only_option, project_options
from grapharc.cli.rendering import json, tests, text
from grapharc.project.check import check_documents
from grapharc.project.errors import CannotStart
from grapharc.project.opening import Project, open_project
from grapharc.project.paths import Wanted, wanted
from grapharc.project.policy_tests import Results, has_tests, is_passed, try_policies
from grapharc.project.report import Report
from grapharc.project.settings import Flags
from grapharc.spec.finding import Severity
from grapharc.spec.json_value import Json
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.read import read


@click.command("check")
@click.argument("paths", nargs=-1)
@click.option(
    "--fail-on",
    type=click.Choice(["warning", "note"]),
    multiple=True,
    help="Let exit code 1 also mean this: a warning, a note; repeatable.",
)
@ours_only_option
@project_options
@json_option
def command(flags: Flags, paths: tuple[str, ...], fail_on: tuple[Severity, ...], ours_only: bool, as_json: bool) -> int:
    """Find rules that are dead, shadowed or can be evaded, and try the project's policy tests.

    PATHS are policies and policy test documents, or folders of them; without PATHS, what grapharc.toml names. Tests
    are all of the project, since a rule that changes may be one that another document relies on.
    """
    project = open_project(flags, paths, os.environ)
    try:
        asked = _about_policies(project, wanted(project, paths, ours_only=bool(paths)))
        if paths and not (asked.found or ours_only):
            raise CannotStart("there is nothing to check: no policy and no policy test stands there")
        report = check_documents(project, asked, date.today())
        tried = None
        if not report.is_refused and has_tests(project):
            tried = try_policies(project, (), date.today(), mutate=False)
    finally:
        project.close()
    return give(_answer(report, tried, fail_on), as_json=as_json)


def _about_policies(project: Project, asked: Wanted) -> Wanted:
    """Of what was asked for, the policies and their tests; of a whole project, its registry too."""
    if asked.whole:
        return Wanted((), findings=asked.findings, whole=True)
    return Wanted((), tuple(path for path in asked.found if _kind(project, path) in ("policy", "test")))


def _kind(project: Project, path: str) -> str | None:
    try:
        document, _ = read(project.loader.load(path), path)
    except (OutsideProject, Unreadable):
        return None
    return None if document is None else document.kind


def _answer(report: Report, tried: Results | None, fail_on: tuple[Severity, ...]) -> Answer:
    clean = not report.is_refused and not any(report.count(severity) for severity in fail_on)
    passed = clean and (tried is None or (not tried.report.is_refused and is_passed(tried)))

    def document() -> Mapping[str, Json]:
        said: Json = None
        if tried is not None:
            said = json.render(tried.report) if tried.report.is_refused else tests.render_json(tried, None)
        return {**json.render(report), "tests": said}

    def shown(colour: bool) -> str:
        found = text.render(report, colour=colour)
        if tried is None:
            return found
        if tried.report.is_refused:
            return found + text.render(tried.report, colour=colour)
        return found + tests.render(tried, None, colour=colour)

    return Answer(DONE if passed else NO, document, shown)
