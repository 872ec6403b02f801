"""Why a command failed goes in; the message, or with ``--json`` the document, and the exit code come out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import TracebackType

import click

from grapharc.cli.answer import COULD_NOT, OUR_BUG, write
from grapharc.cli.ending import fail, interrupted
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.spec.version import VERSION

_PACKAGE = f"{os.sep}grapharc{os.sep}"


def failed(error: Exception, arguments: Sequence[str]) -> int:
    """Say why a command failed, whatever it met."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            write(sys.stderr, f"{error.format_message()}\n")
            return COULD_NOT
        case click.UsageError():
            return usage_failed(error, arguments)
        case CannotStart():
            return start_failed(error, arguments)
        case click.Abort():
            return interrupted(arguments)
        case OSError():
            return system_failed(error, arguments)
        case _:
            return bug_met(error, arguments)


def usage_failed(error: click.UsageError, arguments: Sequence[str]) -> int:
    """Say what is wrong with the command line."""
    command = error.ctx.command_path if error.ctx else "grapharc"
    if isinstance(error, click.NoSuchOption) and error.ctx and isinstance(error.ctx.command, click.Group):
        takers = (
            word for word in arguments if _takes(error.ctx.command.get_command(error.ctx, word), error.option_name)
        )
        meant = next(takers, "COMMAND")
        hint = f"options stand behind the command that takes them: '{command} {meant} {error.option_name}'"
    else:
        hint = f"'{command} --help' says what it takes"
    return _could_not(_plain(_usage_message(error)), hint, arguments)


def _takes(command: click.Command | None, option: str) -> bool:
    return command is not None and any(option in (*each.opts, *each.secondary_opts) for each in command.params)


def start_failed(error: CannotStart, arguments: Sequence[str]) -> int:
    """Say why there was nothing to work on."""
    return _could_not(error.message, error.hint, arguments)


def system_failed(error: OSError, arguments: Sequence[str]) -> int:
    """Say what the system refused."""
    what = f"'{error.filename}' " if error.filename else ""
    return _could_not(f"{what}could not be used: {(error.strerror or str(error)).lower()}", "", arguments)


def bug_met(error: BaseException, arguments: Sequence[str]) -> int:
    """Report a bug of ours as one, with what is needed to find it."""
    where = _innermost(error.__traceback__)
    message = f"this is a bug of GraphARC, not of your documents: {type(error).__name__} at {where}: {error}"
    hint = f"please report it with this line, 'grapharc {VERSION}' and the command; GRAPHARC_TRACEBACK=1 shows more"
    if os.environ.get("GRAPHARC_TRACEBACK"):
        from traceback import format_exception

        write(sys.stderr, "".join(format_exception(error)))
    return fail(OUR_BUG, "bug", message, hint, arguments)


def _could_not(message: str, hint: str, arguments: Sequence[str]) -> int:
    return fail(COULD_NOT, "could_not_run", message, hint, arguments)


def _usage_message(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption) and error.ctx:
        options = [name for parameter in error.ctx.command.get_params(error.ctx) for name in parameter.opts]
        return f"there is no option '{error.option_name}'{did_you_mean(error.option_name, options)}"
    return error.format_message()


def _plain(message: str) -> str:
    """Put a sentence of click's into our manner: lower case, no full stop."""
    return message[:1].lower() + message[1:].removesuffix(".")


def _innermost(trace: TracebackType | None) -> str:
    where = "an unknown place"
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if _PACKAGE in path:
            where = f"grapharc/{path.rpartition(_PACKAGE)[2].replace(os.sep, '/')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where
