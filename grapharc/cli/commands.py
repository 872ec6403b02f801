"""A command's name goes in, the command comes out; its file is imported only then."""

from __future__ import annotations

from collections.abc import Mapping

import click

from grapharc.cli.groups import ImportedGroup
from grapharc.spec.version import VERSION

COMMANDS: Mapping[str, str] = {
    "baseline": "Make a baseline of the lint findings there are, or take out of one what is mended.",
    "check": "Find every fault of documents, without running anything.",
    "completion": "Print the script that completes commands, options and names in a shell.",
    "demo": "Check and run an example.",
    "draw": "Draw a graph, as it is checked and judged; refusals stand in it in red.",
    "explain": "Say what a code means and how to mend it.",
    "fmt": "Write documents in canonical order and layout.",
    "gate": "Say what changed between two states of a project, and fail on what nobody agreed to.",
    "init": "Write a small project that checks clean and runs.",
    "kinds": "List the node kinds that exist here, or show one.",
    "memory": "Look into a claim store.",
    "policy": "Test policies, ask them, or start one.",
    "run": "Check a graph, compile it and run it.",
    "schema": "Print the JSON Schema of a kind of document.",
    "viz": "Draw a run: counts, times, branches taken and failures, laid over the diagram of its graph.",
}
"""Every command and its line in the help."""

_MEANT = {
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "fix": "check --fix",
    "format": "fmt",
    "new": "init",
    "test": "policy test",
    "why": "policy why",
    "diff": "gate",
    "approve": "gate approve",
    "graph": "draw",
    "render": "draw",
    "plot": "draw",
    "trace": "viz",
}
"""What other tools call commands of ours, and ours without the group that they are in."""


@click.command(
    "grapharc",
    cls=ImportedGroup,
    lines=COMMANDS,
    files="grapharc.cli.",
    meant=_MEANT,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, "--version", prog_name="grapharc", message="%(prog)s %(version)s")
def grapharc() -> None:
    """Turn documents into governed agent graphs: check them, run them.

    Exit codes: 0, it did the job; 1, the answer is no; 2, it could not run; 3, a bug of ours. Every command takes
    --json, and then a failure is the document on standard output too.
    """
