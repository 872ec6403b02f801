"""What a command found goes in, what is printed and the exit code come out, for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json

DONE = 0
NO = 1
COULD_NOT = 2
OUR_BUG = 3

FAIL_ON = ("approval", "warning", "note")
"""What exit code 1 of a check may also be asked to mean."""


@frozen
class Answer:
    """The exit code, the document that ``--json`` prints and the text for people; each is made when it is wanted."""

    exit: int
    document: Callable[[], Mapping[str, Json]]
    text: Callable[[bool], str]
    """Takes whether to colour."""


class Interrupted(BaseException):
    """Ctrl-C ended a command. It is no KeyboardInterrupt, behind which click prints an empty line."""


class Terminated(BaseException):
    """A signal told the process to end. ``code`` is the exit code that shells give for it."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__(number, name)
        self.code, self.name = 128 + number, name


def give(answer: Answer, *, as_json: bool) -> int:
    """Print an answer on standard output and return its exit code."""
    if as_json:
        write(sys.stdout, as_document({"exit": answer.exit, **answer.document()}))
    else:
        write(sys.stdout, answer.text(has_colour(sys.stdout)))
    return answer.exit


def as_document(document: Mapping[str, Json]) -> str:
    """Return a document as JSON text, keys in the order given."""
    import json  # only --json needs it

    return json.dumps(document, indent=2) + "\n"


def has_colour(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal whose user has nothing against colour (https://no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal, which obeys control characters whether or not it is to colour."""
    return stream.isatty()


def write(stream: TextIO, text: str) -> None:
    """Write a text, characters that the stream's encoding lacks as escapes."""
    stream.write(encodable(stream, text))


def encodable(stream: TextIO, text: str) -> str:
    """Return a text with escapes for the characters that a stream's encoding lacks."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
