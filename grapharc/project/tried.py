"""Changes of one document go in; those whose text, read again, says what they mean come out.

Changes that do not touch are tried together, so that a document is read again once and not once for each: every
replacement is a whole value, entry or line, and none mends what another one breaks. Where the text that comes of all of
them is not what they mean, halves of them are tried, down to one by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from grapharc.spec.comments import comments
from grapharc.spec.document import Text
from grapharc.spec.edits.changed import NoSense, changed
from grapharc.spec.edits.replacement import Replacement, Taken, replaced
from grapharc.spec.finding import Edit
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.reading.text import read_text


@frozen
class Draft:
    """Edits of a document's value, and the replacements in its text that are to make them."""

    edits: tuple[Edit, ...]
    replacements: tuple[Replacement, ...]


def tried(text: Text, drafts: Sequence[Draft]) -> list[bool]:
    """Tell of each draft whether the text that comes of it says what was meant, and keeps every comment."""
    trying = _Trying(text, drafts)
    good: set[int] = set()
    left: list[int] = []
    first: dict[tuple[Replacement, ...], int] = {}
    twins: dict[int, int] = {}
    for number, draft in enumerate(drafts):
        before = first.setdefault(draft.replacements, number)
        if before != number and drafts[before].edits == draft.edits:
            twins[number] = before
        elif len(draft.edits) > 1 and any(map(_moves, draft.edits)):
            good.update(trying.good([number]))  # its other edits may name rows as they are called after it
        else:
            left.append(number)
    while left:
        taken = Taken()
        batch = [number for number in left if taken.take(drafts[number].replacements)]
        good.update(trying.good(batch))
        left = sorted(set(left).difference(batch))
    return [twins.get(number, number) in good for number in range(len(drafts))]


class _Trying:
    """One text, in which changes are tried."""

    def __init__(self, text: Text, drafts: Sequence[Draft]) -> None:
        self._text, self._drafts = text, drafts

    def good(self, batch: Sequence[int]) -> Sequence[int]:
        """Return those of some drafts, none of which touches another one, that say what they mean."""
        if self._says([self._drafts[number] for number in batch]):
            return batch
        if len(batch) == 1:
            return ()
        half = len(batch) // 2
        return (*self.good(batch[:half]), *self.good(batch[half:]))

    def _says(self, drafts: Sequence[Draft]) -> bool:
        text = self._text
        try:
            value = _changed(text.value, drafts)
        except NoSense:
            return False
        made = replaced(text.source.text, [each for draft in drafts for each in draft.replacements])
        again, faults = read_text(made.encode(), text.source.path, text.syntax)
        return not faults and again.value == value and _said_beside(again) == self._beside

    @cached_property
    def _beside(self) -> list[str]:
        return _said_beside(self._text)


def _changed(value: Json, drafts: Sequence[Draft]) -> Json:
    """Make all edits; what takes rows out comes last and from behind, so that it moves nothing that is still named."""
    edits = [edit for draft in drafts for edit in draft.edits]
    if len(drafts) > 1:
        moving = [edit for edit in edits if _moves(edit)]
        edits = [edit for edit in edits if not _moves(edit)]
        edits += sorted(moving, key=lambda edit: _in_order(edit.path), reverse=True)
    for edit in edits:
        value = changed(value, edit)
    return value


def _moves(edit: Edit) -> bool:
    """Tell whether rows behind the one that an edit is about are called otherwise after it."""
    return edit.op == "remove" and isinstance(edit.path[-1], int)


def _in_order(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple((step, "") if isinstance(step, int) else (-1, step) for step in path)


def _said_beside(text: Text) -> list[str]:
    """The comments of a text: what its author said to people is no fix's to take out."""
    return [comment.rstrip() for _, comment in comments(text.source.text)] if text.syntax == "toml" else []
