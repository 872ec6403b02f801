"""Both sides of a graph go in; which kinds' data reaches which others more or less, and which labels do, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.policy.diff.both import About, Both
from grapharc.policy.diff.change import Change
from grapharc.policy.diff.flows import Flows, Source
from grapharc.policy.places import arrows
from grapharc.spec.linked import END, START

_RUN: Mapping[str, str] = {START: "the inputs of the run", END: "the outputs of the run"}
"""What data may begin and end as, beside what nodes write and are given."""


def data(both: Both) -> Iterator[Change]:
    """Yield what changed in where data and labels may go.

    What data itself comes to is told once; of the rest, what it shows in, since that is decided by it.
    """
    old, new = Flows(both.old), Flows(both.new)
    for source in sorted(old.sources | new.sources):
        shown = [side.reached(source, implicit=True) for side in (old, new)]
        itself = [side.reached(source, implicit=False) if any(shown) else frozenset[str]() for side in (old, new)]
        told = itself[0] ^ itself[1]
        for target in sorted(told | (shown[0] ^ shown[1])):
            implicit = target not in told
            is_new = target in (shown if implicit else itself)[1]
            about = _about(new if is_new else old, source, target, implicit)
            yield about.change("widens" if is_new else "narrows", earlier=not is_new)


def _about(flows: Flows, source: Source, target: str, implicit: bool) -> About:
    way, nodes = flows.way(source, target, implicit), flows.side.nodes
    place = next((nodes[name].place for name in reversed(way) if name in nodes), None)
    name = _RUN.get(source.name, source.name)
    values = {"label" if source.is_label else "source": name, "target": _RUN.get(target, target)}
    values["way"] = arrows(way)
    what = f"{'label' if source.is_label else 'data'}_{'shows_in' if implicit else 'reaches'}_kind"
    return About(what, "authority", f"{source.name} -> {target}", values, place, way)
