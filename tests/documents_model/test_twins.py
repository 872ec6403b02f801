"""Laws over drawn documents: both syntaxes say the same, the JSON Schema agrees, nothing that is written is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.schema import json_schema
from grapharc.spec.read import read
from tests.documents_model.making import KINDS, READERS, documents, json_text, toml_text

REPOSITORY = Path(__file__).parent.parent.parent
WRITTEN = sorted(
    path
    for folder in ("tests/documents", "examples")
    for path in (REPOSITORY / folder).rglob("*.*")
    if path.suffix in (".toml", ".json")
)
CHECKS = {kind: jsonschema.Draft202012Validator(json_schema(kind)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_toml_and_json_say_the_same_and_the_schema_agrees(kind: DocumentKind, data: st.DataObject) -> None:
    value = data.draw(documents(kind))
    in_json, findings = READERS[kind](json_text(value), "document.json")
    assert findings == ()
    in_toml, findings = READERS[kind](toml_text(value), "document.toml")
    assert findings == ()
    assert in_toml.model == in_json.model
    assert in_json.damaged == in_toml.damaged == frozenset()
    CHECKS[kind].validate(value)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_documents_that_are_read_without_a_finding_fit_their_schema(path: Path) -> None:
    document, findings = read(path.read_bytes(), path.name)
    if document is not None and not document.text.holes:
        assert CHECKS[document.kind].is_valid(document.text.value) or findings


def _mutate(data: st.DataObject, value: Any) -> Any:
    """Change one thing somewhere in a value."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: _mutate(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], _mutate(data, value[index]), *value[index + 1 :]]
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        gone = data.draw(st.sampled_from(sorted(value)))
        return {key: inner for key, inner in value.items() if key != gone}
    if isinstance(value, dict) and data.draw(st.booleans()):
        return {**value, data.draw(st.sampled_from(["nam", "kind", "soruce", "x y", "when", "type"])): 1}
    return data.draw(st.sampled_from([None, True, -1, 0, 2.5, "", "a b", "__start__", "class", [], [3], {}, {"x": {}}]))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_whatever_is_read_without_a_finding_fits_the_schema_and_nothing_is_lost(
    kind: DocumentKind, data: st.DataObject
) -> None:
    value = _mutate(data, _mutate(data, data.draw(documents(kind))))
    document, findings = READERS[kind](json_text(value), "document.json")
    assert bool(findings) == bool(document.damaged)
    assert CHECKS[kind].is_valid(value) == (not findings), findings
