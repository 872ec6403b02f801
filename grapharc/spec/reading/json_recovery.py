"""The rest of a JSON text, from where it is not plainly well formed: faults out, and where to go on from.

Each step consumes something or closes a container, so that reading stays linear whatever the text holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.json_value import Json
from grapharc.spec.reading import json_tokens as tokens
from grapharc.spec.reading.json_places import JsonPlaces
from grapharc.spec.reading.json_scalars import JsonScalars
from grapharc.spec.reading.marks import NO_KEY, Array, Key, Table
from grapharc.spec.reading.scalar import token

if TYPE_CHECKING:
    from grapharc.spec.reading.json_reader import JsonReader, Outcome

Step: TypeAlias = "tuple[int, bool]"
"""The offset to go on from, and a condition that was met: in most cases that the container is closed."""


class JsonRecovery:
    """Reads one entry, or what stands between two, with every kind of fault in it."""

    def __init__(self, reader: JsonReader) -> None:
        self.reader = reader
        self.text = reader.text
        self.faults = reader.faults
        self.scalars = JsonScalars(reader.text, reader.faults)
        self.silent = False
        """What follows may only be a consequence of a string that was never closed."""
        self.chatty = False
        """Something stood before the value, so that something may well stand after it."""

    def root(self, at: int) -> Outcome:
        """Read a text that is no object, or one that something stands before, as in an answer of a chatty model."""
        at = self.blank(at)
        if at == len(self.text):
            self.faults.add("empty_document", at, at)
            return self._nothing(at)
        outcome = None if tokens.is_word(self.text, at) else self.value(at, NO_KEY, "")
        if outcome is None:
            self._report(at, "a value")
            self.chatty = True
            opening = self.text.find("{", at)
            outcome = len(self.text) if opening < 0 else self.reader.object(opening, NO_KEY, "")
        return self._nothing(outcome) if isinstance(outcome, int) else outcome

    def trailing(self, at: int) -> None:
        """Report what follows the value of the document."""
        at = self.blank(at)
        if at < len(self.text) and not self.silent and not self.chatty:
            found, end = token(self.text, at)
            self.faults.add("text_after_end", at, end, {"found": found, "what": "document"})

    def too_deep(self, start: int, key: Key) -> Outcome:
        """Step over a container that is nested too deeply."""
        self.faults.add("nesting_too_deep", start, start + 1)
        end = tokens.skip(self.text, start)
        self.silent = self.silent or end == len(self.text)
        braces = self.text[start] == "{"
        mark = Table({}, {}, start, end, key) if braces else Array([], [], start, end, key)
        self.faults.hole(mark)
        return mark.value, mark, end

    def duplicate(self, table: Table, name: str, value: Json, start: int, end: int) -> None:
        """Report a key that the object has already, with the value that it has this time."""
        mark = table.marks[name]
        first = mark.key if isinstance(mark, (Table, Array)) else mark
        spot = JsonPlaces().member(self.text, first, "braces")[2:] if isinstance(first, int) else first[-2:]
        self.faults.add("duplicate_key", start, end, {"key": name}, self.faults.related("first_here", *spot))
        if isinstance(value, (dict, list)):
            # What the second one holds is missing; of a scalar nothing is.
            self.faults.hole(table, name)

    def member(self, table: Table, at: int, within: str) -> Step:
        """Read a member of an object, or its end."""
        comma = self.text[at - 1] == ","
        while True:
            here = self.blank(at)
            if self._ends(here, within):
                at, closed = self._close(table, here, within, at - 1 if comma else None)
                if closed:
                    return at, True
            elif self.text[here] == ",":
                self._unexpected(here, "a key")
                at = here + 1
            else:
                return self.after(table, self._entry(table, here, within), within)
            comma = False

    def element(self, array: Array, at: int, within: str) -> Step:
        """Read an element of an array, or its end."""
        comma = self.text[at - 1] == ","
        while True:
            here = self.blank(at)
            if self._ends(here, within):
                at, closed = self._close(array, here, within, at - 1 if comma else None)
                if closed:
                    return at, True
            elif self.text[here] == ",":
                self._unexpected(here, "a value")
                self.faults.hole(array)
                at = here + 1
            else:
                return self.after(array, self._item(array, here, within), within)
            comma = False

    def after(self, container: Table | Array, at: int, within: str) -> Step:
        """Read what parts an entry from the next, or ends the container."""
        while True:
            here = self.blank(at)
            if self._ends(here, within):
                at, closed = self._close(container, here, within, None)
                if closed:
                    return at, True
            elif self.text[here] == ",":
                self.silent = False
                return here + 1, False
            elif tokens.starts_entry(self.text, here, within[-1]) and not self._is_torn(at, here):
                if not self.silent:
                    self.faults.add("missing_comma", at, at)
                self.silent = False
                return here, False
            else:
                self.faults.hole(container)
                at = self._unexpected(here, f"',' or '{within[-1]}'")

    def value(self, at: int, key: Key, within: str) -> Outcome | int | None:
        """Read a value; without one, the offset after what should have been it, or None where nothing is like one."""
        if self.text[at] in "{[":
            return self.reader.container(at, key, within)
        scalar = self.scalars.read(at)
        if scalar is None:
            return None
        self.silent = self.silent or not scalar.closed
        if not scalar.known:
            return scalar.end
        spot = (at, scalar.end)
        return scalar.value, (*spot, *(key if isinstance(key, tuple) and key != NO_KEY else spot)), scalar.end

    def blank(self, at: int) -> int:
        """Step over white space, over comments, which JSON does not have, and over the rest where all is lost."""
        if self.faults.full:
            return len(self.text)
        at = self.reader.blank(at)
        while comment := tokens.comment(self.text, at):
            self.faults.add("json_comment", at, comment)
            at = self.reader.blank(comment)
        return at

    def _ends(self, at: int, within: str) -> bool:
        if at == len(self.text) or self.text[at] in "}]":
            return True
        # A key within an array: it belongs to the object around, and the array was never closed.
        return within[-2:] == "}]" and self.text[at] == '"' and tokens.starts_entry(self.text, at, "}")

    def _is_torn(self, at: int, here: int) -> bool:
        # What follows a string without a gap: a quote is missing or one too many, and nothing on this line is certain.
        return at == here and self.text[at - 1] == '"'

    def _entry(self, table: Table, at: int, within: str) -> int:
        key = self.scalars.key(at)
        if key is None:
            self.faults.hole(table)
            return self._unexpected(at, "a key in double quotes")
        if not isinstance(key.value, str):
            self.faults.hole(table)
            self.silent = True
            return key.end
        name, spot = key.value, (at, key.end)
        at, expected = self._colon(key.end)
        outcome = self.value(at, spot, within) if expected else at
        if name in table.marks:
            self.duplicate(table, name, outcome[0] if isinstance(outcome, tuple) else None, *spot)
        elif isinstance(outcome, tuple):
            table.value[name], table.marks[name], _ = outcome
        else:
            self.faults.hole(table, name)
        return self._after_value(outcome, at)

    def _colon(self, at: int) -> Step:
        """Step over a colon; tell whether a value follows it."""
        colon = self.blank(at)
        found = self.text[colon : colon + 1]
        if found == ":":
            at = self.blank(colon + 1)
            return at, at < len(self.text)
        if not found:
            return colon, False
        self._report(colon, "':'")
        at = self.blank(colon + 1) if found == "=" else colon
        if tokens.starts_entry(self.text, at, "]"):
            return at, True
        self.silent = True
        return tokens.sync(self.text, at), False

    def _item(self, array: Array, at: int, within: str) -> int:
        outcome = self.value(at, NO_KEY, within)
        if isinstance(outcome, tuple):
            array.value.append(outcome[0])
            array.marks.append(outcome[1])
        else:
            self.faults.hole(array)
        return self._after_value(outcome, at)

    def _after_value(self, outcome: Outcome | int | None, at: int) -> int:
        if outcome is None:
            return self._unexpected(at, "a value")
        return outcome if isinstance(outcome, int) else outcome[2]

    def _close(self, container: Table | Array, at: int, within: str, comma: int | None) -> Step:
        found = self.text[at : at + 1]
        if found == within[-1]:
            if comma is not None:
                self.faults.add("trailing_comma", comma, comma + 1)
            self.silent = False
            return at + 1, True
        if found in ("}", "]") and self._is_mistaken(at, within):
            self._report(at, f"',' or '{within[-1]}'")
            self.faults.hole(container)
            return at + 1, not self.text.startswith(within[-1], self.reader.blank(at + 1))
        if not self.silent:
            opening = self.text[container.start]
            values = {"bracket": opening, "closing": within[-1]}
            self.faults.add("unclosed_bracket", container.start, container.start + 1, values)
        self.silent = found not in ("}", "]")
        self.faults.hole(container)
        return at, True

    def _is_mistaken(self, at: int, within: str) -> bool:
        """Tell whether a bracket was meant to be another: nothing awaits it, or only what is not at its end yet."""
        found = self.text[at]
        return found not in within or (within.rfind(found) == 0 and self.reader.blank(at + 1) < len(self.text))

    def _unexpected(self, at: int, expected: str) -> int:
        if at == len(self.text):
            return at
        if not self.silent:
            self._report(at, expected)
        self.silent = True
        return tokens.sync(self.text, at)

    def _report(self, at: int, expected: str) -> None:
        found, end = token(self.text, at)
        self.faults.add("syntax_error", at, end, {"found": found, "expected": expected})

    def _nothing(self, end: int) -> Outcome:
        table = Table({}, {}, 0, end, NO_KEY)
        self.faults.hole(table)
        return None, table, end
