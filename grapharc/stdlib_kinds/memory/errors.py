"""What is wrong with a store's file goes in; an exception that says what would be right comes out."""

from __future__ import annotations


class StoreError(Exception):
    """A file is no store of ours, or cannot be used now. ``args``: the path, what is wrong and what would be right."""

    def __str__(self) -> str:
        path, wrong, right = self.args
        return f"'{path}' {wrong}, {right}"
