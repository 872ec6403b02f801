"""A graph that is wrong is drawn as far as it can be read: diagrams are wanted most where something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.cli.draw import VIEWS
from grapharc.cli.rendering.diagrams import dot, mermaid
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.data import data
from grapharc.compiler.diagrams.picture import Picture
from grapharc.project.check import check_documents
from grapharc.project.opening import open_project
from grapharc.project.paths import Wanted
from grapharc.project.settings import Flags
from tests.drawing.conftest import TODAY
from tests.drawing.test_pictures import GRAPH, graph_of

DOCUMENTS = Path(__file__).resolve().parent.parent / "documents"
MISSPELT = (
    GRAPH.replace('kind = "control.pass"', 'kind = "control.pas"')
    .replace('chain = ["second", "__end__"]', 'chain = ["second", "lost", "__end__"]')
    .replace('target = "second"\nwhen', 'target = "secnd"\nwhen')
)


def said(picture: Picture) -> dict[str, tuple[str, ...]]:
    return {shape.title: shape.marks.refusals for shape in picture.shapes if shape.form == "node"}


def test_a_misspelt_kind_and_an_end_that_is_nowhere_are_drawn_in_red_where_they_stand(tmp_path: Path) -> None:
    picture = control(graph_of(tmp_path, MISSPELT))
    assert said(picture) == {
        "first": (),
        "second": ("unregistered_node",),
        "lost": ("no such node",),
        "secnd": ("no such node",),
    }
    lines = {(line.source, line.target): line.marks.refusals for line in picture.lines}
    assert lines[("second", "lost")] == lines[("lost", "__end__")] == ("unknown_edge_endpoint",)
    assert lines[("first", "secnd")] == ("unknown_edge_endpoint",)
    assert lines[("__start__", "first")] == ()
    assert picture.faults == ()


def test_a_node_that_is_not_linked_stands_in_the_view_of_data_too(tmp_path: Path) -> None:
    assert said(data(graph_of(tmp_path, MISSPELT)))["second"] == ("unregistered_node",)


@pytest.mark.parametrize("view", VIEWS)
def test_whatever_refuses_a_document_it_is_drawn_as_far_as_it_can_be_read(view: str) -> None:
    drawn = 0
    for path in sorted(DOCUMENTS.glob("*/refused.*")):
        if path.suffix not in (".toml", ".json"):
            continue
        project = open_project(Flags(), [str(path)], {"GRAPHARC_CACHE_DIR": ""})
        report = check_documents(project, Wanted((project.loader.path_of(str(path)),)), TODAY)
        for admission in report.admissions:
            picture = VIEWS[view](admission)
            assert dot.render(picture).startswith("digraph")
            assert "flowchart TD" in mermaid.render(picture)
            drawn += 1
    assert drawn > 80
