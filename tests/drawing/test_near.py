"""Arrows that would lead over many rows end nearby, and what they lead to says from where it is reached."""

from __future__ import annotations

from pathlib import Path

from grapharc.cli.rendering.diagrams import dot, mermaid
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.near import FAR, near
from grapharc.compiler.diagrams.picture import Line, Picture
from grapharc.policy.admission import Admission
from tests.drawing.test_pictures import graph_of

LONG = 12


def long_graph(folder: Path) -> Picture:
    """A chain of nodes, the first of which loop to themselves and leave for the end; each of which may fail."""
    names = [f"step{number}" for number in range(LONG)]
    nodes = "".join(
        f'[[nodes]]\nname = "{name}"\nkind = "control.set"\nreads = {{ value = "x + 1" }}\nwrites = {{ result = "x" }}\n'
        for name in (*names, "mend")
    )
    failing = "".join(f'[[edges]]\nsource = "{name}"\ntarget = "mend"\non = "error"\n' for name in names)
    rest = ", ".join(f'"{name}"' for name in (*names[1:], "mend", "__end__"))
    edges = f"""
[[edges]]
source = "step0"
target = "step0"
when = "x < 10"
loop = {{ max_rounds = 3 }}
[[edges]]
source = "step0"
target = "step1"
otherwise = true
[[edges]]
chain = ["__start__", "step0"]
[[edges]]
chain = [{rest}]
"""
    state = "[state]\nx = { type = 'integer', input = true, output = true }\n"
    return control(graph_of(folder, f"{state}{nodes}{edges}{failing}"))


def lines_of(picture: Picture, form: str) -> list[Line]:
    return [line for line in picture.lines if line.form == form]


def test_a_loop_that_is_used_up_has_an_end_beside_it(tmp_path: Path) -> None:
    drawn = near(long_graph(tmp_path))
    (line,) = lines_of(drawn, "exhausted")
    assert line.target not in {"__end__", "step0"}
    assert next(shape for shape in drawn.shapes if shape.key == line.target).form == "end"
    assert [each.target for each in lines_of(drawn, "always") if each.source == "mend"] == ["__end__"]


def test_who_fails_far_off_leads_to_a_name_and_the_one_who_mends_names_them(tmp_path: Path) -> None:
    drawn = near(long_graph(tmp_path))
    shapes = {shape.key: shape for shape in drawn.shapes}
    told = {line.source: shapes[line.target] for line in lines_of(drawn, "error")}
    assert (told["step0"].form, told["step0"].title) == ("elsewhere", "to mend")
    assert told[f"step{LONG - 1}"] is shapes["mend"]
    far = [name for name, shape in told.items() if shape.form == "elsewhere"]
    assert len(far) == LONG - FAR
    said = " ".join(shapes["mend"].lines)
    assert f"also from {', '.join(far[:4])} and {len(far) - 4} more" in said


def test_what_is_near_stays_as_it_is_and_keeps_its_name(example: Admission, tmp_path: Path) -> None:
    assert near(control(example)) == control(example)
    picture = long_graph(tmp_path)
    kept = near(picture).shapes[: len(picture.shapes)]
    assert [shape.key for shape in kept] == [shape.key for shape in picture.shapes]


def test_both_languages_draw_the_name_as_a_shape_of_its_own(tmp_path: Path) -> None:
    picture = long_graph(tmp_path)
    assert dot.render(picture).count("shape=cds") == LONG - FAR
    assert mermaid.render(picture).count('>"<b>to mend</b>"]') == LONG - FAR
