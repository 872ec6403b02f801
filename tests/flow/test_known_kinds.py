"""That a node always or never fails is known of our own code, by its entry, and of nothing that is merely called so."""

from __future__ import annotations

from datetime import date

import pytest

from grapharc.policy.admit import admit
from tests.linking.project import linked

GRAPH = """
[[nodes]]
name = "n"
kind = "KIND"
[[nodes]]
name = "mend"
kind = "other"
[[edges]]
chain = ["__start__", "n", "mend", "__end__"]
[[edges]]
source = "n"
target = "mend"
on = "error"
"""
KIND = """
[[kind]]
name = "{name}"
version = "1"
summary = "A kind."
entry = "{entry}"
capabilities = []
idempotent = true
"""
OURS = "grapharc.stdlib_kinds.control.control:"
MESSAGE = '[kind.args]\ntype = "object"\nproperties.message = { type = "string" }\n'


def judged(name: str, entry: str) -> tuple[bool, set[str]]:
    """Whether the node is known to fail, and what is said of its edges."""
    manifest = KIND.format(name=name, entry=entry) + MESSAGE + KIND.format(name="other", entry="shelf.py:other")
    graph = linked({"shipped/kinds.toml": manifest, "graph.toml": GRAPH.replace("KIND", name)})
    admission = admit(graph, today=date(2027, 1, 1))
    return "n" in admission.flow.failing, {finding.code for finding in admission.findings}


@pytest.mark.parametrize("name", ["control.fail", "give_up"])
def test_what_fails_by_our_code_leads_on_by_its_error_edge_alone(name: str) -> None:
    failing, codes = judged(name, OURS + "fail")
    assert failing
    assert "edge_never_taken" in codes


def test_an_own_kind_of_the_same_name_may_succeed() -> None:
    failing, codes = judged("control.fail", "shelf.py:try")
    assert not failing
    assert "edge_never_taken" not in codes


@pytest.mark.parametrize("name", ["control.pass", "pass"])
def test_what_passes_by_our_code_takes_no_error_edge(name: str) -> None:
    assert "error_edge_unreachable" in judged(name, OURS + "hand_on")[1]


def test_an_own_kind_of_that_name_may_fail() -> None:
    assert "error_edge_unreachable" not in judged("control.pass", "shelf.py:pass")[1]
