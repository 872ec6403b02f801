"""JSONTestSuite: what must be accepted is, with the value that ``json`` gives; what must be refused is, with a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import message

# RFC 8259 lets objects have equal keys and says that what they mean is anybody's guess; no document of ours has any.
TWICE = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


@pytest.fixture(scope="session")
def suite(conformance: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((conformance / "json" / "test_parsing").glob("*.json"))}


def test_what_must_be_accepted_is(suite: dict[str, bytes]) -> None:
    for name in (name for name in suite if name.startswith("y_")):
        text, findings = read_text(suite[name], name, rules="language")
        expected = json.loads(suite[name])
        if name in TWICE:
            assert {finding.code for finding in findings} == {"duplicate_key"}, name
        else:
            assert (findings, repr(text.value)) == ((), repr(expected)), name


def test_what_must_be_refused_is_and_says_why(suite: dict[str, bytes]) -> None:
    for name in (name for name in suite if name.startswith("n_")):
        _, findings = read_text(suite[name], name, rules="language")
        assert findings, name
        assert all(message(finding) for finding in findings), name


def test_what_may_be_either_is_a_value_or_a_finding(suite: dict[str, bytes]) -> None:
    for name in (name for name in suite if name.startswith("i_")):
        text, findings = read_text(suite[name], name, rules="language")
        assert findings or text.value == json.loads(suite[name].decode("utf-8-sig")), name


def test_the_suite_is_whole(suite: dict[str, bytes]) -> None:
    assert len(suite) > 300
