"""A template of the catalogue goes in, what a reader who has no finding at hand sees of it comes out."""

from __future__ import annotations


def shown(template: str) -> str:
    """Return a template with its optional parts in place and its values by name."""
    return template.replace("[[", "").replace("]]", "").replace("{{", "{").replace("}}", "}")
