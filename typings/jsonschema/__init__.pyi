"""The part of jsonschema that GraphARC uses."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from referencing import Registry

from grapharc.spec.json_value import Json

class ValidationError(Exception):
    message: str
    validator: str
    validator_value: Json
    instance: Json
    schema: Mapping[str, Json]
    context: Sequence[ValidationError]
    @property
    def absolute_path(self) -> Sequence[str | int]: ...
    @property
    def schema_path(self) -> Sequence[str | int]: ...
    def __init__(self, message: str, *, path: Sequence[str | int] = ()) -> None: ...

class FormatChecker:
    def __init__(self, formats: Sequence[str] | None = None) -> None: ...
    def checks(
        self, name: str, raises: type[Exception] = ...
    ) -> Callable[[Callable[[object], bool]], Callable[[object], bool]]: ...

class Draft202012Validator:
    META_SCHEMA: dict[str, Json]
    def __init__(
        self, schema: Json, *, format_checker: FormatChecker | None = None, registry: Registry[Json] = ...
    ) -> None: ...
    def iter_errors(self, instance: Json) -> Iterator[ValidationError]: ...
    def descend(
        self, instance: Json, schema: Json, path: str | int | None = None, schema_path: str | int | None = None
    ) -> Iterator[ValidationError]: ...
    def evolve(self, **changes: object) -> Self: ...
