"""What a check is asked for goes in; every fault of the documents is told, and the exit code comes out.

Whoever parses the command line, it comes here: click in ``check.py``, or ``plain.py`` without click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from grapharc.cli.fixing import NOTHING, Fixing, fix
from grapharc.cli.reporting import ReportRequest, code_of, findings_answer, give_report
from grapharc.project.accepting import baseline_of
from grapharc.project.check import check_documents
from grapharc.project.files import STDIN
from grapharc.project.opening import open_project
from grapharc.project.paths import wanted
from grapharc.project.settings import Flags


def check(
    flags: Flags,
    asked: ReportRequest,
    paths: tuple[str, ...],
    *,
    fail_on: tuple[str, ...] = (),
    jobs: int | None = None,
    ours_only: bool = False,
    watching: bool = False,
    fixing: Fixing = NOTHING,
) -> int:
    """Check documents, once or whenever they change, or mend them; tell of it and return the exit code."""
    named = [STDIN if path == "-" else path for path in paths]
    stdin = sys.stdin.buffer.read() if STDIN in named else b""

    def once() -> tuple[int, Iterable[str]]:
        """Check, or mend, and tell of it; return the exit code and the files that were read."""
        project = open_project(flags, named, os.environ, stdin=stdin, disk=asked.disk, caches=asked.caches)
        try:
            looked = wanted(project, named, ours_only=ours_only)
            if fixing.wanted:
                as_json = asked.form == "json"
                return fix(project, looked, asked.day, fixing, fail_on=fail_on, as_json=as_json), ()
            baseline = baseline_of(project, asked.baseline)
            report = check_documents(project, looked, asked.day, baseline=baseline, choice=asked.choice, jobs=jobs)
        finally:
            project.close()
        read = sorted(project.loader.real(path) for path in report.texts if not path.startswith("<"))
        return give_report(findings_answer(report, code_of(report, fail_on)), report, asked, project.loader), read

    if not watching:
        return once()[0]
    from grapharc.cli.watching import watch  # only who watches waits for it

    return watch(once, os.getcwd())  # noqa: PTH109 -- pathlib is for what a check does not wait for
