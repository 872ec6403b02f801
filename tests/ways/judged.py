"""A seed goes in; what the judge says of a drawn graph and what its runs show come out, as counts and differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.policy.owner.trails import trails
from grapharc.project.files import DiskLoader
from grapharc.spec.flow.facts import facts
from grapharc.spec.link.link import link
from grapharc.spec.linked import LinkedGraph
from grapharc.spec.loader import OutsideProject, Unreadable
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_graph, read_policy, read_registry
from grapharc.spec.reasons import severity
from grapharc.spec.registry.open_registry import open_registry
from tests.ways.oracle import FlowQuestion, Flows, Seen, ways
from tests.ways.program import KINDS, Seq, draw, manifest, write
from tests.ways.runs import TooMany, runs

MEMO = Memo()
ASKED: Mapping[str, tuple[str, FlowQuestion | None]] = {
    "path-free": ('resource = "path"\nmatch = "fetch -> run"', None),
    "path-via": ('resource = "path"\nmatch = "fetch -> run"\nunless_via = "check"', None),
    "path-start": ('resource = "path"\nmatch = "__start__ -> run"\nunless_via = "check"', None),
    "flow-free": ('resource = "flow"\nmatch = "capability:network -> run"', FlowQuestion(network=True)),
    "flow-via": (
        'resource = "flow"\nmatch = "fetch -> capability:run_command"\nunless_via = "check"',
        FlowQuestion(network=True, via=True),
    ),
    "flow-explicit": (
        'resource = "flow"\nmatch = "fetch -> run"\nimplicit = false\nunless_via = "check"',
        FlowQuestion(network=True, via=True, implicit=False),
    ),
    "flow-label": ('resource = "flow"\nmatch = "label:untrusted -> run"', FlowQuestion(label=True)),
    "flow-label-via": (
        'resource = "flow"\nmatch = "label:untrusted -> run"\nunless_via = "check"',
        FlowQuestion(label=True, via=True),
    ),
}


class Shelf:
    """Documents that stand in no folder."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def resolve(self, reference: str, base: str) -> str:
        if ".." in reference:
            raise OutsideProject(reference)
        return reference

    def shipped(self) -> Iterable[tuple[str, bytes]]:
        return DiskLoader(".").shipped()

    def load(self, path: str) -> bytes:
        if path not in self.files:
            raise Unreadable(path, "it is not there")
        return self.files[path].encode()


@cache
def registry() -> Registry:
    selection = '[[use]]\nkind = "graph"\n' + "".join(
        f'[[use]]\nfrom = "kinds.toml"\nkind = "{name}"\n'
        + ('endorses = ["untrusted"]\n' if "endorses" in more else "")
        for name, more in KINDS.items()
    )
    document, findings = read_registry(selection.encode(), "registry.toml")
    assert not findings, findings
    opened, findings = open_registry(document, Shelf({"kinds.toml": manifest()}), MEMO)
    assert not findings, findings
    return opened


@cache
def policy() -> Policy:
    rows = [f'[[rule]]\nid = "{name}"\neffect = "deny"\n{text}\n' for name, (text, _) in ASKED.items()]
    opened = open_policy(read_policy(("default = 'allow'\n" + "".join(rows)).encode(), "policy.toml")[0])
    assert not [finding for finding in opened.findings if severity(finding) == "error"], opened.findings
    return opened


def linked(program: Seq) -> LinkedGraph:
    files: dict[str, str] = {}
    write(program, "graph.json", files)
    document, _ = read_graph(files["graph.json"].encode(), "graph.json")
    return link(document, registry(), Shelf(files), MEMO)[0]


def judged(program: Seq) -> Mapping[str, set[str]]:
    """By rule, the nodes to which the judge finds a way."""
    graph = linked(program)
    wrong = [finding for finding in graph.findings if severity(finding) == "error"]
    assert not wrong, wrong
    found: dict[str, set[str]] = {name: set() for name in ASKED}
    for trail in trails(facts(graph), [(policy(), rule) for rule in policy().rules]):
        found[trail.rule.id].add(trail.last.name)
    return found


def compare(seed: int) -> tuple[Counter[str], list[str]]:
    """Hold one drawn graph to its runs."""
    program = draw(seed)
    try:
        seen = Seen(program, list(runs(program)))
    except TooMany:
        return Counter({"left out, of too many runs": 1}), []
    counts, differences = Counter[str]({"graphs": 1}), list[str]()
    found = judged(program)
    for name, (text, asked) in ASKED.items():
        if asked is None:
            source = None if "__start__" in text else (lambda step: step.kind == "fetch")
            expected = ways(seen, source, "run", "unless_via" in text)
        else:
            expected = Flows(seen, asked).answer()
        kind = name.partition("-")[0]
        counts[f"{kind} rules that admit" if not expected else f"{kind} rules that refuse"] += 1
        if found[name] != expected:
            missed, more = sorted(expected - found[name]), sorted(found[name] - expected)
            differences.append(f"seed {seed}, {name}: missed {missed}, and there is no way to {more}")
    return counts, differences
