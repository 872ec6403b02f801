"""A place in a TOML text goes in; the string, number, date or word there comes out, with a fault for what is wrong."""

from __future__ import annotations

import re
from math import isinf

from grapharc.spec.json_value import MAX_INTEGER
from grapharc.spec.reading.faults import Faults
from grapharc.spec.reading.scalar import Scalar, nearest, shown
from grapharc.spec.reading.toml_strings import decode, quoted

_RUN = re.compile(r"[-+.]*+[0-9][\w.+:-]*+(?: [0-9][0-9]:[\w.+:-]*+)?|[-+][\w.+:-]*+")
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9])*+)")
_OTHER_BASE = re.compile(r"0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*+|0o[0-7](?:_?[0-7])*+|0b[01](?:_?[01])*+")
_FLOAT = re.compile(rf"{_DECIMAL.pattern}(?:\.[0-9](?:_?[0-9])*+)?(?:[eE][+-]?[0-9](?:_?[0-9])*+)?")
_NOT_A_NUMBER = re.compile(r"[+-]?(?:inf|nan)\b")
_DATE_OR_TIME = re.compile(r"[0-9]{4}-[0-9]{2}|[0-9]{2}:[0-9]{2}")
# A word that was meant to be a string reaches to whatever could end a value.
_WORD = re.compile(r"[^\s\"'\[\]{},#=](?:[^\r\n\[\]{},#=]*[^\s\[\]{},#=])?")

_BOOLEANS = {"true": True, "false": False}
_NULLS = frozenset({"null", "None", "nil", "NULL"})
_ANY_DIGITS = 4300  # Python makes no integer of more.
_LONG = 2**63


class TomlScalars:
    """Reads the scalars of one text."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults

    def read(self, at: int) -> Scalar | None:
        """Read a scalar; None where nothing begins that could be one."""
        return self.string(at) or self._not_a_number(at) or self._number(at) or self._word(at)

    def string(self, at: int) -> Scalar | None:
        """Read a string in any of its four kinds of quotes."""
        string = quoted(self.text, at)
        if string is None:
            return None
        if not string.closed:
            self.faults.add("unterminated_string", at, at + 3 if string.lines else string.end)
            return Scalar(None, string.end, known=False, closed=False)
        return Scalar(decode(string, self.faults), string.end)

    def _not_a_number(self, at: int) -> Scalar | None:
        found = _NOT_A_NUMBER.match(self.text, at)
        if found is None:
            return None
        if self.faults.rules == "language":
            return Scalar(float(found[0]), found.end())
        return self._refuse("not_a_number", at, found[0])

    def _number(self, at: int) -> Scalar | None:
        found = _RUN.match(self.text, at)
        if found is None:
            return None
        number: str = found[0]
        if _DECIMAL.fullmatch(number):
            return self._integer(at, number, 10)
        if _OTHER_BASE.fullmatch(number):
            return self._integer(at, number, 0)
        if _FLOAT.fullmatch(number):
            value = float(number)
            return self._refuse("number_out_of_range", at, number) if isinf(value) else Scalar(value, found.end())
        if _DATE_OR_TIME.match(number):
            return self._moment(at, number)
        return self._refuse("invalid_number", at, number)

    def _integer(self, at: int, number: str, base: int) -> Scalar:
        if base == 10 and len(number) > _ANY_DIGITS:
            return self._refuse("number_out_of_range", at, number)
        value = int(number, base)
        fits = -_LONG <= value < _LONG if self.faults.rules == "language" else abs(value) <= MAX_INTEGER
        return Scalar(value, at + len(number)) if fits else self._refuse("number_out_of_range", at, number)

    def _moment(self, at: int, text: str) -> Scalar:
        if self.faults.rules == "documents":
            return self._refuse("date_or_time", at, text)
        from grapharc.spec.reading.toml_dates import moment

        value = moment(text)
        return self._refuse("date_or_time", at, text) if value is None else Scalar(value, at + len(text))

    def _word(self, at: int) -> Scalar | None:
        found = _WORD.match(self.text, at)
        if found is None:
            return None
        word: str = found[0]
        if word in _BOOLEANS:
            return Scalar(_BOOLEANS[word], found.end())
        meant = _BOOLEANS.get(word.lower())
        if meant is not None:
            self.faults.add("unknown_literal", at, found.end(), {"found": word, "suggestion": word.lower()})
            return Scalar(meant, found.end())
        if word in _NULLS:
            self.faults.add("unknown_literal", at, found.end(), {"found": word})
            return Scalar(None, found.end(), known=False)
        self.faults.add(
            "unquoted_string", at, found.end(), {"found": shown(word), "suggestion": nearest(word, _BOOLEANS)}
        )
        return Scalar(word, found.end())

    def _refuse(self, code: str, at: int, found: str) -> Scalar:
        self.faults.add(code, at, at + len(found), {"found": shown(found)})
        return Scalar(None, at + len(found), known=False)
