"""The kinds that are shipped, in families: a ``kinds.toml`` and plain functions in each.

A kind receives ports and arguments by keyword and returns a dict of outputs; what it may touch comes by ``ctx``.
Families do not import each other, and nothing here is imported before ``compile`` loads an entry.
"""
