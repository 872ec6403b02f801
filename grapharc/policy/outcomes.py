"""Outcomes of nodes go in; the steps of a witness come out, each where its edge is written."""

from __future__ import annotations

from collections.abc import Iterable

from grapharc.policy.case import Case
from grapharc.policy.places import arrows, name_place
from grapharc.spec.finding import Place, Step, Value
from grapharc.spec.flow.problems import Choice
from grapharc.spec.linked import END, Edge


def outcomes(case: Case, choices: Iterable[Choice]) -> tuple[Step, ...]:
    """Return outcomes as the steps of a witness: from which node the run goes on to which, and on what condition."""
    return tuple(_outcome(case, choice) for choice in choices)


def remedies(choices: Iterable[Choice]) -> dict[str, Value]:
    """Return what a remedy names: a node whose error edge is taken, else one whose branch or loop decides, if any."""
    failing = [choice.node for choice in choices if choice.form == "error"]
    deciding = [choice.node for choice in choices if choice.form != "error"]
    return {"failing": failing[0]} if failing else {"deciding": deciding[0]} if deciding else {}


def target_of(edge: Edge, used_up: bool) -> str:
    """Return where an edge leads, or its loop once it is used up."""
    return edge.loop.exhausted if used_up and edge.loop is not None else edge.target


def arrival_place(edge: Edge, node: str) -> Place:
    """Return where an edge says that it leads to a node: by its target, or by that of its loop once it is used up."""
    return edge.place if edge.target == node or edge.used_up is None else edge.used_up.place


def _outcome(case: Case, choice: Choice) -> Step:
    used_up = choice.turn == "exhausted"
    if choice.edge < 0:
        leaving = [edge for edge in case.edges_from.get(choice.node, ()) if edge.form == "always"]
        targets = sorted({target_of(edge, used_up) for edge in leaving}) or [END]
        return Step(arrows((choice.node, ", ".join(targets))), name_place(case.graph, choice.node))
    edge = case.graph.edges[choice.edge]
    target = target_of(edge, used_up)
    how = "on error" if edge.form == "error" else "otherwise"
    if edge.condition is not None:
        how = f"when {edge.condition.text}"
    return Step(
        f"{arrows((edge.source, target))} {how}{' (exhausted)' if used_up else ''}", arrival_place(edge, target)
    )
