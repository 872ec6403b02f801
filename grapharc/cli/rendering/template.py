"""A template of the catalogue goes in, what a reader who has no finding at hand sees of it comes out."""

from __future__ import annotations

import re

_ALTERNATIVES = re.compile(r"(?<! )\]\](?=\[\[[^ ,:])")
"""Where one optional part ends and another begins without a word between them, a finding has only one of the two."""

_SAID_APART = re.compile(r"(?:, or)? ?\]\]\|\[\[[:,]? ?")
"""Where the catalogue says so itself; what joins a part to the words beside it is not said again."""


def shown(template: str) -> str:
    """Return a template with its optional parts in place, ``|`` between alternatives, and its values by name."""
    template = _SAID_APART.sub(" | ", template)
    return _ALTERNATIVES.sub(" | ", template).replace("[[", "").replace("]]", "").replace("{{", "{").replace("}}", "}")
