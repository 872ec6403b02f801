"""Why a command could not even start: nothing is wrong with a document, there was nothing to work on."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.spec.suggest import suggest


class CannotStart(Exception):
    """What was asked for cannot be begun: a file that is not there, a setting that makes no sense, nothing to check.

    ``message`` says what is wrong and then what would be right; ``hint`` may add one more line.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message, self.hint = message, hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about a name that is not known: which one was probably meant, or nothing."""
    near = suggest(name, known)
    return f", did you mean '{near}'?" if near else ""
