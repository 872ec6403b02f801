"""Values that never change behave as those of a frozen dataclass do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping
from dataclasses import dataclass as standard
from dataclasses import field as standard_field
from functools import cached_property
from typing import ClassVar

import pytest

from grapharc.spec.frozen import FrozenError, field, frozen, record, replace


@frozen
class Point:
    """Two numbers, and what does not count for the hash."""

    kind: ClassVar[str] = "point"
    x: int
    y: int = 2
    tags: Mapping[str, int] = field(default_factory=dict, hash=False)


@standard(frozen=True, slots=True)
class Standard:
    """The same as the standard library makes it."""

    x: int
    y: int = 2
    tags: Mapping[str, int] = standard_field(default_factory=dict, hash=False)


@frozen
class Nothing:
    """No fields at all."""


@frozen
class Alone:
    """One field, equal to nothing but its like."""

    value: object


@frozen(slots=False)
class Base:
    """With a dictionary."""

    a: int

    @cached_property
    def double(self) -> int:
        """Computed once."""
        return 2 * self.a


@frozen(slots=False)
class Derived(Base):
    """Its fields come after those of its base."""

    b: int = 5


def test_fields_are_given_by_place_or_by_name_or_not_at_all() -> None:
    assert (Point(1).x, Point(1).y, Point(1).tags) == (1, 2, {})
    assert Point(1, 3, {"a": 1}) == Point(x=1, y=3, tags={"a": 1})
    assert Point(1).tags is not Point(1).tags
    assert Point.kind == "point"


@pytest.mark.parametrize("arguments", [((), {}), ((1, 2, {}, 4), {}), ((1,), {"x": 2}), ((1,), {"z": 2})])
def test_wrong_arguments_are_refused_as_the_standard_library_refuses_them(
    arguments: tuple[tuple[object, ...], dict[str, object]],
) -> None:
    given, named = arguments
    with pytest.raises(TypeError) as theirs:
        Standard(*given, **named)
    for _ in range(2):
        with pytest.raises(TypeError) as ours:
            Point(*given, **named)
        assert (
            str(ours.value).replace("Point.", "").split("(")[0]
            == str(theirs.value).replace("Standard.", "").split("(")[0]
        )


@pytest.mark.parametrize("number", [1, 200], ids=["of few values", "of many"])
def test_every_value_of_a_class_is_made_in_the_same_way(number: int) -> None:
    @frozen(slots=False)
    class Counted(Point):
        """A point that checks itself."""

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError(self.x)

    for x in range(number):
        value = Counted(x, tags={"a": x})
        assert (value.x, value.y, value.tags, Counted(x=x).tags) == (x, 2, {"a": x}, {})
    with pytest.raises(ValueError, match="-1"):
        Counted(-1)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'z'"):
        Counted(1, z=1)
    assert Counted(1, y=3) == Counted(1, 3)


def test_equality_is_by_class_and_fields_and_the_hash_leaves_out_what_it_is_told_to() -> None:
    assert Point(1) == Point(1, 2)
    assert Point(1) != Point(2)
    assert Point(1) != Standard(1)
    assert Nothing() == Nothing()
    assert Nothing() != Alone(())
    assert Alone(1) != 1
    assert len({Point(1), Point(1, tags={"a": 1}), Nothing(), Nothing(), Alone("x")}) == 4


def test_values_show_their_fields() -> None:
    assert repr(Point(1)) == "Point(x=1, y=2, tags={})"
    assert repr(Nothing()) == "Nothing()"
    assert repr(Derived(1)) == "Derived(a=1, b=5)"


def test_nothing_can_be_changed() -> None:
    point = Point(1)
    for change in (lambda: setattr(point, "x", 2), lambda: delattr(point, "x"), lambda: setattr(point, "new", 2)):
        with pytest.raises(FrozenError, match="cannot change field"):
            change()
    assert not hasattr(point, "__dict__")


def test_copies_are_equal_and_replace_changes_only_what_it_is_told() -> None:
    point = Point(1, 3, {"a": 1})
    assert copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point  # noqa: S301
    assert replace(point, y=4) == Point(1, 4, {"a": 1})
    with pytest.raises(TypeError):
        replace(point, z=1)


def test_a_class_with_a_dictionary_may_compute_once_and_be_derived_from() -> None:
    derived = Derived(2, 3)
    assert (derived.double, derived.double, derived.b) == (4, 4, 3)
    assert derived != Base(2)


def test_values_are_taken_apart_by_match() -> None:
    match Point(1, 3):
        case Point(x, 3):
            assert x == 1
        case _:
            pytest.fail("a pattern by places does not fit")


@frozen(order=True)
class Ranked:
    """Ordered by its fields."""

    first: int
    second: str = ""


@frozen(slots=False, kw_only=True)
class Named:
    """Made by keywords."""

    a: int = 1
    b: str


@frozen(slots=False, kw_only=True)
class More(Named):
    """Keywords of the base, and one more."""

    c: list[int] = field(default_factory=list)


def test_values_are_ordered_by_their_fields() -> None:
    assert sorted([Ranked(2), Ranked(1, "b"), Ranked(1, "a")]) == [Ranked(1, "a"), Ranked(1, "b"), Ranked(2)]
    assert Ranked(1) <= Ranked(1) < Ranked(2) >= Ranked(2) > Ranked(1)
    with pytest.raises(TypeError):
        _ = Ranked(1) < (1, "")


def test_values_are_made_by_keywords_alone() -> None:
    assert More(b="x") == More(a=1, b="x", c=[])
    with pytest.raises(TypeError):
        Named(1, "x")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'b'"):
        Named()


def test_whoever_asks_is_told_that_it_is_a_dataclass() -> None:
    assert dataclasses.is_dataclass(Point)
    for ours, theirs in zip(dataclasses.fields(Point), dataclasses.fields(Standard), strict=True):
        assert (ours.name, ours.type, ours.default) == (theirs.name, theirs.type, theirs.default)
    assert [(each.name, each.type, each.kw_only) for each in dataclasses.fields(More)] == [
        ("a", "int", True),
        ("b", "str", True),
        ("c", "list[int]", True),
    ]
    assert dataclasses.replace(More(b="x"), a=3) == More(a=3, b="x")


@record
class Growing:
    """Its fields change."""

    name: str
    found: list[int] = field(default_factory=list)


def test_a_record_can_be_changed_and_is_equal_by_its_fields() -> None:
    one, other = Growing("a"), Growing(name="a")
    one.found.append(1)
    assert one != other
    other.name, other.found = "b", [1]
    one.name = "b"
    assert one == other
    assert repr(one) == "Growing(name='b', found=[1])"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
