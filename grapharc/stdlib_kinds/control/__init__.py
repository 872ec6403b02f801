"""Kinds that do no work of their own: they hand on, rename or fail."""
