"""Every shipped manifest is held to its functions: each kind loads, and can be called as its manifest says."""

from __future__ import annotations

import pytest

from grapharc.compiler.entries import load_entry
from grapharc.project.files import DiskLoader
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Kind
from grapharc.spec.registry.open_registry import open_registry

KINDS = [offer.kind for offer in open_registry(None, DiskLoader("."), Memo())[0].offers.values()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_shipped_kind_loads(kind: Kind) -> None:
    assert callable(load_entry(kind, None).function)
