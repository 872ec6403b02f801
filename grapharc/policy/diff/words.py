"""A change goes in, its words come out: the rows of ``words.toml``, read when there is something to word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias, TypedDict

from grapharc.policy.diff.change import CATEGORIES, DIRECTIONS, Category, Change
from grapharc.spec.package_data import package_data
from grapharc.spec.reasons import fill

Form: TypeAlias = Literal["new", "gone", "changed"]


class Row(TypedDict, total=False):
    """What is looked at, for the documentation, in which category, and the templates by form."""

    category: Category
    about: str
    new: str
    gone: str
    changed: str


def say(change: Change) -> str:
    """Say what changed, in one line."""
    row = rows()[change.what]
    template = row.get(form_of(change)) or row.get("changed", "")
    return fill(template, change.values)


def order(change: Change) -> tuple[int, int, int, str, str]:
    """Return the key by which changes are sorted: what matters most first, then as the rows stand."""
    numbers = CATEGORIES.index(change.category), DIRECTIONS.index(change.direction)
    return (*numbers, list(rows()).index(change.what), change.subject, repr((change.before, change.after)))


def form_of(change: Change) -> Form:
    """Tell what was not there before from what is not there any more; where neither is said, the direction tells."""
    was, is_ = (value is not None and value is not False for value in (change.before, change.after))
    if was == is_:
        return "changed" if was else "new" if change.direction == "widens" else "gone"
    return "new" if is_ else "gone"


@cache
def rows() -> Mapping[str, Row]:
    """Return every row, in the order of the file."""
    import tomllib  # not before there is something to word

    # tomllib gives Any; a test holds each row of our own file to this shape.
    tables: dict[str, Row] = tomllib.loads(package_data("policy/diff/words.toml").decode())
    return tables
