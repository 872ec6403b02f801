"""A command's name goes in, the command comes out; its file is imported only then."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from grapharc.project.errors import did_you_mean
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
"""Every command and its line in the help, so that the help need not import them."""

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


class Commands(click.Group):
    """The command group. A test holds each line of COMMANDS to the command's own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the signatures are click's
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command, or return None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"grapharc.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name. Raises UsageError with the nearest name where there is none."""
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            meant = f", did you mean '{_MEANT[name]}'?" if name in _MEANT else did_you_mean(name, COMMANDS)
            raise click.UsageError(f"there is no command '{name}'{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    "grapharc", cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(VERSION, "--version", prog_name="grapharc", message="%(prog)s %(version)s")
def grapharc() -> None:
    """Turn documents into governed agent graphs: check them, run them.

    Exit codes: 0, it did the job; 1, the answer is no; 2, it could not run; 3, a bug of ours. Every command takes
    --json, and then a failure is the document on standard output too.
    """
