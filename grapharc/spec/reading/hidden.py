"""A text goes in; faults for characters that make it read otherwise than it looks come out.

Written as an escape the same characters are in plain sight, and are let through.
"""

from __future__ import annotations

import re

from grapharc.spec.reading.faults import Faults

# What reorders the text around it (Trojan Source, CVE-2021-42574).
_BIDI = "\u202a-\u202e\u2066-\u2069"
# What has no shape at all: soft hyphen, zero width, a byte order mark within a text, and tags, in which whole sentences
# hide from people and not from models. Joiners are not among them: emoji and scripts need them. A variation selector
# shapes what it follows, so that a second one hides.
_INVISIBLE = "\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f"
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"


def find_hidden(text: str, faults: Faults) -> None:
    """Report each run of bidirectional controls, and each of invisible characters."""
    if text.isascii():
        return
    for found in re.finditer(f"[{_BIDI}{_INVISIBLE}{_SELECTOR}]+", text):
        start = found.start() + (re.match(f"[{_SELECTOR}]", found[0]) is not None)
        hidden = text[start : found.end()]
        if hidden:
            shown = " ".join(f"U+{ord(character):04X}" for character in hidden[:3])
            code = "bidi_control" if re.search(f"[{_BIDI}]", hidden) else "invisible_character"
            faults.add(code, start, found.end(), {"character": shown})
        if faults.full:
            return
