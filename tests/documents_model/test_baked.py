"""The baked schemas are those that pydantic makes of the models, and reading needs nothing that is slow to load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents import validation
from grapharc.spec.documents.bake import bake, baked_path, main
from grapharc.spec.documents.fit import fit
from grapharc.spec.documents.kinds import model_of
from grapharc.spec.reading.text import read_text
from tests.documents_model.making import KINDS, full, places, toml_text

DOCUMENTS = Path(__file__).parent.parent / "documents"

SLOW = ("pydantic", "lark", "jsonschema", "re2", "click", "langgraph", "asyncio", "importlib.metadata")


@pytest.mark.parametrize("kind", KINDS)
def test_a_baked_schema_is_what_the_models_say_now(kind: DocumentKind) -> None:
    baked, made = json.loads(baked_path(kind).read_bytes()), bake(model_of(kind))
    assert {**baked, "pydantic_core": ""} == {**made, "pydantic_core": ""}, "run `make update`"


def test_another_pydantic_core_is_given_schemas_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[DocumentKind] = []
    monkeypatch.setattr(validation, "VERSION", "0.0.0")
    monkeypatch.setattr(validation, "_bake", lambda kind: calls.append(kind) or bake(model_of(kind)))
    validation.rules_of.cache_clear()
    try:
        assert validation.rules_of("graph").model is model_of("graph")
    finally:
        validation.rules_of.cache_clear()
    assert calls == ["graph"]


@pytest.mark.parametrize("kind", KINDS)
def test_baked_schemas_and_those_made_anew_say_the_same(kind: DocumentKind) -> None:
    model = model_of(kind)
    baked, made = (
        validation.rules(model, json.loads(baked_path(kind).read_bytes())),
        validation.rules(model, bake(model)),
    )
    assert baked.form == made.form
    written = [path.read_bytes() for path in sorted(DOCUMENTS.glob("*/*.toml"))]
    with_all_keys = [toml_text(wrap(full(form))) for _, form, wrap in places(baked.form)]
    with_a_fault = [toml_text({**wrap(full(form)), "format": []}) for _, form, wrap in places(baked.form)]
    for data in [*written, *with_all_keys, *with_a_fault]:
        text, _ = read_text(data, "document.toml")
        assert fit(text, baked, model) == fit(text, made, model)


def test_baking_writes_what_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grapharc.spec.documents.bake.baked_path", lambda kind: tmp_path / "baked" / f"{kind}.json")
    assert main() == 0
    assert capsys.readouterr().out.split() == [f"{kind}.json" for kind in KINDS]
    assert main() == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "baked" / "policy.json").read_bytes() == baked_path("policy").read_bytes()


def test_reading_loads_nothing_slow() -> None:
    program = """
import sys
from grapharc.spec import read
read.read(b'{"nodes": [{"name": "a", "kin": 3}], "edges": []}', "a.json")
read.read(b'[[rule]]\\nid = "a"\\neffect = "dney"', "a.toml")
for reader in (read.read_registry, read.read_manifest, read.read_project):
    reader(b'{}', "a.json")
print(*sys.modules)
sys.stdout.flush()
import pydantic, pydantic_core
assert pydantic_core.SchemaValidator is type(read.rules_of("graph").validator)
assert pydantic.TypeAdapter(int).validate_python("1") == 1
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(SLOW) & set(found.stdout.split()) == set()
