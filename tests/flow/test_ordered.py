"""Which point leads to which is told as all ways tell it, however far is looked before they are collected."""

from __future__ import annotations

import pytest

from grapharc.spec.flow import together
from grapharc.spec.flow.control import Control
from grapharc.spec.flow.reach import ancestors
from tests.flow.generate import generate, tangle


@pytest.mark.parametrize("near", [1, 3, together.NEAR])
@pytest.mark.parametrize("seed", range(60))
def test_one_point_leads_to_another(near: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "NEAR", near)
    graph = (tangle if seed % 2 else generate)(seed // 2, failures=False)
    found = Control(graph).together
    above = ancestors(found.points.before)
    for earlier in range(len(above)):
        for later in range(len(above)):
            leads = bool(above[later] >> earlier & 1)
            assert found.ordered(earlier, later) == leads, f"{earlier} to {later}"
            assert found.one_after_other(earlier, later) == (leads or bool(above[earlier] >> later & 1))
