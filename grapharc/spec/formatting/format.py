"""A document that was read goes in; its text in canonical order and layout comes out, checked to say the same."""

from __future__ import annotations

from grapharc.spec.document import Document, DocumentKind, Text
from grapharc.spec.documents.validation import rules_of
from grapharc.spec.formatting.json_layout import json_layout
from grapharc.spec.formatting.toml_layout import toml_layout
from grapharc.spec.reading.text import read_text


class Changed(Exception):
    """Laid out, the document would say something else: a bug of ours, and nothing is to be written."""


def formatted(document: Document[object]) -> str:
    """Return the text of a document as it should stand. Raises Changed rather than to give one that says another thing.

    The document must have been read without a fault of its syntax.
    """
    return formatted_text(document.text, document.kind)


def formatted_text(text: Text, kind: DocumentKind) -> str:
    """Do the same for a text of a kind."""
    form = rules_of(kind).form
    newline = "\r\n" if "\r\n" in text.source.text else "\n"
    laid_out = (json_layout if text.syntax == "json" else toml_layout)(text, form)
    laid_out = laid_out.replace("\r\n", "\n").replace("\n", newline)
    again, faults = read_text(laid_out.encode(), text.source.path, text.syntax)
    if faults or again.value != text.value or _kept(text.source.text) != _kept(laid_out):
        raise Changed(text.source.path)
    return laid_out


def _kept(text: str) -> list[str]:
    """Every character but the white space and the commas: what may move and may not be lost."""
    return sorted(character for character in text if not character.isspace() and character != ",")
