"""Whatever stands in a document, linking says so: every finding has its words and its place, and nothing is raised."""

from __future__ import annotations

import copy
import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from grapharc.spec.document import locate
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.meaning import graph_meaning, registry_meaning
from grapharc.spec.reasons import message, related_note, remedy
from tests.linking.documents import GRAPH, MANIFEST, PROMPT, SELECTION, edited, edits
from tests.linking.project import linked
from tests.linking.shelf import SHELF

values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53) + 1, 2**53 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=8),
        st.sampled_from(
            ["T", "list[T: Claim]", "source", "a.b", "{x}", "*", "__start__", "sum", "..", "#/$defs/a", "(", "1/0"]
        ),
        st.just({"file": "sum.md"}),
        st.just({"$ref": "#"}),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def show_all(found: LinkedGraph) -> None:
    """Word and place every finding, and take the meaning of what was linked."""
    for finding in found.findings:
        assert message(finding)
        assert remedy(finding)
        assert locate(finding.place, found.texts)
        for related in finding.related:
            assert related_note(related)
            assert locate(related.place, found.texts)
    graph_meaning(found)
    registry_meaning(found.registry)


def link(graph: Json, selection: Json, manifest: Json) -> LinkedGraph:
    texts = {
        **SHELF,
        "graph.json": json.dumps(graph),
        "registry.json": json.dumps(selection),
        "kinds.json": json.dumps(manifest),
        "sum.md": PROMPT,
    }
    return linked(texts, "graph.json")


def _paths(document: dict[str, Json]) -> list[Path]:
    return [path for path, _ in edits(document)]


FULL: dict[str, Json] = copy.deepcopy(SELECTION)
FULL["use"] = [*FULL["use"], {"kind": "*"}, {"kind": "*", "from": "kinds/triage.toml"}]  # pyright: ignore


@given(st.sampled_from([GRAPH, FULL, MANIFEST]), st.integers(), values)
def test_any_value_in_any_place_of_a_document_is_told_of_or_taken(
    document: dict[str, Json], seed: int, value: Json
) -> None:
    path = Random(seed).choice(_paths(document))
    changed = edited(document, path, value)
    documents = [changed if one is document else one for one in (GRAPH, FULL, MANIFEST)]
    show_all(link(*documents))


@given(st.sampled_from([GRAPH, FULL, MANIFEST]), st.integers())
def test_any_part_of_a_document_may_be_missing(document: dict[str, Json], seed: int) -> None:
    random = Random(seed)
    changed: Json = document
    for _ in range(random.randint(1, 4)):
        assert isinstance(changed, dict)
        if paths := _paths(changed):
            changed = edited(changed, random.choice(paths), ...)
    documents = [changed if one is document else one for one in (GRAPH, FULL, MANIFEST)]
    show_all(link(*documents))


@given(st.integers(), st.sampled_from(['{"', '"', "]", "[[", "=", "\\", "\u0000", "é", "\u202e"]))
def test_a_text_that_is_cut_or_broken_anywhere_is_linked_as_far_as_it_goes(seed: int, broken: str) -> None:
    random = Random(seed)
    texts = {
        **SHELF,
        "graph.json": json.dumps(GRAPH),
        "registry.json": json.dumps(FULL),
        "kinds.json": json.dumps(MANIFEST),
        "sum.md": PROMPT,
    }
    name = random.choice(["graph.json", "registry.json", "kinds.json", "kinds/triage.toml", "sum.md"])
    at = random.randrange(len(texts[name]))
    texts[name] = texts[name][:at] + random.choice([broken, ""]) + texts[name][at + random.randint(0, 3) :]
    show_all(linked(texts, "graph.json"))
