"""A JSON value goes in; its one canonical text (RFC 8785) and the digest of that come out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from json.encoder import JSONEncoder, encode_basestring
from math import isfinite

from grapharc.spec.hashing import sha256
from grapharc.spec.json_value import Json


def canonical(value: Json) -> str:
    """Write a value as RFC 8785 says: no spaces, keys in the order of their UTF-16 units, numbers as ECMAScript.

    Integers are written exactly, also beyond the range where ECMAScript would round. Raises ValueError for NaN and
    infinities, UnicodeEncodeError for a lone surrogate.
    """
    return _text(value, _LEVELS)


def digest(value: Json) -> str:
    """Return ``sha256:`` and the hexadecimal SHA-256 of a value's canonical text in UTF-8."""
    return digest_of_bytes(canonical(value).encode("utf-8"))


def digest_of_bytes(data: bytes) -> str:
    """Return ``sha256:`` and the hexadecimal SHA-256 of bytes as they are."""
    return "sha256:" + sha256(data).hexdigest()


def _plain(value: Json) -> Json:
    """Make a dict or a list of what the encoder does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{value!r} has no JSON form")


_ENCODER = JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, sort_keys=True, separators=(",", ":"), default=_plain
)
_POINT = re.compile(r"\.(?<=[0-9]\.)[0-9]")  # begins with a literal, for which the search is many times faster
_FLOAT = re.compile(r"[:\[,-][0-9]+[.e]")
"""What a float looks like where it stands as a value; within a string it may look like one as well."""
_SORTED_OTHERWISE = re.compile("[\ud800-\U0010ffff]")
"""Characters that sort differently by code points and by UTF-16 units."""
_LEVELS = 3
"""Of so many levels each value is written by the encoder, or else its members are, before all is written by hand."""


def _text(value: Json, levels: int = 0) -> str:
    # Strings and tables come first, since most of what is written is one of them.
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):  # before other mappings, which take an abstract class to tell
        return _object(value, levels)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return _object(value, levels)
    written = _encoded(value) if levels else None
    return written or f"[{','.join([_text(item, levels and levels - 1) for item in value])}]"


def _object(value: Mapping[str, Json], levels: int) -> str:
    if levels and (written := _encoded(value)):
        return written
    # Code points and UTF-16 units sort alike as long as there are no surrogates, as among ASCII keys.
    keys = sorted(value) if all(map(str.isascii, value)) else sorted(value, key=_utf16)
    below = levels and levels - 1
    return f"{{{','.join([f'{encode_basestring(key)}:{_text(value[key], below)}' for key in keys])}}}"


def _encoded(value: Json) -> str | None:
    """Write a value by the standard library's encoder, which is in C; None where its layout may not be RFC 8785's."""
    try:
        text = _ENCODER.encode(value)
    except ValueError:
        return None  # a number that has no JSON form: what is written by hand says so
    alike = text.isascii() or _SORTED_OTHERWISE.search(text) is None
    return text if alike and not _has_float(text) else None


def _has_float(text: str) -> bool:
    """Tell whether there may be a float in an encoded text; one has a point between digits, or a signed exponent."""
    suspect = _POINT.search(text) is not None or "e-" in text or "e+" in text
    return suspect and _FLOAT.search(text) is not None


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _number(value: float) -> str:
    """ECMAScript's Number::toString: Python's ``repr`` has the same digits, but another layout."""
    if not isfinite(value):
        raise ValueError(f"{value} has no JSON form")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + _layout(digits, point)


def _layout(digits: str, point: int) -> str:
    """``0.digits * 10**point`` as ECMAScript lays it out."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if count > 1 else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"
