"""A long picture stands in columns where it is an image; every node and every arrow is in it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from grapharc.cli.draw import drawn
from grapharc.cli.rendering.diagrams import dot
from grapharc.compiler.diagrams.columns import LONG, in_columns
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.data import data
from grapharc.compiler.diagrams.near import near, rows
from grapharc.compiler.diagrams.picture import Line, Picture, Shape
from grapharc.policy.admission import Admission
from tests.drawing.test_near import chain_of
from tests.drawing.test_pictures import graph_of


def straight(folder: Path, length: int) -> Admission:
    """A chain of nodes, the last three of which are a loop."""
    names = [f"step{number}" for number in range(length)]
    nodes = "".join(f'[[nodes]]\nname = "{name}"\nkind = "control.pass"\n' for name in names)
    chain = ", ".join(f'"{name}"' for name in ("__start__", *names))
    return graph_of(
        folder,
        f"""
[state]
x = {{ type = "integer", input = true }}
{nodes}
[[edges]]
chain = [{chain}]
[[edges]]
source = "{names[-1]}"
target = "{names[-3]}"
when = "x < 9"
loop = {{ max_rounds = 3 }}
[[edges]]
source = "{names[-1]}"
target = "__end__"
otherwise = true
""",
    )


def joined(picture: Picture) -> set[tuple[str, str, str, tuple[str, ...]]]:
    """The arrows, those at signposts put together again."""
    keys = {shape.key for shape in picture.shapes if "@@" not in shape.key}
    found = {
        (line.source, line.target, line.form, line.text) for line in picture.lines if {line.source, line.target} <= keys
    }
    for line in picture.lines:
        if "@@" in line.target:
            found.add((line.source, line.target.partition("@@")[0], line.form, line.text))
    return found


def test_a_short_picture_stays_as_it_is(tmp_path: Path) -> None:
    picture = near(control(straight(tmp_path, LONG - 2)))
    assert in_columns(picture) == picture


@pytest.mark.parametrize("length", [60, 300])
def test_a_long_chain_is_about_as_wide_as_high(length: int, tmp_path: Path) -> None:
    picture = control(straight(tmp_path, length))
    found = re.search(r'<svg width="(\d+)pt" height="(\d+)pt"', drawn(picture, "svg").decode())
    assert found is not None
    wide, high = map(int, found.groups())
    assert high < 2_500
    assert 0.3 < wide / high < 3


@pytest.mark.parametrize("view", [control, data])
def test_columns_hold_every_arrow_and_keep_every_identifier(view: object, tmp_path: Path) -> None:
    assert callable(view)
    for number, admission in enumerate((straight(tmp_path / "a", 90), chain_of(tmp_path / "b", 70))):
        picture = near(view(admission))
        folded = in_columns(picture)
        assert folded.shapes[: len(picture.shapes)] == picture.shapes
        known = {shape.key for shape in picture.shapes}
        seen = [line for line in picture.lines if line.form != "order" and {line.source, line.target} <= known]
        assert joined(folded) >= {(line.source, line.target, line.form, line.text) for line in seen}, number
        assert max(rows(folded).values()) < max(rows(picture).values())


def test_a_column_does_not_end_within_a_loop_or_a_subgraph(tmp_path: Path) -> None:
    folded = in_columns(near(control(straight(tmp_path, 300))))
    (back,) = (line for line in folded.lines if line.form == "again")
    assert (back.source, back.target) == ("step299", "step297")


def test_both_languages_stay_what_the_graph_is(tmp_path: Path) -> None:
    picture = control(straight(tmp_path, 60))
    text = drawn(picture, "dot").decode()
    assert text == dot.render(picture)
    assert "from step" not in text
    assert "from step" not in drawn(picture, "mmd").decode()
    page = drawn(picture, "html").decode()
    assert "signpost: an arrow leads to the node that it names, far off" in page
    assert "from step16" in page


def test_signposts_of_arrows_both_ways_are_each_their_own() -> None:
    keys = [f"a{number:02}" for number in range(40)]
    shapes = tuple(Shape(key, "node", key) for key in keys)
    # An arrow past all of them, so that a column ends although one leads back.
    all_round = Line(keys[0], keys[-1], "error")
    there = (*(Line(one, other) for one, other in pairwise(keys)), all_round)
    ended = 0
    for early, late in pairwise(keys):
        folded = in_columns(Picture("", (), shapes, (*there, Line(late, early, "again"))))
        title = {shape.key: shape.title for shape in folded.shapes}
        found = {(title[line.source], title[line.target]) for line in folded.lines if line.form == "again"}
        if found != {(late, early)}:
            assert found == {(late, f"to {early}"), (f"from {late}", early)}
            ended += 1
    assert ended


def test_an_arrow_to_a_whole_subgraph_may_lead_to_another_column(tmp_path: Path) -> None:
    tmp_path.joinpath("inner.toml").write_text(
        """
[state]
x = { type = "integer", input = true }
y = { type = "integer", default = 0, output = true }
[[nodes]]
name = "copy"
kind = "control.set"
reads = { value = "x" }
writes = { result = "y" }
[[edges]]
chain = ["__start__", "copy", "__end__"]
""",
        "utf-8",
    )
    names = [f"a{number:02}" for number in range(44)]
    nodes = "".join(f'[[nodes]]\nname = "{name}"\nkind = "control.pass"\n' for name in names[1:])
    chain = ", ".join(f'"{name}"' for name in ("__start__", *names, "each", "__end__"))
    admission = graph_of(
        tmp_path,
        f"""
[state]
items = {{ type = "list[integer]", default = [1], input = true }}
first = {{ type = "integer", default = 0 }}
found = {{ type = "list[integer]", default = [], output = true }}
bad = {{ type = "list[Failure]", default = [], output = true }}
[[nodes]]
name = "{names[0]}"
kind = "control.set"
reads = {{ value = "items[0]" }}
writes = {{ result = "first" }}
{nodes}
[[nodes]]
name = "each"
kind = "graph"
args = {{ path = "inner.toml" }}
reads = {{ x = "it" }}
writes = {{ y = "found" }}
map = {{ over = "items", as = "it", max_items = 4, on_item_error = "collect", failures = "bad" }}
[[edges]]
chain = [{chain}]
""",
    )
    for view in (control, data):
        folded = in_columns(near(view(admission)))
        known = {end.key for end in (*folded.shapes, *folded.groups)}
        assert {key for line in folded.lines for key in (line.source, line.target)} <= known
        assert drawn(view(admission), "svg")
