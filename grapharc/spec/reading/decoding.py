"""Bytes go in; the text they spell comes out, as good as it can be made, with a fault for each that spells none."""

from __future__ import annotations

import re

from grapharc.spec.reading.faults import REPLACEMENT, Faults

_BOM = b"\xef\xbb\xbf"
# Bytes that are no UTF-8 come out of the decoder as these code points, one for each.
_BAD = "[\udc80-\udcff]+"
_WIDE: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decode(data: bytes, faults: Faults) -> str:
    """Decode a document, without its byte order mark. Bad bytes are reported, and each stands for U+FFFD."""
    encoding = _wide(data[:4])
    if encoding:
        faults.add("utf16_encoding", 0, 0, {"encoding": encoding.upper()})
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig") if data.startswith(_BOM) else data.decode()
    except UnicodeDecodeError:
        return _mended(data.removeprefix(_BOM), faults)


def _wide(head: bytes) -> str:
    for mark, encoding in _WIDE:
        if head.startswith(mark):
            return encoding
    # Without a mark the zeros tell, since a document begins with characters of ASCII.
    zeros = "".join("0" if byte == 0 else "x" for byte in head)
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be", "x000": "utf-32-le", "000x": "utf-32-be"}.get(zeros, "")


def _mended(data: bytes, faults: Faults) -> str:
    text = data.decode("utf-8", "surrogateescape")
    for bad in re.finditer(_BAD, text):
        shown = " ".join(f"{ord(byte) - 0xDC00:02x}" for byte in bad[0][:4])
        faults.add("invalid_utf8", bad.start(), bad.end(), {"bytes": shown})
        if faults.full:
            break
    return re.sub(_BAD, lambda bad: REPLACEMENT * len(bad[0]), text)
