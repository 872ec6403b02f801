"""Arrows that would lead over many rows end nearby, and what they lead to says from where it is reached."""

from __future__ import annotations

from pathlib import Path

from grapharc.cli.rendering.diagrams import dot, mermaid
from grapharc.compiler.diagrams.changes import with_changes
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.data import data
from grapharc.compiler.diagrams.marked import MANY, notes
from grapharc.compiler.diagrams.near import FAR, near
from grapharc.compiler.diagrams.picture import Line, Picture
from grapharc.policy.admission import Admission
from tests.drawing.test_pictures import graph_of

LONG = 12


def long_graph(folder: Path) -> Admission:
    """A chain of nodes that may all fail, and all write one field; the first repeats itself, and leaves for the end."""
    return chain_of(folder, LONG)


def chain_of(folder: Path, length: int) -> Admission:
    names = [f"step{number}" for number in range(length)]
    nodes = "".join(
        f'[[nodes]]\nname = "{name}"\nkind = "control.set"\n'
        'reads = { value = "x + 1" }\nwrites = { result = "x" }\n'
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
    return graph_of(folder, f"{state}{nodes}{edges}{failing}")


def lines_of(picture: Picture, form: str) -> list[Line]:
    return [line for line in picture.lines if line.form == form]


def test_a_loop_that_is_used_up_has_an_end_beside_it(tmp_path: Path) -> None:
    drawn = near(control(long_graph(tmp_path)))
    (line,) = lines_of(drawn, "exhausted")
    assert line.target not in {"__end__", "step0"}
    assert next(shape for shape in drawn.shapes if shape.key == line.target).form == "end"
    assert [each.target for each in lines_of(drawn, "always") if each.source == "mend"] == ["__end__"]


def test_who_fails_far_off_leads_to_a_name_and_the_one_who_mends_names_them(tmp_path: Path) -> None:
    drawn = near(control(long_graph(tmp_path)))
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
    picture = control(long_graph(tmp_path))
    kept = near(picture).shapes[: len(picture.shapes)]
    assert [shape.key for shape in kept] == [shape.key for shape in picture.shapes]


def test_both_languages_draw_the_name_as_a_shape_of_its_own(tmp_path: Path) -> None:
    picture = control(long_graph(tmp_path))
    assert dot.render(picture).count("shape=cds") == LONG - FAR
    assert mermaid.render(picture).count('>"<b>to mend</b>"]') == LONG - FAR


def test_a_field_that_many_touch_is_named_where_it_is_far_and_names_them(tmp_path: Path) -> None:
    picture = data(long_graph(tmp_path))
    drawn = near(picture)
    shapes = {shape.key: shape for shape in drawn.shapes}
    last = f"step{LONG - 1}"
    values = lines_of(drawn, "data")
    assert {shapes[line.target].title for line in values if line.source == last} == {"to x"}
    assert {shapes[line.source].title for line in values if line.target == last} == {"from x"}
    field = next(shape for shape in drawn.shapes if shape.form == "field")
    assert "also to" in " ".join(field.lines)
    assert len(values) == len(lines_of(picture, "data"))


def test_values_stand_in_the_order_of_a_run(tmp_path: Path) -> None:
    picture = data(long_graph(tmp_path))
    assert [shape.title for shape in picture.shapes][:2] == ["x", "step0"]
    order = lines_of(picture, "order")
    assert ("step1", "step2") in {(line.source, line.target) for line in order}
    said = dot.render(picture)
    assert said.count("style=invis") == len(order)
    assert mermaid.render(picture).count(" ~~~ ") == len(order)


def test_a_large_picture_says_where_its_marks_are(tmp_path: Path) -> None:
    small, large = (control(chain_of(tmp_path / str(length), length)) for length in (LONG, MANY))
    assert notes(small) == small.notes
    assert len(notes(large)) == len(large.notes)
    marked = with_changes(control(chain_of(tmp_path / "less", MANY - 1)), large)
    (added,) = (note for note in notes(marked) if note.startswith("added: "))
    assert added.startswith(f"added: step{MANY - 1}, ")
