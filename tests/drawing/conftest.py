"""Graphs to draw: those of the examples, checked as their own projects check them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from grapharc.policy.admission import Admission
from grapharc.project.check import check_documents
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted
from grapharc.project.settings import Flags

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
TODAY = date(2026, 11, 30)


def judged(graph: Path) -> Admission:
    """Check a graph under the project document beside it, if there is one."""
    config = graph.parent / "grapharc.toml"
    flags = Flags(config=str(config)) if config.exists() else Flags()
    project = open_project(flags, [str(graph)], {"GRAPHARC_CACHE_DIR": ""})
    return check_documents(project, Wanted((project.loader.path_of(str(graph)),)), TODAY).admissions[0]


@pytest.fixture(scope="session", params=["claims_loop", "fan_out", "investigation", "nested", "cited_answer"])
def example(request: pytest.FixtureRequest) -> Admission:
    """Five of the examples."""
    return judged(EXAMPLES / request.param / "graph.toml")
