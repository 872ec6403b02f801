"""The rest of a TOML text, what is rarer and what is wrong: values and faults out, and where to go on from.

Each step consumes something or closes a container, so that reading stays linear whatever the text holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from grapharc.spec.reading import toml_tokens as tokens
from grapharc.spec.reading.marks import NO_KEY, Array, Key, Table
from grapharc.spec.reading.scalar import token
from grapharc.spec.reading.toml_grammar import SPACE
from grapharc.spec.reading.toml_keys import gap, key
from grapharc.spec.reading.toml_scalars import TomlScalars
from grapharc.spec.reading.toml_statements import TomlStatements
from grapharc.spec.reading.toml_tables import nowhere

if TYPE_CHECKING:
    from grapharc.spec.reading.toml_reader import Outcome, TomlReader

Step: TypeAlias = "tuple[int, bool]"
"""The offset to go on from, and whether the container is closed."""

_COMMENT = re.compile(r"#[^\r\n]*+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class TomlRecovery:
    """Reads one entry of a container, or what stands between two, with every kind of fault in it."""

    def __init__(self, reader: TomlReader) -> None:
        self.reader = reader
        self.text = reader.text
        self.faults = reader.faults
        self.tables = reader.tables
        self.scalars = TomlScalars(reader.text, reader.faults)
        self.statements = TomlStatements(self)
        self.silent = False
        """What follows may only be a consequence of what was reported."""
        self.fresh = -1
        """Where a statement begins that was met within an array, which therefore ends there."""
        self._spread: set[int] = set()

    def starts_header(self, at: int) -> bool:
        """Tell whether what looks like a nested array is a header, so that the array around it was never closed."""
        return tokens.starts_header(self.text, at)

    def too_deep(self, start: int, key: Key) -> Outcome:
        """Step over a container that is nested too deeply."""
        self.faults.add("nesting_too_deep", start, start + 1)
        end = tokens.skip(self.text, start)
        self.silent = self.silent or end == len(self.text)
        braces = self.text[start] == "{"
        mark = Table({}, {}, start, end, key) if braces else Array([], [], start, end, key)
        self.faults.hole(mark)
        return mark.value, mark, end

    def value(self, at: int, key: Key, within: str) -> Outcome | int | None:
        """Read a value; without one, the offset after what should have been it, or None where nothing is like one."""
        if self.text[at : at + 1] in ("{", "["):
            return self.reader.container(at, key, within)
        scalar = self.scalars.read(at)
        if scalar is None:
            return None
        self.silent = self.silent or not scalar.closed
        if not scalar.closed and "\n" in self.text[at : scalar.end]:
            # A string of several lines that is never closed has swallowed the rest of the document.
            self.faults.hole(self.tables.root)
        if not scalar.known:
            return scalar.end
        spot = (at, scalar.end)
        return scalar.value, (*spot, *(key if isinstance(key, tuple) and key != NO_KEY else spot)), scalar.end

    def member(self, table: Table, at: int, within: str) -> Step:
        """Read an entry of a table in braces, or its end."""
        comma = self.text[at - 1] == ","
        while True:
            here = self._blank(table, at)
            if self._ends(here, within):
                at, closed = self._close(table, here, within, at - 1 if comma else None)
                if closed:
                    return at, True
            elif self.text[here] == ",":
                self._report(here, "a key")
                at = here + 1
            else:
                return self.after(table, self._member(table, here, within), within)
            comma = False

    def element(self, array: Array, at: int, within: str) -> Step:
        """Read an element of an array, or its end."""
        while True:
            here = self._blank(array, at)
            if self._ends(here, within):
                at, closed = self._close(array, here, within, None)
                if closed:
                    return at, True
            elif self.text[here] == ",":
                self._report(here, "a value")
                self.faults.hole(array)
                at = here + 1
            else:
                return self.after(array, self._item(array, here, within), within)

    def after(self, container: Table | Array, at: int, within: str) -> Step:
        """Read what parts an entry from the next, or ends the container."""
        while True:
            here = self._blank(container, at)
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

    def entry(self, table: Table, at: int, within: str) -> Step:
        """Read a key, its equals sign and its value; tell whether the offset is where an entry ends."""
        found = key(self.text, at, self.faults)
        if found is None:
            self.faults.hole(table)
            return at, False
        parts, at = found
        holder = self.tables.dotted(table, parts, len(within)) or nowhere()
        equals = self.text[at : at + 1]
        if equals != "=":
            self._report(at, "'='")
        outcome = None
        if equals and equals in "=:\"'[{0123456789":
            at = gap(self.text, at + 1) if equals in "=:" else at
            outcome = self.value(at, parts[-1].spot, within + " " * (len(parts) - 1))
            if outcome is None:
                self._report(at, "a value")
        if isinstance(outcome, tuple):
            self.tables.put(holder, parts[-1], outcome[0], outcome[1])
            return outcome[2], True
        self.faults.hole(holder, parts[-1].name)
        return (at, False) if outcome is None else (outcome, True)

    def comment(self, comment: re.Match[str]) -> None:
        """Report what may not stand in a comment."""
        for control in _CONTROL.finditer(comment[0]):
            at = comment.start() + control.start()
            self.faults.add("raw_control_character", at, at + 1, {"character": f"U+{ord(control[0]):04X}"})

    def _blank(self, container: Table | Array, at: int) -> int:
        if self.faults.full:
            return len(self.text)
        return self._blank_in_table(container, at) if isinstance(container, Table) else self._blank_in_array(at)

    def _blank_in_array(self, at: int) -> int:
        here = self._space(at)
        if "\n" in self.text[at:here] and tokens.starts_statement(self.text, here):
            self.fresh = here
        return here

    def _blank_in_table(self, table: Table, at: int) -> int:
        # TOML 1.0 wants a table in braces on one line. Where more lines were meant, they are read all the same.
        here = gap(self.text, at)
        if self.text[here : here + 1] not in ("\r", "\n", "#"):
            return here
        after = self._space(here)
        goes_on = self.text[at - 1] in "{," and tokens.starts_entry(self.text, after, "}")
        if self.silent or not (goes_on or self.text[after : after + 1] in ("}", ",")):
            return here
        if table.start not in self._spread:
            self._spread.add(table.start)
            self.faults.add("newline_in_braces", here, here)
        return after

    def _space(self, at: int) -> int:
        while True:
            space = SPACE.match(self.text, at)
            at = space.end() if space else at
            comment = _COMMENT.match(self.text, at)
            if comment is None:
                return at
            self.comment(comment)
            at = comment.end()

    def _ends(self, at: int, within: str) -> bool:
        if at == len(self.text) or at == self.fresh or self.text[at] in "}]":
            return True
        if within[-1] == "}":
            return self.text[at] in "\r\n#"
        # A key within an array: it belongs to the table around, and the array was never closed.
        return within[-2:] == "}]" and tokens.starts_entry(self.text, at, "}")

    def _is_torn(self, at: int, here: int) -> bool:
        # What follows a string without a gap: a quote is missing or one too many, and nothing on this line is certain.
        return at == here and self.text[at - 1] in "\"'"

    def _member(self, table: Table, at: int, within: str) -> int:
        at, known = self.entry(table, at, within)
        self.silent = self.silent or not known
        return at if known else tokens.sync(self.text, at)

    def _item(self, array: Array, at: int, within: str) -> int:
        outcome = self.value(at, NO_KEY, within)
        if isinstance(outcome, tuple):
            array.value.append(outcome[0])
            array.marks.append(outcome[1])
            return outcome[2]
        self.faults.hole(array)
        return self._unexpected(at, "a value") if outcome is None else outcome

    def _close(self, container: Table | Array, at: int, within: str, comma: int | None) -> Step:
        found = self.text[at : at + 1]
        if found == within[-1]:
            if comma is not None:
                self.faults.add("trailing_comma", comma, comma + 1)
            self.silent = False
            return at + 1, True
        if found in ("}", "]") and found not in within:
            self._report(at, f"',' or '{within[-1]}'")
            self.faults.hole(container)
            return at + 1, not self.text.startswith(within[-1], gap(self.text, at + 1))
        if not self.silent:
            opening = self.text[container.start]
            values = {"bracket": opening, "closing": within[-1]}
            self.faults.add("unclosed_bracket", container.start, container.start + 1, values)
        self.silent = found not in ("}", "]")
        self.faults.hole(container)
        return at, True

    def _unexpected(self, at: int, expected: str) -> int:
        if not self.silent:
            self._report(at, expected)
        self.silent = True
        return tokens.sync(self.text, at)

    def _report(self, at: int, expected: str) -> None:
        found, end = token(self.text, at)
        self.faults.add("syntax_error", at, end, {"found": found, "expected": expected})
