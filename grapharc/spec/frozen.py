"""A class with annotated fields goes in; one of values that never change comes out, like a frozen dataclass.

The standard library writes and compiles six methods for each dataclass when its module is imported; a third of a cold
check went into that. Here the fields are compared and hashed by a getter in C, and ``__init__`` alone is compiled, of
classes that have many values. Whoever asks (pydantic, when models are baked) is told that it is a dataclass: the
answer, ``__dataclass_fields__``, is made then. Where fields change, ``record`` does the same without the freezing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    import dataclasses

T = TypeVar("T")

_NOTHING: Any = object()
_FIELDS = "__frozen_fields__"
_FEW = 40
"""So many values are made before ``__init__`` is compiled, which takes about as long as making them without."""
_FEW_SLOTS = 2  # to open and close a value takes longer than so many calls of setters
_set = object.__setattr__
_become = vars(object)["__class__"].__set__


class _Field:
    """How a field is made when it is not given, and whether it counts for the hash."""

    __slots__ = ("default", "default_factory", "hash", "name")

    def __init__(self, default: Any, default_factory: Any, counts: bool) -> None:
        self.name = ""
        self.default, self.default_factory, self.hash = default, default_factory, counts


class FrozenError(AttributeError):
    """Somebody tried to change a value that never changes. ``args``: the field's name."""

    def __str__(self) -> str:
        return f"cannot change field '{self.args[0]}'"


@overload
def field(*, default: T, hash: bool = True) -> T: ...


@overload
def field(*, default_factory: Callable[[], T], hash: bool = True) -> T: ...


def field(*, default: Any = _NOTHING, default_factory: Any = _NOTHING, hash: bool = True) -> Any:  # noqa: A002
    """Say more of a field than its type: a default, what makes one, or that it is left out of the hash."""
    return _Field(default, default_factory, hash)


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(*, slots: bool = True, order: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, slots: bool = True, order: bool = False, kw_only: bool = False) -> Any:
    """Make values of a class: equal, hashed and shown by their fields, which cannot be set anew.

    ``slots=False`` keeps ``__dict__``, for classes with cached properties or a generic base. With ``order`` values are
    ordered by their fields, with ``kw_only`` they are made by keywords alone.
    """

    def make(other: type[T]) -> type[T]:
        return _made(other, slots, order, kw_only, changes=False)

    return make if cls is None else make(cls)


@dataclass_transform(field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make values of a class: equal and shown by their fields, which can be set anew."""
    return _made(cls, slots=False, order=False, kw_only=False, changes=True)


def replace(value: T, **changes: Any) -> T:
    """Return a copy of a value with some fields changed. Raises TypeError for a field that it does not have."""
    fields: tuple[_Field, ...] = getattr(value, _FIELDS)
    return type(value)(**{**{each.name: getattr(value, each.name) for each in fields}, **changes})


def defaults_of(cls: type[object]) -> Mapping[str, tuple[Any, Any]]:
    """Return each field of a class with its default and what makes one; the latter is None where nothing does."""
    fields: tuple[_Field, ...] = getattr(cls, _FIELDS)
    return {
        each.name: (each.default, None if each.default_factory is _NOTHING else each.default_factory) for each in fields
    }


def _made(cls: type[T], slots: bool, order: bool, kw_only: bool, changes: bool) -> type[T]:
    inherited: tuple[_Field, ...] = getattr(cls, _FIELDS, ())
    own = tuple(_own_fields(cls))
    fields = (*inherited, *own)
    names = tuple(each.name for each in fields)
    space = {key: value for key, value in vars(cls).items() if key not in ("__dict__", "__weakref__")}
    for each in own:
        space.pop(each.name, None)
    if slots:
        space["__slots__"] = tuple(each.name for each in own)
    space |= {_FIELDS: fields, "__match_args__": () if kw_only else names, "__dataclass_fields__": _DataclassFields()}
    methods = _methods_of_changing(names) if changes else _methods(fields, names)
    for name, method in (*methods, *(_comparisons(names) if order else ())):
        space.setdefault(name, method)
    made: Any = type(cls)(cls.__name__, cls.__bases__, space)

    made.__init__ = _first_init(fields, made, kw_only)
    return made


def _own_fields(cls: type[object]) -> Any:
    for name, annotation in vars(cls).get("__annotations__", {}).items():
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        written = cls.__dict__.get(name, _NOTHING)
        each = written if isinstance(written, _Field) else _Field(written, _NOTHING, True)
        each.name = name
        yield each


def _methods(fields: tuple[_Field, ...], names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    hashed = tuple(each.name for each in fields if each.hash)
    counted = attrgetter(*hashed) if hashed else _empty

    def hashing(self: object) -> int:
        return hash(counted(self))

    yield "__eq__", _equality(names)
    yield "__hash__", hashing
    yield "__repr__", _repr
    yield "__setattr__", _refuse
    yield "__delattr__", _refuse
    yield "__getstate__", _getstate
    yield "__setstate__", _setstate


def _methods_of_changing(names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    yield "__eq__", _equality(names)
    yield "__hash__", None
    yield "__repr__", _repr


def _equality(names: tuple[str, ...]) -> Any:
    whole = attrgetter(*names) if names else _empty

    def equal(self: object, other: object) -> Any:
        return self is other or (whole(self) == whole(other) if other.__class__ is self.__class__ else NotImplemented)

    return equal


def _comparisons(names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    whole = attrgetter(*names)

    def comparison(compare: Callable[[Any, Any], bool]) -> Any:
        def compared(self: object, other: object) -> Any:
            return compare(whole(self), whole(other)) if other.__class__ is self.__class__ else NotImplemented

        return compared

    for compare in (lt, le, gt, ge):
        yield f"__{compare.__name__}__", comparison(compare)


class _DataclassFields:
    """What the fields of a dataclass like this one are, made when somebody asks."""

    def __get__(self, _: object, owner: Any) -> dict[str, dataclasses.Field[Any]]:
        import dataclasses  # few ask, and with it comes all of inspect

        names = {each.name for each in getattr(owner, _FIELDS)}
        space: dict[str, Any] = {"__annotations__": {}}
        for base in reversed(owner.__mro__):
            space["__annotations__"] |= {k: v for k, v in getattr(base, "__annotations__", {}).items() if k in names}
        for name, (default, factory) in defaults_of(owner).items():
            if factory is not None:
                space[name] = dataclasses.field(default_factory=factory)
            elif default is not _NOTHING:
                space[name] = default
        twin: Any = dataclasses.dataclass(kw_only=not owner.__match_args__)(type(owner.__name__, (), space))
        owner.__dataclass_fields__ = twin.__dataclass_fields__
        return owner.__dataclass_fields__


def _empty(_: object) -> tuple[()]:
    return ()


def _repr(self: object) -> str:
    fields: tuple[_Field, ...] = getattr(self, _FIELDS)
    return f"{type(self).__qualname__}({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in fields)})"


def _refuse(_: object, name: str, __: object = None) -> None:
    raise FrozenError(name)


def _getstate(self: object) -> list[object]:
    fields: tuple[_Field, ...] = getattr(self, _FIELDS)
    return [getattr(self, each.name) for each in fields]


def _setstate(self: object, state: list[object]) -> None:
    fields: tuple[_Field, ...] = getattr(self, _FIELDS)
    for each, value in zip(fields, state, strict=True):
        _set(self, each.name, value)


def _first_init(fields: tuple[_Field, ...], cls: Any, kw_only: bool) -> Any:
    """Make the first values of a class, until compiling its ``__init__`` pays, or a call is wrong and must say how."""
    checks = hasattr(cls, "__post_init__")
    count = 0

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal count
        count += 1
        values = _values(fields, args, kwargs) if count <= _FEW and not (kw_only and args) else None
        if values is None:
            cls.__init__ = _compiled_init(fields, cls, kw_only)
            cls.__init__(self, *args, **kwargs)
            return
        for each, value in zip(fields, values, strict=True):
            _set(self, each.name, value)
        if checks:
            self.__post_init__()

    return init


def _values(fields: tuple[_Field, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any] | None:
    """Return the value of every field, or None where the arguments are not those of the fields."""
    values, taken = list(args), 0
    for each in fields[len(args) :]:
        if each.name in kwargs:
            values.append(kwargs[each.name])
            taken += 1
        elif each.default_factory is not _NOTHING:
            values.append(each.default_factory())
        elif each.default is not _NOTHING:
            values.append(each.default)
        else:
            return None
    return values if taken == len(kwargs) and len(values) == len(fields) else None


def _compiled_init(fields: tuple[_Field, ...], cls: type[object], kw_only: bool) -> Any:
    """Write the method as one would by hand. Only names of fields of our own classes go into the text.

    To set an attribute of a class that refuses it takes a call: values with many slots are open while they are made.
    """
    known: dict[str, Any] = {"_set": _set, "_become": _become, "_NOTHING": _NOTHING, "_cls": cls}
    parameters = ["self", "*"] if kw_only and fields else ["self"]
    values: list[tuple[str, str]] = []
    for each in fields:
        name = each.name
        if each.default_factory is not _NOTHING:
            known[f"_make_{name}"] = each.default_factory
            parameters.append(f"{name}=_NOTHING")
            values.append((name, f"_make_{name}() if {name} is _NOTHING else {name}"))
            continue
        if each.default is not _NOTHING:
            known[f"_default_{name}"] = each.default
        parameters.append(name if each.default is _NOTHING else f"{name}=_default_{name}")
        values.append((name, name))
    body = [f" _set(self, {name!r}, {value})" for name, value in values]
    if "__slots__" in vars(cls) and len(fields) <= _FEW_SLOTS:
        known |= {f"_set_{name}": getattr(cls, name).__set__ for name, _ in values}
        body = [f" _set_{name}(self, {value})" for name, value in values]
    elif "__slots__" in vars(cls):
        known["_open"] = _opened(cls)
        opened = [f"  self.{name} = {value}" for name, value in values]
        body = [
            " if self.__class__ is _cls:",
            "  _become(self, _open)",
            *opened,
            "  self.__class__ = _cls",
            " else:",
        ] + [f" {line}" for line in body]
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    text = f"def __init__({', '.join(parameters)}):\n" + ("\n".join(body) or " pass")
    exec(text, known)  # noqa: S102 -- the text is made of the field names of our own classes
    return known["__init__"]


def _opened(cls: type[object]) -> type[object]:
    """Return a class of the same slots that lets them be set."""
    space = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    made: Any = type(cls)
    return made(cls.__name__, (cls,), space)
