"""The commands go in, the page of their help texts comes out."""

from __future__ import annotations

from collections.abc import Iterator

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
            sections += _sections(command, context, name)
    return GENERATED + "\n".join(sections)


def _sections(command: click.Command, around: click.Context, name: str) -> Iterator[str]:
    """The help of a command, and of all in it."""
    context = click.Context(command, parent=around, info_name=name, terminal_width=_WIDTH)
    yield f"## {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"
    if not isinstance(command, click.Group):
        return
    for inner in command.list_commands(context):
        found = command.get_command(context, inner)
        if found is not None:
            yield from _sections(found, context, inner)
