"""Where data goes is told as rules over flows prove it: by files, stores, failures, decisions, into and out of runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.diff.flows import Flows, Source
from grapharc.policy.diff.side import Side
from grapharc.policy.owner.policy import Policy
from grapharc.policy.owner.trails import trails
from grapharc.spec.linked import END, START
from tests.gate.pairs import compared, told
from tests.policy.judging import TODAY, opened
from tests.ways.judged import linked
from tests.ways.program import KINDS, draw

HEAD = """
[state]
question = { type = "string", input = true }
text = { type = "string", default = "" }
spare = { type = "string", default = "" }
found = { type = "list[string]", default = [] }
failure = "Failure | null"
"""
NODES = {
    "look": 'kind = "tool.read_file"\nreads = { path = "\'in.md\'" }\nwrites = { text = "text" }',
    "see": 'kind = "tool.read_file"\nreads = { path = "\'in.md\'" }\nwrites = { text = "spare" }',
    "list": 'kind = "tool.list_dir"\nwrites = { entries = "found" }',
    "save": 'kind = "tool.write_file"\nreads = { path = "\'a.md\'", text = "text" }',
    "mark": 'kind = "tool.write_file"\nreads = { path = "\'a.md\'", text = "\'done\'" }',
    "tell": 'kind = "tool.write_file"\nreads = { path = "\'a.md\'", text = "failure.message" }',
    "think": 'kind = "control.set"\nreads = { value = "question" }\nwrites = { result = "text" }',
    "pass": 'kind = "control.pass"',
}
REGISTRY = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "tool.*"\n'


def graph(*edges: str, **nodes: str) -> str:
    """Write a graph of some nodes, each a line of ``NODES`` unless it is given, with edges as TOML."""
    names = dict.fromkeys(name for edge in edges for name in NODES if f'"{name}"' in edge)
    rows = (f'[[nodes]]\nname = "{name}"\n{nodes.get(name, NODES[name])}\n' for name in names)
    return HEAD + "".join((*rows, *(f"[[edges]]\n{edge}\n" for edge in edges)))


def chain(*names: str) -> str:
    return f"chain = [{', '.join(f'{chr(34)}{name}{chr(34)}' for name in (START, *names, END))}]"


BRANCH = (
    f'source = "{START}"\ntarget = "look"',
    'source = "look"\ntarget = "mark"\nwhen = "text == \'go\'"',
    f'source = "look"\ntarget = "{END}"\notherwise = true',
    f'source = "mark"\ntarget = "{END}"',
)
ON_ERROR = (
    f'source = "{START}"\ntarget = "look"',
    f'source = "look"\ntarget = "{END}"',
    'source = "look"\ntarget = "tell"\non = "error"\ninto = "failure"',
    f'source = "tell"\ntarget = "{END}"',
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(
            graph(chain("list", "think", "save")),
            graph(chain("think", "save", "list")),
            "widens: data of the inputs of the run can now reach tool.list_dir "
            "by question -> think -> text -> save -> <files> -> list",
            id="a file",
        ),
        pytest.param(
            graph(chain("mark", "look")),
            graph(*BRANCH),
            "widens: data of tool.read_file can now show in tool.write_file "
            "by look -> text -> <what follows look> -> mark",
            id="what a branch reveals",
        ),
        pytest.param(
            graph(*ON_ERROR, tell=NODES["mark"]),
            graph(*ON_ERROR),
            "widens: data of tool.read_file can now reach tool.write_file by look -> failure -> tell",
            id="what a failure says",
        ),
        pytest.param(
            graph(chain("see", "look")),
            graph(chain("see", "look")).replace('text = { type = "string"', 'text = { output = true, type = "string"'),
            "widens: data of tool.read_file can now reach the outputs of the run by look -> text",
            id="an output of the run",
        ),
    ],
)
def test_a_change_by_a_channel_is_a_widening_with_its_way(old: str, new: str, said: str) -> None:
    there, back = compared(old, new, registry=REGISTRY), compared(new, old, registry=REGISTRY)
    assert said in told(there, "authority")
    assert f"narrows: {said.removeprefix('widens: ').partition(' by ')[0].replace('can now', 'can no longer')}" in told(
        back, "authority"
    )
    change = next(change for change in there.changes if said.endswith(str(change.values.get("way"))))
    assert change.place is not None
    assert change.place.path[:1] == ("nodes",)


STORE = """
[state]
claims = { type = "list[Claim]", input = true }
query = { type = "string", default = "what" }
known = { type = "list[Fact]", default = [] }
[[nodes]]
name = "keep"
kind = "memory.record"
args = { store = "ours.db" }
reads = { accepted = "claims" }
[[nodes]]
name = "ask"
kind = "memory.search"
args = { store = "theirs.db" }
reads = { query = "query" }
[[edges]]
chain = ["__start__", "keep", "ask", "__end__"]
"""


def test_a_store_that_two_nodes_share_is_a_way() -> None:
    registry = '[[use]]\nkind = "memory.*"\n[[use]]\nkind = "control.*"\n'
    found = compared(STORE, STORE.replace("theirs", "ours"), registry=registry)
    assert "widens: data of memory.record can now reach memory.search by keep -> <store> -> ask" in told(
        found, "authority"
    )


SEEDS = 120
BLOCK = 30
PAIRED = (*KINDS, START)


def asked() -> Iterator[str]:
    """Each kind, label or start with each that it may come to, with decisions and without."""
    for source in (*PAIRED, "label:untrusted"):
        yield from (f"{source} -> {target} {implicit}" for target in (*KINDS, END) for implicit in ("true", "false"))


ASKED = {f"r{number}": one for number, one in enumerate(asked())}


@pytest.fixture(scope="module")
def all_flows() -> Policy:
    rows = (
        f'[[rule]]\nid = "{name}"\neffect = "deny"\nresource = "flow"\n'
        f'match = "{one.rpartition(" ")[0]}"\nimplicit = {one.rpartition(" ")[2]}\n'
        for name, one in ASKED.items()
    )
    policy = opened("default = 'allow'\n" + "".join(rows))
    assert len(policy.rules) == len(ASKED), policy.findings
    return policy


@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_the_gate_sees_a_flow_if_and_only_if_a_rule_over_flows_does(first: int, all_flows: Policy) -> None:
    seen = 0
    for seed in range(first, first + BLOCK):
        judged = admit(linked(draw(seed)), [opened("default = 'allow'\n")], today=TODAY)
        found = trails(judged.flow, [(all_flows, rule) for rule in all_flows.rules])
        by_rules = {ASKED[trail.rule.id] for trail in found}
        assert by_gate(judged) == by_rules, seed
        seen += len(by_rules)
    assert seen > BLOCK


def by_gate(judged: Admission) -> set[str]:
    flows = Flows(Side(judged))
    sources = {**{name: Source(name) for name in PAIRED}, "label:untrusted": Source("untrusted", is_label=True)}
    return {
        f"{name} -> {target} {str(implicit).lower()}"
        for name, source in sources.items()
        for implicit in (True, False)
        for target in flows.reached(source, implicit)
    }
