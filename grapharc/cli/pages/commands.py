"""The commands go in, the page of their help texts comes out."""

from __future__ import annotations

import click

from grapharc.cli.commands import COMMANDS, grapharc
from grapharc.cli.pages import GENERATED

_WIDTH = 100


def page() -> str:
    """Return the page."""
    context = click.Context(grapharc, info_name="grapharc", terminal_width=_WIDTH)
    sections = [
        "# Commands\n\n"
        "Exit codes are part of the interface. 0: it did the job. 1: it ran and the answer is no. 2: it could not run. "
        "3: a bug of ours, reported as one. Every command takes `--json`, in which a failure is the document on "
        "standard output too.\n"
    ]
    for name in sorted(COMMANDS):
        command = grapharc.get_command(context, name)
        if command is not None:
            inner = click.Context(command, parent=context, info_name=name, terminal_width=_WIDTH)
            sections.append(f"## grapharc {name}\n\n```\n{command.get_help(inner)}\n```\n")
    return GENERATED + "\n".join(sections)
