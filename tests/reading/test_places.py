"""Places that bug reports show wrong: dotted keys, the third ``[[table]]``, chains, columns after wide characters."""

from __future__ import annotations

from typing import Literal

import pytest

from grapharc.spec.document import locate
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Path
from grapharc.spec.reading.text import read_text
from grapharc.spec.source import Span

GRAPH = """\
#:schema graph.json
name = "größe 🎉"  # a comment
limits.a."b c" = [1, { d.e = "x" }]

[types.Claim]
text = "string"

[[nodes]]
name = "one"
[[nodes]]
name = "two"
  [nodes.args]
  prompt = \"\"\"
first
  second {field}\"\"\"
[[ nodes ]]
"name" = 'three'

[[edges]]
chain = ["__start__", "one",
  # between
  "two", 'three']
"""

JSON = """\
{
\t"nodes": [
\t\t{"name": "日本", "args": {"a/b": [true, {"~": null}]}},
\t\t{"name": "\\ud83c\\udf89 x\\ty"}
\t],
\t"": -1.5e3
}
"""

PLACES = [
    (("name",), "key", "2:1", "name"),
    (("name",), "value", "2:8", '"größe 🎉"'),
    (("limits",), "key", "3:1", "limits"),
    (("limits", "a"), "key", "3:8", "a"),
    (("limits", "a", "b c"), "key", "3:10", '"b c"'),
    (("limits", "a", "b c"), "value", "3:18", '[1, { d.e = "x" }]'),
    (("limits", "a", "b c", 0), "value", "3:19", "1"),
    (("limits", "a", "b c", 1, "d"), "key", "3:24", "d"),
    (("limits", "a", "b c", 1, "d", "e"), "value", "3:30", '"x"'),
    (("types",), "key", "5:2", "types"),
    (("types", "Claim"), "key", "5:8", "Claim"),
    (("types", "Claim"), "value", "5:1", "[types.Claim]"),
    (("types", "Claim", "text"), "value", "6:8", '"string"'),
    (("nodes",), "value", "8:1", "[[nodes]]"),
    (("nodes", 0), "value", "8:1", "[[nodes]]"),
    (("nodes", 1, "name"), "value", "11:8", '"two"'),
    (("nodes", 1, "args"), "value", "12:3", "[nodes.args]"),
    (("nodes", 1, "args", "prompt"), "key", "13:3", "prompt"),
    (("nodes", 2), "value", "16:1", "[[ nodes ]]"),
    (("nodes", 2, "name"), "key", "17:1", '"name"'),
    (("nodes", 2, "name"), "value", "17:10", "'three'"),
    (("edges", 0, "chain", 1), "value", "20:23", '"one"'),
    (("edges", 0, "chain", 2), "value", "22:3", '"two"'),
    (("edges", 0, "chain", 3), "value", "22:10", "'three'"),
    (("edges", 0, "chain", 9), "value", "20:9", None),
    (("edges", 0, "target"), "value", "19:1", "[[edges]]"),
    (("nowhere", "x"), "value", "1:1", None),
]

IN_JSON = [
    (("nodes",), "key", "2:2", '"nodes"'),
    (("nodes", 0, "name"), "value", "3:12", '"日本"'),
    (("nodes", 0, "args"), "key", "3:18", '"args"'),
    (("nodes", 0, "args", "a/b", 1, "~"), "value", "3:47", "null"),
    (("nodes", 1), "value", "4:3", '{"name": "\\ud83c\\udf89 x\\ty"}'),
    (("nodes", 1), "key", "4:3", '{"name": "\\ud83c\\udf89 x\\ty"}'),
    (("",), "key", "6:2", '""'),
    (("",), "value", "6:6", "-1.5e3"),
    (("nodes", 2, "name"), "value", "2:11", None),
]


@pytest.mark.parametrize("frame", ["{}", "\ufeff{}"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("document", "name", "path", "part", "position", "words"),
    [(GRAPH, "x.toml", *place) for place in PLACES] + [(JSON, "x.json", *place) for place in IN_JSON],
)
def test_a_path_leads_to_its_place(
    frame: str,
    end: str,
    document: str,
    name: str,
    path: Path,
    part: Literal["key", "value"],
    position: str,
    words: str | None,
) -> None:
    written = frame.format(document.replace("\n", end)) if frame != "{}" else document.replace("\n", end)
    text, findings = read_text(written.encode(), name)
    assert not findings
    found = locate(Place(name, path, part), {name: text})
    assert found is not None
    start, stop = found
    assert f"{start.line}:{start.column}" == position
    if words is not None:
        assert text.source.text[start.offset : stop.offset] == words


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("document", "name", "path", "within", "position", "words"),
    [
        (GRAPH, "x.toml", ("name",), (2, 5), "2:11", "öße"),
        (GRAPH, "x.toml", ("name",), (6, 7), "2:15", "🎉"),
        (GRAPH, "x.toml", ("nodes", 1, "args", "prompt"), (0, 5), "14:1", "first"),
        (GRAPH, "x.toml", ("nodes", 1, "args", "prompt"), (15, 22), "15:10", "{field}"),
        (GRAPH, "x.toml", ("nodes", 1, "args", "prompt"), (22, 22), "15:17", ""),
        (GRAPH, "x.toml", ("edges", 0, "chain", 3), (0, 5), "22:11", "three"),
        (JSON, "x.json", ("nodes", 1, "name"), (0, 1), "4:13", "\\ud83c\\udf89"),
        (JSON, "x.json", ("nodes", 1, "name"), (2, 5), "4:26", "x\\ty"),
        (JSON, "x.json", ("nodes", 1, "name"), (4, 99), "4:29", "y"),
        (JSON, "x.json", ("",), (0, 1), "6:6", "-1.5e3"),
        ('a = "x\\\\\\u0041\\n  y"\n', "x.toml", ("a",), (1, 3), "1:7", "\\\\\\u0041"),
        ('a = """x \\\n   y\\U0001F389z"""\n', "x.toml", ("a",), (2, 3), "2:4", "y"),
        ('a = """x \\\n   y\\U0001F389z"""\n', "x.toml", ("a",), (3, 5), "2:5", "\\U0001F389z"),
        ('a = """"x" ""y"""""\n', "x.toml", ("a",), (6, 9), "1:14", 'y""'),
    ],
)
def test_a_range_of_a_string_leads_to_its_place(
    end: str, document: str, name: str, path: Path, within: tuple[int, int], position: str, words: str
) -> None:
    text, findings = read_text(document.replace("\n", end).encode(), name)
    assert not findings
    found = locate(Place(name, path, within=Span(*within)), {name: text})
    assert found is not None
    start, stop = found
    assert f"{start.line}:{start.column}" == position
    assert text.source.text[start.offset : stop.offset] == words
