"""``policy check|test|why|init``: the commands for those who own policies."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from grapharc.project.errors import did_you_mean

SUBCOMMANDS: Mapping[str, str] = {
    "check": "Find rules that are dead, shadowed or can be evaded, and try the project's policy tests.",
    "init": "Write a starting policy from a registry.",
    "test": "Try the cases of policy test documents.",
    "why": "Say which rule decides a request, and what it beat.",
}
"""Every command about policies and its line in the help."""


class Subcommands(click.Group):
    """The commands about policies; each file is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the signatures are click's
        """Return the names of all commands."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command, or return None where there is none of that name."""
        if cmd_name not in SUBCOMMANDS:
            return None
        command: click.Command = import_module(f"grapharc.cli.policy_{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name. Raises UsageError with the nearest name where there is none."""
        name = args[0]
        if not name.startswith("-") and name not in SUBCOMMANDS:
            raise click.UsageError(f"there is no command 'policy {name}'{did_you_mean(name, SUBCOMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.command("policy", cls=Subcommands)
def command() -> None:
    """Test policies, ask them, or start one."""
