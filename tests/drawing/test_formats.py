"""Every format is read by a reader that others wrote, for every view, whatever the document says."""

from __future__ import annotations

import itertools
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import mermaidx
import pytest

from grapharc.cli.draw import FORMATS, VIEWS, drawn
from grapharc.cli.rendering.cells import width
from grapharc.cli.rendering.diagrams import mermaid, palette
from grapharc.cli.rendering.diagrams.rows import rows
from grapharc.compiler.diagrams.changes import with_changes
from grapharc.compiler.diagrams.control import control
from grapharc.compiler.diagrams.picture import Picture
from grapharc.policy.admission import Admission
from grapharc.project.errors import CannotStart
from tests.drawing.conftest import EXAMPLES, judged
from tests.drawing.test_pictures import GRAPH, graph_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = r"""'</svg><script>alert(1)</script> "q" `md` \\ \\N %% #35; | { } [ ] & 東京 é end'"""


@pytest.fixture(params=list(VIEWS))
def view(request: pytest.FixtureRequest) -> Callable[[Admission], Picture]:
    return VIEWS[request.param]


CONDITION = f"x == {HOSTILE}".replace("\\", "\\\\").replace('"', '\\"')


def hostile(folder: Path) -> Admission:
    graph = f"""
name = "</title><b>\\"x\\" %% -- \\\\ 東京"
[state]
x = {{ type = "string", input = true, labels = ["untrusted"] }}
[[nodes]]
name = "end"
kind = "control.pass"
[[nodes]]
name = "subgraph"
kind = "control.pass"
[[edges]]
source = "__start__"
target = "end"
when = "{CONDITION}"
[[edges]]
source = "__start__"
target = "subgraph"
otherwise = true
[[edges]]
chain = ["end", "__end__"]
[[edges]]
chain = ["subgraph", "__end__"]
"""
    return graph_of(folder, graph)


def texts_of(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


def every_row(picture: Picture) -> list[str]:
    drawn_all = itertools.chain(picture.shapes, picture.groups, picture.lines)
    return [row.text for each in drawn_all if not getattr(each, "is_head", False) for row in rows(each)]


def test_real_mermaid_draws_every_example(example: Admission) -> None:
    picture = control(example)
    svg = mermaidx.render(mermaid.render(picture)).svg()
    said = " ".join(ET.fromstring(svg).itertext())
    assert [shape.title for shape in picture.shapes if shape.title not in said] == []


def test_real_mermaid_draws_every_view(view: Callable[[Admission], Picture]) -> None:
    picture = view(judged(EXAMPLES / "nested" / "graph.toml"))
    said = " ".join(ET.fromstring(mermaidx.render(mermaid.render(picture)).svg()).itertext())
    assert [shape.title for shape in picture.shapes if shape.title not in said] == []


def test_real_mermaid_draws_what_is_hostile(tmp_path: Path) -> None:
    picture = control(hostile(tmp_path))
    svg = mermaidx.render(mermaid.render(picture)).svg()
    assert "<script" not in svg
    assert "alert(1)" in " ".join(ET.fromstring(svg).itertext())


def test_words_of_arrows_with_the_same_ends_stand_beside_each_other_in_mermaid(tmp_path: Path) -> None:
    """Those of a node that goes round by two conditions, and of its loops that lead to the same node when used up."""
    other = GRAPH.replace("otherwise = true", 'when = "x == 9"').replace(
        '[[edges]]\nchain = ["second"',
        """[[edges]]
source = "first"
target = "first"
otherwise = true
loop = { max_rounds = 4, progress = ["y"], exhausted = "second" }
[[edges]]
chain = ["second\"""",
    )
    chart = mermaid.render(control(graph_of(tmp_path, other)))
    assert chart.count("]:::words") == 5
    assert re.search(r"\n  n1 === words(\d+)\n  words\1 ==> n1\n", chart)
    boxes = [box for box in _boxes(mermaidx.render(chart).svg()) if box[0].startswith("words")]
    assert len(boxes) == 5
    for (_, left, top, width_, height), (_, x, y, wide, high) in itertools.combinations(boxes, 2):
        assert abs(left - x) >= (width_ + wide) / 2 or abs(top - y) >= (height + high) / 2


def _boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Each shape of a flowchart by its name: its middle, its width and its height."""
    found: list[tuple[str, float, float, float, float]] = []
    for element in ET.fromstring(svg).iter(f"{SVG}g"):
        name = re.search(r"flowchart-(\w+?)-\d+$", element.get("id", ""))
        place = re.search(r"translate\(([-\d.]+),\s*([-\d.]+)\)", element.get("transform", ""))
        outline = element.find(f"{SVG}rect")
        if name and place and outline is not None:
            size = float(outline.get("width", "0")), float(outline.get("height", "0"))
            found.append((name[1], float(place[1]), float(place[2]), *size))
    return found


def test_mermaid_refuses_what_is_no_diagram() -> None:
    with pytest.raises(Exception, match=r"(?i)parse|lexical"):
        mermaidx.render('flowchart TD\n  n0["unclosed --> n1').svg()


def test_graphviz_writes_every_row_of_every_view(example: Admission, view: Callable[[Admission], Picture]) -> None:
    picture = view(example)
    written = texts_of(drawn(picture, "svg").decode())
    assert [row for row in every_row(picture) if row not in written] == []


def test_graphviz_draws_what_is_hostile_and_nothing_of_it_is_markup(tmp_path: Path) -> None:
    picture = control(hostile(tmp_path))
    svg = drawn(picture, "svg").decode()
    assert [row for row in every_row(picture) if row not in texts_of(svg)] == []
    tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(svg).iter()}
    assert tags <= {"svg", "style", "g", "title", "desc", "polygon", "path", "ellipse", "text", "polyline", "a"}
    page = drawn(picture, "html").decode()
    assert "<script" not in page
    assert set(re.findall(r"\b(?:src|href)=\S", page)) <= {'href="'}
    assert [link for link in re.findall(r'href="([^"]*)"', page) if not re.fullmatch(r"#[nh]\d+", link)] == []


def test_no_label_is_wider_than_its_shape(example: Admission) -> None:
    root = ET.fromstring(drawn(control(example), "svg").decode())
    looked = 0
    for element in root.iter(f"{SVG}g"):
        outline = element.find(f".//{SVG}path") if element.get("class", "").startswith("node node") else None
        if outline is None:
            continue
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", outline.get("d", ""))]
        room = max(numbers[::2]) - min(numbers[::2])
        for text in element.iter(f"{SVG}text"):
            needed = width(text.text or "") * float(text.get("font-size", "0")) * 0.55
            assert needed <= room, text.text
            looked += 1
    assert looked


def test_images_are_what_their_names_say(example: Admission) -> None:
    picture = control(example)
    assert drawn(picture, "png").startswith(b"\x89PNG\r\n")
    assert drawn(picture, "pdf").startswith(b"%PDF-")
    assert drawn(picture, "html").startswith(b"<!doctype html>")


@pytest.mark.skipif(shutil.which("dot") is not None, reason="the system's dot has fonts of its own")
def test_no_image_has_boxes_for_letters(tmp_path: Path) -> None:
    condition = GRAPH.replace('when = "y > 1"', "when = \"string(y) == '%s'\"")
    shown = control(graph_of(tmp_path / "a", condition % "Привет ελ"))
    assert drawn(shown, "png").startswith(b"\x89PNG")
    assert b"/Image" in drawn(shown, "pdf")
    lost = control(graph_of(tmp_path / "b", condition % "日本"))
    assert "日本" in drawn(lost, "svg").decode()
    for form in ("png", "pdf"):
        with pytest.raises(CannotStart) as caught:
            drawn(lost, form)
        assert "'日' (U+65E5), '本' (U+672C)" in str(caught.value)


def test_changes_are_drawn_in_both_languages(tmp_path: Path) -> None:
    before = control(graph_of(tmp_path / "a"))
    picture = with_changes(before, control(hostile(tmp_path / "b")))
    said = " ".join(texts_of(drawn(picture, "svg").decode()))
    assert "+ added" in said
    assert "\N{MINUS SIGN} removed" in said
    mermaidx.render(mermaid.render(picture)).svg()


def test_by_night_no_colour_of_the_day_is_left(example: Admission) -> None:
    svg = drawn(control(example), "svg").decode()
    night = svg[svg.index("@media") : svg.index("</style>")]
    day = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', svg[svg.index("</style>") :]))
    assert day
    assert [colour for colour in day if f'"{colour}"' not in night] == []


def test_by_night_the_ground_of_a_subgraph_is_dark() -> None:
    svg = drawn(control(judged(EXAMPLES / "nested" / "graph.toml")), "svg").decode()
    night = svg[svg.index("@media") : svg.index("</style>")]
    assert re.search(rf"\.cluster > \* {{ fill: {palette.DARK_PAPER} }}", night)


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG 2.2: 1 for the same colour, 21 for black on white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("night", [False, True])
def test_every_ink_can_be_read_on_every_ground(night: bool) -> None:
    pairs = (palette.INK, palette.DARK_INK), (palette.FAINT, palette.DARK_FAINT), (palette.EDGE, palette.DARK_EDGE)
    marks = (
        (palette.REFUSED, palette.DARK_REFUSED),
        (palette.ASKED, palette.DARK_ASKED),
        (palette.ADDED, palette.DARK_ADDED),
    )
    inks = [pair[night] for pair in (*pairs, *marks)]
    families = palette.FAMILIES.values()
    grounds = [palette.DARK_PAPER if night else palette.PAPER]
    grounds += [each.dark_fill if night else each.fill for each in families]
    assert [(ink, ground) for ink in inks for ground in grounds if contrast(ink, ground) < 4.5] == []
    strokes = [(each.dark_stroke, each.dark_fill) if night else (each.stroke, each.fill) for each in families]
    assert [pair for pair in strokes if contrast(*pair) < 3] == []


def test_a_line_whose_ground_is_not_known_can_be_seen_on_both() -> None:
    lines = (palette.FAINT_LINE, palette.REFUSED_LINE, palette.ADDED_LINE)
    grounds = (palette.PAPER, palette.DARK_PAPER)
    assert [(line, ground) for line in lines for ground in grounds if contrast(line, ground) < 3] == []


def test_an_svg_names_what_is_in_it_for_who_hears_it(example: Admission) -> None:
    picture = control(example)
    root = ET.fromstring(drawn(picture, "svg").decode())
    assert root.get("role") != "img"  # which would hide all that is in it
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root.findtext(f"{SVG}desc", "").startswith("admitted")
    titles = [each.findtext(f"{SVG}title", "") for each in root.iter(f"{SVG}g") if each.get("id", "")[:1] in "nehg"]
    assert [title for title in titles if re.fullmatch(r"[nh]\d+|cluster_\d+|[nh]\d+->.*", title)] == []
    assert {shape.key for shape in picture.shapes if shape.form == "node"} <= set(titles)


def test_a_page_says_all_of_it_in_words_and_explains_no_sign_that_is_not_there(example: Admission) -> None:
    picture = control(example)
    page = drawn(picture, "html").decode()
    words = page[page.index("<details>") :]
    ids = set(re.findall(r'id="([nh]\d+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', words)) <= ids
    assert words.count("<li>") == len(picture.shapes) + len(picture.lines)
    legend = page[page.index("<h2>Legend") : page.index("<details>")]
    assert ("another round of a loop" in legend) == any(line.form == "again" for line in picture.lines)
    assert ("swatch model" in legend) == any(shape.family == "model" for shape in picture.shapes)


@pytest.mark.parametrize("form", FORMATS)
def test_a_diagram_is_the_same_twice(form: str, example: Admission) -> None:
    if form != "pdf":  # which has the time in it
        assert drawn(control(example), form) == drawn(control(example), form)
