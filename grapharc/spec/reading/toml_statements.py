"""One statement of a TOML text that is not plainly well formed goes in; what it says and what is wrong come out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grapharc.spec.reading.marks import Table
from grapharc.spec.reading.scalar import token
from grapharc.spec.reading.toml_grammar import AFTER_STATEMENT, SPACE
from grapharc.spec.reading.toml_keys import gap, key
from grapharc.spec.reading.toml_tables import nowhere

if TYPE_CHECKING:
    from grapharc.spec.reading.toml_recovery import TomlRecovery

_COMMENT = re.compile(r"#[^\r\n]*+")


class TomlStatements:
    """Reads the statements of one text."""

    def __init__(self, recovery: TomlRecovery) -> None:
        self.recovery = recovery
        self.text = recovery.text
        self.faults = recovery.faults
        self.tables = recovery.tables

    def read(self, table: Table, at: int, within: str) -> tuple[Table, int]:
        """Read a statement in a table; return the table of the next one, and where that begins."""
        if self.faults.full:
            return table, len(self.text)
        if self.text[at] == "[":
            return self._header(at)
        if self.text[at] == "#":
            return table, self.line_end(at)
        return table, self._assignment(table, at, within)

    def line_end(self, at: int) -> int:
        """Step over the rest of a line, on which nothing but a comment may stand, to the next statement."""
        if at == self.recovery.fresh:
            return at
        ended = AFTER_STATEMENT.match(self.text, at)
        if ended is not None:
            self.recovery.silent = False
            return ended.end()
        at = gap(self.text, at)
        comment = _COMMENT.match(self.text, at)
        if comment is not None:
            self.recovery.comment(comment)
        elif not self.recovery.silent:
            found, end = token(self.text, at)
            self.faults.add("text_after_end", at, end, {"found": found, "what": "line"})
        return self._skip_line(at)

    def _header(self, at: int) -> tuple[Table, int]:
        double = self.text.startswith("[[", at)
        closing = "]]" if double else "]"
        found = key(self.text, gap(self.text, at + len(closing)), self.faults)
        if found is None:
            self.faults.hole(self.tables.root)
            return nowhere(), self._skip_line(at)
        parts, end = found
        if self.text.startswith(closing, end):
            end += len(closing)
        else:
            values = {"bracket": "[" * len(closing), "closing": closing}
            self.faults.add("unclosed_bracket", at, at + len(closing), values)
            self.recovery.silent = True
        opens = self.tables.header_of_array if double else self.tables.header
        return opens(parts, at, end), self.line_end(end)

    def _assignment(self, table: Table, at: int, within: str) -> int:
        at, known = self.recovery.entry(table, at, within)
        return self.line_end(at) if known else self._skip_line(at)

    def _skip_line(self, at: int) -> int:
        self.recovery.silent = False
        newline = self.text.find("\n", at)
        space = SPACE.match(self.text, newline) if newline >= 0 else None
        return space.end() if space else len(self.text)
