"""The baked schemas are those that pydantic makes of the models, and reading needs nothing that is slow to load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pydantic_core
import pytest

from grapharc.spec.document import DocumentKind
from grapharc.spec.documents import schemas
from grapharc.spec.documents.bake import bake, main
from grapharc.spec.documents.kinds import baked_path, model_of
from tests.documents_model.making import KINDS

SLOW = ("pydantic", "lark", "jsonschema", "re2", "click", "langgraph", "asyncio", "importlib.metadata")


@pytest.mark.parametrize("kind", KINDS)
def test_a_baked_schema_is_what_the_models_say_now(kind: DocumentKind) -> None:
    baked, made = json.loads(baked_path(kind).read_bytes()), bake(model_of(kind))
    assert {**baked, "pydantic_core": ""} == {**made, "pydantic_core": ""}, "run `make update`"


def test_another_pydantic_core_is_given_schemas_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pydantic_core, "__version__", "0.0.0")
    assert bake(model_of("graph"))["pydantic_core"] == "0.0.0"
    calls: list[DocumentKind] = []
    monkeypatch.setattr(schemas, "_bake", lambda kind: calls.append(kind) or bake(model_of(kind)))
    schemas.rules_of.cache_clear()
    try:
        made = schemas.rules_of("graph")
    finally:
        schemas.rules_of.cache_clear()
    assert calls == ["graph"]
    assert made.form == schemas.rules_of("graph").form


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
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(SLOW) & set(found.stdout.split()) == set()
