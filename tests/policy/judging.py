"""Texts go in, an admission comes out: the verbs in a row, with the shipped kinds."""

from __future__ import annotations

from datetime import date

from grapharc.policy.admission import Admission
from grapharc.policy.admit import NO_LIMITS, admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.project.files import DiskLoader
from grapharc.spec.link.link import link
from grapharc.spec.linked import Budget, LinkedGraph
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph, read_policy, read_registry
from grapharc.spec.registry.open_registry import open_registry

TODAY = date(2027, 1, 1)
MEMO = Memo()
LOADER = DiskLoader(".")

GREETING = """
name = "greeting"
[[nodes]]
name = "greet"
kind = "control.pass"
[[edges]]
chain = ["__start__", "greet", "__end__"]
"""


def linked(text: str, path: str = "graph.toml", registry: str | None = None) -> LinkedGraph:
    """Link a graph."""
    selection = None if registry is None else read_registry(registry.encode(), "registry.toml")[0]
    document, _ = read_graph(text.encode(), path)
    return link(document, open_registry(selection, LOADER, MEMO)[0], LOADER, MEMO)[0]


def opened(text: str, path: str = "policy.toml") -> Policy:
    """Open a policy."""
    return open_policy(read_policy(text.encode(), path)[0])


def judged(
    text: str,
    *policies: str,
    path: str = "graph.toml",
    registry: str | None = None,
    tenant: str | None = None,
    limits: Budget = NO_LIMITS,
    today: date = TODAY,
) -> Admission:
    """Judge a graph; policies are named ``policy0.toml`` and so on."""
    named = [opened(policy, f"policy{number}.toml") for number, policy in enumerate(policies)]
    return admit(linked(text, path, registry), named, tenant=tenant, limits=limits, today=today)


def codes(admission: Admission) -> list[str]:
    """The codes that were found, sorted."""
    return sorted(finding.code for finding in admission.findings)
