"""Headers and dotted keys of a TOML text go in; the tables they mean come out, and faults where they may not be.

A table is open to what the specification lets add to it: one made on the way to a header, once to a header of its own
or to dotted keys; one made by dotted keys, to more of them and to headers beneath it; one in braces, to nothing.
"""

from __future__ import annotations

from grapharc.spec.finding import Related
from grapharc.spec.json_value import Json
from grapharc.spec.reading.faults import MAX_DEPTH, Faults
from grapharc.spec.reading.marks import NO_KEY, Array, Form, Mark, Table
from grapharc.spec.reading.toml_parts import Part
from grapharc.spec.reading.toml_places import TomlPlaces


def nowhere() -> Table:
    """Return a table that is no part of a value, for what has no place in it but may have faults of its own."""
    return Table({}, {}, 0, 0, NO_KEY, "header")


class Tables:
    """The tables of one text; ``depth`` is how deep the latest header led, counted from 1 for the root."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults
        self.root = Table({}, {}, 0, len(text), NO_KEY, "header")
        self.depth = 1

    def header(self, key: list[Part], start: int, end: int) -> Table:
        """Return the table that a header in single brackets, from ``start`` to ``end``, opens."""
        holder = self._way(key)
        if holder is None or not self._deeper(key[-1], 1):
            return nowhere()
        last = key[-1]
        match holder.marks.get(last.name):
            case None:
                return _add(holder, last, "header", start, end)
            case Table(form="implicit") as table:
                table.form, table.start, table.end, table.key = "header", start, end, last.spot
                return table
            case Table(form="header" | "dotted") as table:
                self.duplicate(holder, last)
                return table
            case Array(tables=True) as array:
                related = self._first(holder, last.name)
                self.faults.add("table_array_mismatch", start, end, {"key": last.name}, related)
                return _append(array, start, end)
            case _:
                return self._taken(holder, last)

    def header_of_array(self, key: list[Part], start: int, end: int) -> Table:
        """Return the table that a header in double brackets appends."""
        holder = self._way(key)
        if holder is None or not self._deeper(key[-1], 2):
            return nowhere()
        last = key[-1]
        found = holder.marks.get(last.name)
        if found is None:
            found = Array([], [], start, end, last.spot, tables=True)
            holder.value[last.name] = found.value
            holder.marks[last.name] = found
        if isinstance(found, Array) and found.tables:
            return _append(found, start, end)
        return self._taken(holder, last)

    def next_row(self, name: str, start: int) -> Table | None:
        """Append to a list of tables at the root, as most headers do; None where there is none of that name yet."""
        found = self.root.marks.get(name)
        if "." in name or not isinstance(found, Array) or not found.tables:
            return None
        self.depth = 3
        return _append(found, start - 2, start + len(name) + 2)

    def dotted(self, table: Table, key: list[Part], depth: int) -> Table | None:
        """Return the table that all but the last part of a key lead to; None, reported, where none may be.

        ``depth`` is that of the table they start from.
        """
        if depth + len(key) - 1 > MAX_DEPTH:
            self.faults.add("nesting_too_deep", key[0].start, key[-1].end)
            self.faults.hole(table)
            return None
        for part in key[:-1]:
            found = table.marks.get(part.name)
            if found is None:
                table = _add(table, part, "dotted", part.start, part.end)
            elif isinstance(found, Table) and found.form in ("dotted", "implicit"):
                found.form = "dotted"
                table = found
            else:
                self._closed(table, part)
                return None
        return table

    def put(self, holder: Table, key: Part, value: Json, mark: Mark) -> None:
        """Set a key that may be there already: the first one counts."""
        if key.name in holder.marks:
            self.duplicate(holder, key)
            if isinstance(value, (dict, list)):
                # What the second one holds is missing; of a scalar nothing is.
                self.faults.hole(holder, key.name)
        else:
            holder.value[key.name] = value
            holder.marks[key.name] = mark

    def duplicate(self, holder: Table, key: Part) -> None:
        """Report a key that its table has already."""
        self.faults.add("duplicate_key", key.start, key.end, {"key": key.name}, self._first(holder, key.name))

    def _way(self, key: list[Part]) -> Table | None:
        table, self.depth = self.root, 1
        for part in key[:-1]:
            if not self._deeper(part, 1):
                return None
            found = table.marks.get(part.name)
            if found is None:
                table = _add(table, part, "implicit", part.start, part.end)
            elif isinstance(found, Table) and found.form != "braces":
                table = found
            elif isinstance(found, Array) and found.tables and isinstance(last := found.marks[-1], Table):
                table = last
                self.depth += 1
            else:
                self._closed(table, part)
                return None
        return table

    def _taken(self, holder: Table, key: Part) -> Table:
        self.duplicate(holder, key)
        self.faults.hole(holder, key.name)
        return nowhere()

    def _deeper(self, part: Part, levels: int) -> bool:
        self.depth += levels
        if self.depth <= MAX_DEPTH:
            return True
        self.faults.add("nesting_too_deep", part.start, part.end)
        self.faults.hole(self.root)
        return False

    def _closed(self, holder: Table, part: Part) -> None:
        is_table = isinstance(holder.value[part.name], dict)
        code = "closed_table" if is_table else "not_a_table"
        self.faults.add(code, part.start, part.end, {"key": part.name}, self._first(holder, part.name))
        self.faults.hole(holder, part.name)

    def _first(self, holder: Table, name: str) -> tuple[Related, ...]:
        mark = holder.marks[name]
        key = mark.key if isinstance(mark, (Table, Array)) else mark
        if isinstance(key, int):
            key = TomlPlaces().member(self.text, key, holder.form)
        return self.faults.related("first_here", *key[-2:])


def _add(holder: Table, part: Part, form: Form, start: int, end: int) -> Table:
    members: dict[str, Json] = {}
    table = Table(members, {}, start, end, (part.start, part.end), form)
    holder.value[part.name] = members
    holder.marks[part.name] = table
    return table


def _append(array: Array, start: int, end: int) -> Table:
    table = Table({}, {}, start, end, NO_KEY, "header")
    array.value.append(table.value)
    array.marks.append(table)
    return table
