"""What ``--select`` and ``--ignore`` say goes in; whether a code is reported comes out. Only lint can be left out."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import matches
from grapharc.spec.reasons import reason, reasons

_CLASSES = ("soundness", "authority", "lint")


@frozen
class Choice:
    """The lint codes that are reported: those in ``selected``, or all where it is None, without those ``ignored``."""

    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()

    def takes(self, code: str) -> bool:
        """Tell whether findings of a code are reported; of another class than lint all are."""
        if self.selected is None and not self.ignored:
            return True
        if reason(code).reason_class != "lint":
            return True
        return (self.selected is None or code in self.selected) and code not in self.ignored


EVERYTHING = Choice()


def choose(select: Iterable[str], ignore: Iterable[str]) -> Choice:
    """Read codes, globs of codes and names of classes, several in a text with commas between them.

    Raises CannotStart for what means no code, and for an ``--ignore`` that means none that can be ignored.
    """
    wanted, unwanted = _split(select), _split(ignore)
    selected = frozenset(code for word in wanted for code in _codes(word, "--select")) if wanted else None
    ignored = frozenset(code for word in unwanted for code in _ignorable(word))
    return Choice(selected, ignored)


def _split(texts: Iterable[str]) -> list[str]:
    return [word.strip() for text in texts for word in text.split(",")]


def _codes(word: str, flag: str) -> list[str]:
    if word in reasons():
        return [word]
    found = [
        code for code in reasons() if (reason(code).reason_class == word if word in _CLASSES else matches(word, code))
    ]
    if not found:
        near = did_you_mean(word, (*reasons(), *_CLASSES))
        raise CannotStart(f"{flag}: there is no code '{word}'{near}", "'grapharc explain' lists them")
    return found


def _ignorable(word: str) -> list[str]:
    codes = _codes(word, "--ignore")
    lint = [code for code in codes if reason(code).reason_class == "lint"]
    if not lint:
        what = f"it is of class {reason(codes[0]).reason_class}" if word in reasons() else "none of these codes is lint"
        raise CannotStart(f"--ignore: '{word}' cannot be ignored: {what}", "only lint can be left out of a report")
    return lint
