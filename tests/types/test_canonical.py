"""Canonical JSON against what RFC 8785 prints, and against its defining properties."""

from __future__ import annotations

import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.canonical import canonical, digest

# Appendix B of RFC 8785: the bits of a double, and how it must be written.
RFC_8785_NUMBERS = {
    0x0000000000000000: "0",
    0x8000000000000000: "0",
    0x0000000000000001: "5e-324",
    0x8000000000000001: "-5e-324",
    0x7FEFFFFFFFFFFFFF: "1.7976931348623157e+308",
    0xFFEFFFFFFFFFFFFF: "-1.7976931348623157e+308",
    0x4340000000000000: "9007199254740992",
    0xC340000000000000: "-9007199254740992",
    0x4430000000000000: "295147905179352830000",
    0x44B52D02C7E14AF5: "9.999999999999997e+22",
    0x44B52D02C7E14AF6: "1e+23",
    0x44B52D02C7E14AF7: "1.0000000000000001e+23",
    0x444B1AE4D6E2EF4E: "999999999999999700000",
    0x444B1AE4D6E2EF4F: "999999999999999900000",
    0x444B1AE4D6E2EF50: "1e+21",
    0x3EB0C6F7A0B5ED8C: "9.999999999999997e-7",
    0x3EB0C6F7A0B5ED8D: "0.000001",
    0x41B3DE4355555553: "333333333.3333332",
    0x41B3DE4355555554: "333333333.33333325",
    0x41B3DE4355555555: "333333333.3333333",
    0x41B3DE4355555556: "333333333.3333334",
    0x41B3DE4355555557: "333333333.33333343",
    0xBECBF647612F3696: "-0.0000033333333333333333",
    0x43143FF3C1CB0959: "1424953923781206.2",
}


@pytest.mark.parametrize(("bits", "text"), RFC_8785_NUMBERS.items())
def test_numbers_are_written_as_the_rfc_says(bits: int, text: str) -> None:
    (value,) = struct.unpack(">d", struct.pack(">Q", bits))
    assert canonical(value) == text


def test_keys_follow_their_utf_16_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    written = canonical(dict.fromkeys(keys, 0))
    assert list(json.loads(written)) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_strings_are_escaped_no_more_than_they_must_be() -> None:
    assert canonical('\u20ac$\u000f\nA\'B"\\\\"/\x7f') == '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f"'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_has_no_json_form_is_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="no JSON form"):
        canonical(value)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
)


@given(JSON)
def test_what_is_written_reads_back_and_is_a_fixed_point(value: object) -> None:
    written = canonical(value)
    assert json.loads(written, parse_int=float) == value
    assert canonical(json.loads(written)) == written


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), JSON, max_size=6))
def test_the_order_of_keys_changes_no_digest(value: dict[str, object]) -> None:
    assert digest(dict(reversed(value.items()))) == digest(value)
