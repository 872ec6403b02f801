"""What ended a command early goes in; the message, or with ``--json`` the document, and the exit code come out.

Nothing here needs click: Ctrl-C may come while it is being imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise

from grapharc.cli.answer import NO, Terminated, as_document, has_colour, write
from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.spec.json_value import Json


def wants_json(arguments: Sequence[str]) -> bool:
    """Tell whether ``--json``, the same as ``--format json``, was asked for, even where the rest makes no sense."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    pairs = pairwise(options)
    return "--json" in options or "--format=json" in options or ("--format", "json") in pairs


def interrupted(arguments: Sequence[str]) -> int:
    """Say that somebody stopped it; what was written until then is whole."""
    return fail(NO, "interrupted", "interrupted", "", arguments)


def terminated(error: Terminated, arguments: Sequence[str]) -> int:
    """Say that a signal ended it, which callers that know signals look for."""
    return fail(error.code, "interrupted", f"ended by {error.name}", "", arguments)


def fail(code: int, why: str, message: str, hint: str, arguments: Sequence[str]) -> int:
    """Say why a command ended, and return its exit code."""
    if wants_json(arguments):
        error: Mapping[str, Json] = {"kind": why, "message": message, "hint": hint}
        write(sys.stdout, as_document({"exit": code, "error": error}))
        return code
    colour = has_colour(sys.stderr)
    lines = [f"{paint('error', 'error', colour)}{paint(f': {printable(message)}', 'title', colour)}"]
    lines += [f"  = {printable(hint)}"] if hint else []
    try:
        write(sys.stderr, "".join(f"{line}\n" for line in lines))
    except OSError:  # then the exit code says it alone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return code
