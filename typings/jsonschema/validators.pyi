"""The part of jsonschema that GraphARC uses."""

from collections.abc import Callable, Iterator, Mapping

from jsonschema import Draft202012Validator, ValidationError

from grapharc.spec.json_value import Json

Keyword = Callable[[Draft202012Validator, Json, Json, Mapping[str, Json]], Iterator[ValidationError]]

def extend(validator: type[Draft202012Validator], validators: Mapping[str, Keyword]) -> type[Draft202012Validator]: ...
