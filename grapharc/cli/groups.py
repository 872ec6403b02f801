"""Names of commands go in, a click group of them comes out; a name that is none of them is told with the nearest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import click

from grapharc.cli.answer import Interrupted
from grapharc.project.errors import did_you_mean


class Group(click.Group):
    """A command group of ours."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name. Raises UsageError with the nearest name where there is none."""
        name, known = args[0], self.list_commands(ctx)
        if not name.startswith("-") and name not in known:
            words = name if ctx.parent is None else f"{self.name} {name}"
            raise click.UsageError(f"there is no command '{words}'{self._meant(name, known)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Raises Interrupted where somebody ends it by Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None

    def _meant(self, name: str, known: Iterable[str]) -> str:
        return did_you_mean(name, known)


class ImportedGroup(Group):
    """A group whose commands are each a file, imported when it is asked for.

    ``lines`` are the commands and their lines in the help, so that the help need not import them; a test holds each to
    the command's own help. ``files`` is what the names of the modules begin with, and
    ``meant`` has what is meant by names that others use.
    """

    def __init__(
        self, name: str, *, lines: Mapping[str, str], files: str, meant: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(name, **more)
        self._lines, self._files, self._others = lines, files, meant or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the signatures are click's
        """Return the names of all commands."""
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command, or return None where there is none of that name."""
        if cmd_name not in self._lines:
            return None
        command: click.Command = import_module(f"{self._files}{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))

    def _meant(self, name: str, known: Iterable[str]) -> str:
        return f", did you mean '{self._others[name]}'?" if name in self._others else super()._meant(name, known)
