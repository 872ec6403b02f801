"""Types of which nothing can be said before the run, and the one that stands for what has been reported."""

from __future__ import annotations

from grapharc.spec.types import JSON, NEVER, NULL, Type, Variable, bare

UNKNOWN = Variable("?")
"""The type of what has been reported already: nothing that follows from it is reported."""


def is_open(type_: Type) -> bool:
    """Tell whether anything may be done with a type as far as can be seen: ``json``, and what is unknown."""
    return type_ in (JSON, NEVER) or (isinstance(type_, Variable) and type_.bound is None)


def is_null(type_: Type) -> bool:
    """Tell whether null is the only value of a type."""
    return bare(type_) == NULL
