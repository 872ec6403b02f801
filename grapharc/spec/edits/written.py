"""A value goes in, its text in a syntax comes out, on one line."""

from __future__ import annotations

import json
import re

from grapharc.spec.document import Syntax
from grapharc.spec.json_value import Json

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class NotToml(Exception):
    """A value that TOML cannot say: null."""


def written(value: Json, syntax: Syntax) -> str:
    """Return the text of a value. Raises NotToml."""
    if syntax == "json":
        return _json(value)
    return _toml(value)


def written_key(key: str, syntax: Syntax) -> str:
    """Return the text of a key."""
    return key if syntax == "toml" and _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _json(value: Json) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_json(entry)}" for key, entry in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(_json(entry) for entry in value)}]"
    return json.dumps(value, ensure_ascii=False)


def _toml(value: Json) -> str:
    match value:
        case None:
            raise NotToml
        case dict():
            inner = ", ".join(f"{written_key(key, 'toml')} = {_toml(entry)}" for key, entry in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list():
            return f"[{', '.join(_toml(entry) for entry in value)}]"
        case _:
            # A string of JSON is one of TOML, but for the character that only TOML wants escaped.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
