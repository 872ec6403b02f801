"""Every key of every document, misspelt and of the wrong type; the keys are those of the models, not listed by hand."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from grapharc.spec.document import Document, DocumentKind
from grapharc.spec.documents.faults import as_written
from grapharc.spec.documents.forms import type_of
from grapharc.spec.documents.schema import json_schema
from grapharc.spec.finding import Finding
from tests.documents_model.making import KINDS, READERS, form_of, full, json_text, places

VALUES: list[Any] = [None, True, 3, 1.5, "word", [], {}]

CHECKS = {kind: jsonschema.Draft202012Validator(json_schema(kind)) for kind in KINDS}


def read_value(kind: DocumentKind, value: Any) -> tuple[Document[object], tuple[Finding, ...]]:
    return READERS[kind](json_text(value), "document.json")


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_with_every_key_is_read_whole(kind: DocumentKind) -> None:
    for _, form, wrap in places(form_of(kind)):
        value = wrap(full(form))
        document, findings = read_value(kind, value)
        assert (findings, document.damaged) == ((), frozenset()), value
        CHECKS[kind].validate(value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_misspelt_key_is_told_and_mended(kind: DocumentKind) -> None:
    for path, form, wrap in places(form_of(kind)):
        for key in form.keys:
            table = full(form, only_required=True)
            misspelt = key + key[-1]
            table[misspelt] = table.pop(key, None) or full(form.keys[key], only_required=True)
            value = wrap(table)
            document, findings = read_value(kind, value)
            found = [(finding.code, finding.place.path, finding.place.part) for finding in findings]
            assert found == [("unknown_key", (*path, misspelt), "key")], value
            assert findings[0].values["suggestion"] == key
            assert {(*path, misspelt), (*path, key)} <= document.damaged
            assert not CHECKS[kind].is_valid(value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_of_a_wrong_type_is_told(kind: DocumentKind) -> None:
    seen: set[tuple[object, ...]] = set()
    for path, form, wrap in places(form_of(kind)):
        allowed = {type_ for at, other, _ in places(form_of(kind)) if at == path for type_ in other.types}
        for wrong in VALUES:
            if "any" in allowed or type_of(wrong) in allowed or (path, type_of(wrong)) in seen:
                continue
            seen.add((path, type_of(wrong)))
            value = wrap(wrong)
            document, findings = read_value(kind, value)
            found = [(finding.code, finding.place.path, finding.values["found"]) for finding in findings]
            assert found == [("wrong_type", path, type_of(wrong))], (value, form)
            assert document.is_damaged(path)
            assert not CHECKS[kind].is_valid(value)
            assert as_written(path, value) == path


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_that_a_table_needs_is_missed(kind: DocumentKind) -> None:
    for path, form, wrap in places(form_of(kind)):
        for key in form.required:
            table = full(form, only_required=True)
            del table[key]
            value = wrap(table)
            document, findings = read_value(kind, value)
            found = [(finding.code, finding.place.path, finding.values["key"]) for finding in findings]
            # An empty edge is one without source and target, not a chain without its chain.
            assert ("missing_key", path, key) in found or not table
            assert {code for code, _, _ in found} == {"missing_key"}
            assert path in document.damaged
            assert not CHECKS[kind].is_valid(value)
