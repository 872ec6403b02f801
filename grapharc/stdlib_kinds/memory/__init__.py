"""The claim store: facts with their provenance, corrected without losing what was believed, and what was produced.

Invariant: nothing is updated. There is one append-only, hash-chained table of operations; every other table is a fold
of it, written in the same transaction, and can be thrown away and made again. What it deliberately does not do: decide
which of two claims is right, or call a model.
"""
