"""What a person gives a run goes in, as texts and files; values by field come out, for the compiled graph to check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grapharc.project.errors import CannotStart
from grapharc.spec.document import locate
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Field
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message
from grapharc.spec.types import JSON, show
from grapharc.spec.values import Misfit, conform


def inputs_of_file(data: bytes, path: str) -> dict[str, Json]:
    """Read a document of inputs, one key a field, in TOML or JSON. Raises CannotStart."""
    text, findings = read_text(data, path)
    for finding in findings:
        found = locate(finding.place, {path: text})
        where = f"{path}:{found[0].line}:{found[0].column}" if found else path
        raise CannotStart(f"{where}: {message(finding)}")
    if not isinstance(text.value, Mapping):
        raise CannotStart(f"'{path}' must hold a table of inputs")
    return dict(text.value)


def texts_of_pairs(pairs: Iterable[str]) -> dict[str, str]:
    """Part each ``name=value``, which takes no graph. Raises CannotStart."""
    texts: dict[str, str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise CannotStart(f"'{pair}' is no input, NAME=VALUE would be right")
        if name in texts:
            raise CannotStart(f"input '{name}' is given twice")
        texts[name] = text
    return texts


def inputs_of_texts(texts: Mapping[str, str], fields: Mapping[str, Field]) -> dict[str, Json]:
    """Read texts by the type of the field: text where it takes text, else JSON. Raises CannotStart.

    A name that is no field is kept, for the one who checks inputs to say so.
    """
    return {name: _value(text, fields[name]) if name in fields else text for name, text in texts.items()}


def _value(text: str, field: Field) -> Json:
    if field.type != JSON and _fits(text, field):
        return text
    read, findings = read_text(text.encode("utf-8", "surrogateescape"), f"input '{field.name}'", "json")
    if not findings:
        return read.value
    if field.type == JSON:
        return text
    raise CannotStart(f"input '{field.name}' must be {show(field.type)}, and '{text}' is no JSON")


def _fits(text: str, field: Field) -> bool:
    try:
        conform(field.type)(text)
    except Misfit:
        return False
    return True
