"""``completion SHELL``: the name of a shell goes in, the script that completes our commands in it comes out."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option
from grapharc.project.errors import CannotStart, did_you_mean

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_GRAPHARC_COMPLETE"


@click.command("completion")
@click.argument("shell", metavar="SHELL")
@json_option
@click.pass_context
def command(context: click.Context, shell: str, as_json: bool) -> int:
    """Print the script that completes commands, options and names in a shell.

    SHELL is bash, zsh or fish. In bash and zsh: eval "$(grapharc completion bash)"; in fish: grapharc completion
    fish | source. Put the line into the file that your shell reads when it starts.
    """
    found = get_completion_class(shell) if shell in SHELLS else None
    if found is None:
        raise CannotStart(
            f"'{shell}' is no shell that can be served{did_you_mean(shell, SHELLS)}", "bash, zsh and fish can"
        )
    script = found(context.find_root().command, {}, "grapharc", VARIABLE).source()
    return give(
        Answer(DONE, lambda: {"shell": shell, "script": script}, lambda _: f"{script.strip()}\n"), as_json=as_json
    )
