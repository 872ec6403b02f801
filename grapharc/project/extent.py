"""What a check looked at goes in; whether a finding that was not made is gone comes out."""

from __future__ import annotations

from grapharc.spec.frozen import frozen

NOTHING: frozenset[str] = frozenset()


@frozen
class Extent:
    """What was looked at: ``documents`` by path, and those of them that were ``judged`` to the end.

    ``unread`` are files that were found and could not be read to the end, so that nobody knows what they are. Of a
    ``whole`` project, a document that is neither is not there.
    """

    documents: frozenset[str] = NOTHING
    judged: frozenset[str] = NOTHING
    unread: frozenset[str] = NOTHING
    whole: bool = False

    def is_settled(self, document: str) -> bool:
        """Tell whether what was not found in a document is not there: it was judged to the end, or is gone itself."""
        is_gone = self.whole and document not in self.documents and document not in self.unread
        return is_gone or document in self.judged
