"""Documents, mangled at random: our readers refuse what Python's strict enough readers refuse, and read the rest alike.

Where Python's are not strict enough is spelled out: equal keys, NaN, lone surrogates, numbers without end, depth.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from itertools import chain
from pathlib import Path
from typing import NoReturn

import pytest

from grapharc.spec.reading.faults import MAX_DEPTH
from grapharc.spec.reading.text import read_text
from grapharc.spec.reading.toml_dates import Moment
from grapharc.spec.reasons import message

ROUNDS = 100_000 if os.environ.get("GRAPHARC_DEEP") else 3_000
LETTERS = "\"'\\[]{},:=.#\n\r\t -+_0123456789eExinfatrunlsTZé🎉"
DOCUMENTS = Path(__file__).parent / "documents"
"""One of each kind of document, in both syntaxes."""

# tomllib takes both, the first against the specification's advice and the second until the stack runs out.
BEYOND_TOMLLIB = frozenset({"number_out_of_range", "nesting_too_deep"})


class Refused(Exception):
    """What Python's reader takes, and a document may not hold."""


def mangle(chance: random.Random, text: str, others: list[str]) -> str:
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.randint(1, 6))
        lines = text.split("\n")
        line = chance.randrange(len(lines))
        other = chance.choice(others)
        begin = chance.randint(0, len(other))
        text = chance.choice(
            [
                text[:start] + text[end:],
                text[:start] + chance.choice(LETTERS) + text[start:],
                text[:start] + chance.choice(LETTERS) + text[start + 1 :],
                text[:end] + text[start:],
                "\n".join([*lines[:line], *lines[line + 1 :]]),
                "\n".join([*lines[:line], lines[line], *lines[line:]]),
                text[:start] + other[begin : begin + chance.randint(1, 30)] + text[start:],
            ]
        )
    return text


def texts(paths: Iterator[Path]) -> list[str]:
    """Return what is short and well encoded."""
    found: list[str] = []
    for path in sorted(paths):
        try:
            found.append(path.read_bytes().decode("utf-8-sig"))
        except UnicodeDecodeError:
            continue
    return [text for text in found if len(text) < 6000]


def reads_newer_toml() -> bool:
    """Tell whether this Python's reader has gone on to TOML 1.1."""
    try:
        tomllib.loads("a = {\n}")
    except tomllib.TOMLDecodeError:
        return False
    return True


def test_json_is_read_as_python_reads_it(conformance: Path) -> None:
    originals = texts(chain(DOCUMENTS.glob("*.json"), (conformance / "json" / "test_parsing").glob("*.json")))
    agree(originals, "x.json", json_value, frozenset())


@pytest.mark.skipif(reads_newer_toml(), reason="this Python's tomllib reads TOML 1.1")
def test_toml_is_read_as_python_reads_it(conformance: Path) -> None:
    originals = texts(chain(DOCUMENTS.glob("*.toml"), (conformance / "toml" / "tests").rglob("*.toml")))
    agree(originals, "x.toml", toml_value, BEYOND_TOMLLIB)


def agree(originals: list[str], path: str, python: Callable[[str], object], beyond: frozenset[str]) -> None:
    chance = random.Random(20261101)
    ours = texts(DOCUMENTS.glob(f"*{Path(path).suffix}"))
    accepted = 0
    for _ in range(ROUNDS):
        document = mangle(chance, chance.choice(chance.choice([originals, ours])), originals).removeprefix("\ufeff")
        text, findings = read_text(document.encode(), path, rules="language")
        codes = {finding.code for finding in findings}
        try:
            expected = python(document)
        except (ValueError, RecursionError, Refused):
            assert codes, document
            assert all(message(finding) for finding in findings), document
        else:
            if not codes or not codes <= beyond:
                assert (codes, exact(text.value)) == (set(), expected), document
                accepted += 1
    assert accepted > ROUNDS // 20


def json_value(text: str) -> object:
    """Read by ``json`` what a document may hold."""
    value: object = json.loads(text, object_pairs_hook=distinct, parse_constant=refuse, parse_float=finite)
    look_at(value, MAX_DEPTH)
    return exact(value)


def toml_value(text: str) -> object:
    return exact(tomllib.loads(text))


def exact(value: object) -> object:
    """A form in which equal means the same: 1, 1.0 and true differ, -0.0 and 0.0 too."""
    match value:
        case dict():
            return {key: exact(inner) for key, inner in value.items()}
        case list():
            return [exact(inner) for inner in value]
        case Moment():
            # Python keeps six digits of a second and takes zones in capitals only.
            digits = re.sub(r"(\.[0-9]{6})[0-9]+", r"\1", value.upper())
            of = {"date-local": date, "time-local": time}.get(value.kind, datetime)
            return of.fromisoformat(digits)
        case date() | time():
            return value
        case _:
            return repr(value)


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise Refused
    return dict(pairs)


def refuse(_: str) -> NoReturn:
    raise Refused


def finite(number: str) -> float:
    if math.isinf(float(number)):
        raise Refused
    return float(number)


def look_at(value: object, depth: int) -> None:
    """Refuse depth and lone surrogates."""
    match value:
        case str() if re.search("[\ud800-\udfff]", value):
            raise Refused
        case dict() | list() if depth == 0:
            raise Refused
        case dict():
            for key, inner in value.items():
                look_at(key, depth)
                look_at(inner, depth - 1)
        case list():
            for inner in value:
                look_at(inner, depth - 1)
        case _:
            pass
