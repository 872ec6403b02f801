"""A model's reply goes in; the JSON values that stand in it, prose and fences left aside, come out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

MAX_OPENERS = 200
"""Places in a reply where a value may begin that are tried; what has more of them is prose."""

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|reason)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_CLOSER_AT_HEAD = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning|reason)>", re.DOTALL | re.IGNORECASE)
_OPENER_TO_END = re.compile(r"<(?:think|thinking|thought|reasoning|reason)>.*\Z", re.DOTALL | re.IGNORECASE)


def json_values(reply: str) -> Iterator[object]:
    """Yield the values from left to right. They do not overlap: nothing inside a value is taken for one of its own.

    A reply that is one JSON value is that value. Thoughts between tags such as ``<think>`` are no part of a reply,
    also where one of the two tags is missing.
    """
    visible = visible_part(reply)
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    try:
        yield decoder.decode(visible)
    except (ValueError, RecursionError):
        yield from _embedded(visible, decoder)


def visible_part(reply: str) -> str:
    """Return a reply without the thoughts that stand between tags."""
    return _OPENER_TO_END.sub("", _CLOSER_AT_HEAD.sub("", _THOUGHT.sub("", reply)))


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _embedded(reply: str, decoder: json.JSONDecoder) -> Iterator[object]:
    position = 0
    for _ in range(MAX_OPENERS):
        openers = [at for at in (reply.find("{", position), reply.find("[", position)) if at >= 0]
        if not openers:
            return
        position = min(openers)
        try:
            value, position = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError):
            position += 1
        else:
            yield value
