"""Layout: a document that was read goes in, the same document in its canonical order and layout comes out.

Formatting changes no value: what comes out is read again by whoever writes it, and must be equal. Scalars stand as
their author wrote them, comments go with what they stand above or behind, and no line end is turned into another.
"""
