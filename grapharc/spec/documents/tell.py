"""A document's value goes in, its kind comes out: the one whose top-level keys it has."""

from __future__ import annotations

from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.documents.kinds import MARKERS, model_of
from grapharc.spec.documents.words import key_of
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import defaults_of
from grapharc.spec.json_value import Json, is_dict, is_list
from grapharc.spec.suggest import suggest

_MEANT = {"tasks": "nodes", "steps": "nodes", "vertices": "nodes", "links": "edges", "transitions": "edges"}
"""What other tools call the lists that tell our documents."""


def tell(value: Json, expected: DocumentKind | None = None) -> DocumentKind | None:
    """Return the kind most of whose telling keys a value has; of equals the expected one, else the first in order."""
    if not is_dict(value):
        return None
    counts: dict[DocumentKind, int] = {kind: sum(key in value for key in keys) for kind, keys in MARKERS.items()}
    most = max(counts.values())
    best: list[DocumentKind] = [kind for kind, count in counts.items() if count == most > 0]
    return expected if expected in best else best[0] if best else None


def is_ours(text: Text, kind: DocumentKind) -> bool:
    """Tell whether a file that a document names is one of ours: by its suffix, and by keys that only ours have.

    A registry that only changes roles has none of the telling keys, and no others than a registry's.
    """
    if not text.source.path.endswith((".toml", ".json")):
        return False
    if tell(text.value, kind) is not None:
        return True
    return is_dict(text.value) and bool(text.value) and _keys(kind).issuperset(text.value)


def wrong_document(text: Text, expected: DocumentKind, found: DocumentKind) -> Finding:
    """Say that a document is of one kind where another is needed, at the key that tells it."""
    keys = [key for key in MARKERS[found] if is_dict(text.value) and key in text.value]
    place = Place(text.source.path, (keys[0],), "key")
    return Finding("wrong_document", place, {"expected": expected, "found": found, "key": keys[0]})


def unknown_document(text: Text) -> tuple[Finding, ...]:
    """Say that a document is of no kind, and which is nearest; nothing where a syntax error may be why."""
    if not text.complete:
        return ()
    if not is_dict(text.value):
        return (Finding("unknown_document", Place(text.source.path), {}),)
    present = [key for key in text.value if isinstance(key, str)]
    markers: dict[str, DocumentKind] = {key: kind for kind, keys in MARKERS.items() for key in keys}
    keys = {kind: _keys(kind) for kind in MARKERS}
    for key in present:
        listed = _MEANT.get(key, "") if is_list(text.value[key]) else ""
        if not any(key in known for known in keys.values()) and (meant := listed or suggest(key, markers)):
            values = {"nearest": markers[meant], "key": key, "suggestion": meant}
            return (Finding("unknown_document", Place(text.source.path, (key,), "key"), values),)
    known: dict[DocumentKind, int] = {kind: len(keys[kind].intersection(present)) for kind in MARKERS}
    nearest = max(known, key=lambda kind: known[kind])
    values = {"nearest": nearest, "telling": MARKERS[nearest]} if known[nearest] else {}
    return (Finding("unknown_document", Place(text.source.path), values),)


def _keys(kind: DocumentKind) -> set[str]:
    return {key_of(name) for name in defaults_of(model_of(kind))}
