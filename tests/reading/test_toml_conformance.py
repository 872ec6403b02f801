"""toml-test's list for TOML 1.0: each valid file gives the value beside it, each invalid one is refused with a code."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, time
from pathlib import Path

import pytest

from grapharc.spec.reading.text import read_text
from grapharc.spec.reading.toml_dates import Moment
from grapharc.spec.reasons import message


@pytest.fixture(scope="session")
def suite(conformance: Path) -> dict[str, Path]:
    folder = conformance / "toml" / "tests"
    listed = (folder / "files-toml-1.0.0").read_text("utf-8").split()
    return {name: folder / name for name in listed if name.endswith(".toml")}


def tagged(value: object) -> object:
    """A value of ours in the form of the suite: scalars as pairs of type and value."""
    match value:
        case dict():
            return {key: tagged(inner) for key, inner in value.items()}
        case list():
            return [tagged(inner) for inner in value]
        case Moment():
            return (value.kind, moment(value.kind, value))
        case bool():
            return ("bool", value)
        case int():
            return ("integer", value)
        case float():
            return ("float", "nan" if math.isnan(value) else value)
        case _:
            return ("string", value)


def expected(value: object) -> object:
    """A value of the suite in the same form."""
    match value:
        case {"type": str(kind), "value": str(text)}:
            return (kind, scalar(kind, text))
        case dict():
            return {key: expected(inner) for key, inner in value.items()}
        case list():
            return [expected(inner) for inner in value]
        case _:
            raise AssertionError(value)


def scalar(kind: str, text: str) -> object:
    match kind:
        case "bool":
            return text == "true"
        case "integer":
            return int(text)
        case "float":
            return "nan" if "nan" in text else float(text)
        case "string":
            return text
        case _:
            return moment(kind, text)


def moment(kind: str, text: str) -> object:
    of = {"date-local": date, "time-local": time}.get(kind, datetime)
    return of.fromisoformat(text.upper())


def test_valid_files_give_their_values(suite: dict[str, Path]) -> None:
    for name in (name for name in suite if name.startswith("valid/")):
        text, findings = read_text(suite[name].read_bytes(), name, rules="language")
        value = json.loads(suite[name].with_suffix(".json").read_text("utf-8"))
        assert (findings, tagged(text.value)) == ((), expected(value)), name


def test_invalid_files_are_refused_and_say_why(suite: dict[str, Path]) -> None:
    for name in (name for name in suite if name.startswith("invalid/")):
        _, findings = read_text(suite[name].read_bytes(), name, rules="language")
        assert findings, name
        assert all(message(finding) for finding in findings), name


def test_the_suite_is_whole(suite: dict[str, Path]) -> None:
    assert len(suite) > 650
