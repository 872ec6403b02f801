"""The name of a format and a report go in, the text comes out; a format's file is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grapharc.project.report import Report  # the names of formats are told without it

FORMATS: Mapping[str, str] = {
    "text": "for people: every finding with its source line and what mends it",
    "concise": "one line a finding",
    "json": "one document, the same as --json",
    "jsonl": "JSON lines",
    "sarif": "SARIF 2.1.0, for code scanning",
    "github": "annotations of GitHub Actions",
    "gitlab": "GitLab's code quality report",
    "junit": "JUnit's XML",
    "rdjson": "reviewdog's diagnostic format",
}
"""Every format and what it is for."""


def renderer(name: str) -> Callable[[Report], str]:
    """Return the function of a format that has nothing to add to a report; ``text`` and ``json`` say more."""
    match name:
        case "concise":
            from grapharc.cli.rendering import concise

            return concise.render
        case "jsonl":
            from grapharc.cli.rendering import jsonl

            return jsonl.render
        case "sarif":
            from grapharc.cli.rendering import sarif

            return sarif.render
        case "github":
            from grapharc.cli.rendering import github

            return github.render
        case "gitlab":
            from grapharc.cli.rendering import gitlab

            return gitlab.render
        case "junit":
            from grapharc.cli.rendering import junit

            return junit.render
        case "rdjson":
            from grapharc.cli.rendering import rdjson

            return rdjson.render
        case _:
            raise KeyError(name)
