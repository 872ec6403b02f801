"""A place in a JSON text goes in; the string, number or word there comes out, with a fault for what is wrong in it."""

from __future__ import annotations

import re
from math import isinf

from grapharc.spec.json_value import MAX_INTEGER
from grapharc.spec.reading.faults import Faults
from grapharc.spec.reading.json_grammar import LITERALS
from grapharc.spec.reading.json_strings import unescape
from grapharc.spec.reading.scalar import Scalar, nearest, shown

_STRING = re.compile(r'"([^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)("|)')
_ACROSS_LINES = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(?=[ \t\r\n]*+[,:\]}])', re.DOTALL)
_SINGLE = re.compile(r"'([^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+)'")
_CONTROL = re.compile(r"[\x00-\x1f]")
_NUMBER = re.compile(r"[-+.]*+[0-9][\w.+-]*+|[-+][\w.+-]*+")
_STRICT = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?")
_WORD = re.compile(r"[^\W\d][\w.$/-]*+")
_BARE_KEY = re.compile(r"[\w$][\w$.-]*+(?=[ \t]*+[:=])")

_NOT_A_NUMBER = frozenset({"nan", "inf", "infinity"})
_EXACT_DIGITS = len(str(-MAX_INTEGER))
_ANY_DIGITS = 4300  # Python makes no integer of more.
_OTHER_LANGUAGES: dict[str, str] = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "nil": "null",
    "NULL": "null",
    "undefined": "null",
}


_LOOK_AHEAD = 1 << 16


class JsonScalars:
    """Reads the scalars of one text."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults

    def key(self, at: int) -> Scalar | None:
        """Read a key, in whatever quotes it stands; one that is cut off is None, and is reported here."""
        bare = _BARE_KEY.match(self.text, at)
        if bare is None:
            return self._string(at)
        self.faults.add("unquoted_key", at, bare.end(), {"key": shown(bare[0])})
        return Scalar(bare[0], bare.end())

    def read(self, at: int) -> Scalar | None:
        """Read a scalar; None where nothing begins that could be one."""
        return self._string(at) or self._number(at) or self._word(at)

    def _string(self, at: int) -> Scalar | None:
        found = _STRING.match(self.text, at)
        if found is None:
            return self._single(at)
        if found[2]:
            return Scalar(self._content(found), found.end())
        return self._across_lines(at, found.end())

    def _across_lines(self, at: int, line_end: int) -> Scalar:
        # A quote that is followed by a comma, a colon or a bracket ends the string that began on a line above.
        found = None if self.faults.full else _ACROSS_LINES.match(self.text, at, at + _LOOK_AHEAD)
        if found is None:
            self.faults.add("unterminated_string", at, line_end)
            return Scalar(None, line_end, known=False, closed=False)
        self.faults.add("newline_in_string", line_end, line_end)
        return Scalar(unescape(found[1], at + 1, self.faults), found.end())

    def _single(self, at: int) -> Scalar | None:
        found = _SINGLE.match(self.text, at)
        if found is None:
            return None
        self.faults.add("single_quotes", at, found.end())
        return Scalar(found[1], found.end())

    def _content(self, found: re.Match[str]) -> str:
        raw, start = found[1], found.start(1)
        for control in _CONTROL.finditer(raw):
            place = start + control.start()
            self.faults.add("raw_control_character", place, place + 1, {"character": f"U+{ord(control[0]):04X}"})
        return unescape(raw, start, self.faults) if "\\" in raw else raw

    def _number(self, at: int) -> Scalar | None:
        found = _NUMBER.match(self.text, at)
        if found is None:
            return None
        number, end = found[0], found.end()
        strict = _STRICT.fullmatch(number)
        if strict:
            value = _finite(number, is_float=strict.lastindex is not None, exact=self.faults.rules == "documents")
            if value is not None:
                return Scalar(value, end)
            code = "number_out_of_range"
        else:
            code = "not_a_number" if number.lstrip("+-").lower() in _NOT_A_NUMBER else "invalid_number"
        self.faults.add(code, at, end, {"found": shown(number)})
        return Scalar(None, end, known=False)

    def _word(self, at: int) -> Scalar | None:
        found = _WORD.match(self.text, at)
        if found is None:
            return None
        word, end = found[0], found.end()
        if word in LITERALS:
            return Scalar(LITERALS[word], end)
        if word.lower() in _NOT_A_NUMBER:
            self.faults.add("not_a_number", at, end, {"found": word})
            return Scalar(None, end, known=False)
        if word in _OTHER_LANGUAGES:
            self.faults.add("unknown_literal", at, end, {"found": word, "suggestion": _OTHER_LANGUAGES[word]})
            return Scalar(LITERALS[_OTHER_LANGUAGES[word]], end)
        self.faults.add("unquoted_string", at, end, {"found": shown(word), "suggestion": nearest(word, LITERALS)})
        return Scalar(word, end)


def _finite(number: str, *, is_float: bool, exact: bool) -> int | float | None:
    if is_float:
        value = float(number)
        return None if isinf(value) else value
    if len(number) > (_EXACT_DIGITS if exact else _ANY_DIGITS):
        return None
    whole = int(number)
    return None if exact and abs(whole) > MAX_INTEGER else whole
