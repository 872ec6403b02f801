"""One attempt to get past each sentence about paths and flows, and its twin that is let through. The ids say which."""

from __future__ import annotations

from datetime import date

import pytest

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.record import record
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph, read_policy, read_registry
from grapharc.spec.registry.open_registry import open_registry
from tests.ways.judged import Shelf

MEMO = Memo()
ARGS = 'type = "object"\nadditionalProperties = false\n'


def kind(name: str, *capabilities: str, reads: str = "", writes: str = "", more: str = "", args: str = "") -> str:
    listed = ", ".join(f'"{one}"' for one in capabilities)
    return (
        f'[[kind]]\nname = "{name}"\nversion = "1"\nsummary = "s"\nentry = "k.py:f"\nidempotent = true\n'
        f"capabilities = [{listed}]\n{more}\n"
        f"[kind.reads]\n{reads}\n[kind.writes]\n{writes}\n[kind.args]\n{ARGS}{args}\n"
        "[kind.cost]\ntokens = 1\n"
    )


ANY = 'value = { type = "json", default = "" }'
MANIFEST = "".join(
    [
        kind("fetch", "network", writes='page = "string"', reads=ANY),
        kind("dirty", writes='page = "string"', more='labels = ["untrusted"]'),
        kind("run", "run_command", reads=ANY, writes='out = "string"'),
        kind(
            "hand_on",
            reads=ANY + '\nother = { type = "json", default = "" }',
            writes='out = "string"\nlist = "list[string]"',
        ),
        kind("verify.page", reads='page = "string"', writes='checked = "string"', more='endorses = ["untrusted"]'),
        kind("human.approve", "human", reads='subject = "T"', writes='approved = "T"'),
        kind("bundle", "network", "run_command", reads=ANY),
        kind("save", "write_files", reads=ANY),
        kind("load", "read_files", writes='page = "string"'),
        kind("note", "memory_write", reads=ANY, args='properties.store = { type = "string" }'),
        kind("recall", "memory_read", writes='page = "string"', args='properties.store = { type = "string" }'),
        kind("tool.fetch", "network", more="tool = true", writes='page = "string"'),
        kind("tool.run", "run_command", more="tool = true", reads=ANY),
        kind(
            "agent",
            reads=ANY,
            writes='out = "string"',
            args='properties.tools = { type = "array", items = { type = "string", format = "kind" } }',
        ),
    ]
)
NAMES = [line.split('"')[1] for line in MANIFEST.splitlines() if line.startswith("name = ")]
STATE = """
[state]
q = { type = "string", input = true }
page = { type = "string", default = "" }
checked = { type = "string", default = "" }
note = { type = "string", default = "" }
many = { type = "list[string]", default = [] }
oops = "Failure | null"
lost = { type = "list[Failure]", default = [] }
done = { type = "string", default = "", output = true }
"""


def node(name: str, kind: str, more: str = "") -> str:
    return f'[[nodes]]\nname = "{name}"\nkind = "{kind}"\n{more}\n'


def chain(*names: str) -> str:
    return f"[[edges]]\nchain = [{', '.join(chr(34) + name + chr(34) for name in names)}]\n"


def edge(source: str, target: str, more: str = "") -> str:
    return f'[[edges]]\nsource = "{source}"\ntarget = "{target}"\n{more}\n'


def rule(resource: str, match: str, via: str = "", more: str = "", effect: str = "deny") -> str:
    unless = f"unless_via = {via}\n" if via else ""
    return f'[[rule]]\nid = "r"\neffect = "{effect}"\nresource = "{resource}"\nmatch = "{match}"\n{unless}{more}\n'


def judged(graph: str, rules: str, state: str = STATE, more: dict[str, str] | None = None, uses: str = "") -> Admission:
    selection = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "graph"\n' + uses
    taken = [name for name in NAMES if f'kind = "{name}"' not in uses]
    selection += "".join(f'[[use]]\nfrom = "kinds.toml"\nkind = "{name}"\n' for name in taken)
    files = {"kinds.toml": MANIFEST, **(more or {})}
    shelf = Shelf(files)
    registry, wrong = open_registry(read_registry(selection.encode(), "registry.toml")[0], shelf, MEMO)
    assert not wrong, wrong
    document, _ = read_graph((state + graph).encode(), "graph.toml")
    policy = open_policy(read_policy(('default = "allow"\n' + rules).encode(), "policy.toml")[0])
    return admit(link(document, registry, shelf, MEMO)[0], [policy], today=date(2027, 1, 1))


def said(admission: Admission) -> list[str]:
    """What stops ways, and nothing else that is wrong."""
    codes = {f.code for f in admission.findings if f.code.startswith(("path_", "flow_"))}
    errors = {f.code for f in admission.findings} - codes
    assert not errors & {"unknown_port", "unknown_field", "unbound_port", "unregistered_node", "write_type_mismatch"}
    assert not [f for f in admission.findings if f.code not in codes and f.place.document == "policy.toml"]
    return sorted(codes)


def witness(admission: Admission) -> list[str]:
    (finding,) = [f for f in admission.findings if f.code.startswith(("path_", "flow_"))]
    assert all(step.place is not None for step in finding.witness), "each step is located"
    return [step.text for step in finding.witness]


NETWORK = rule("flow", "capability:network -> capability:run_command")
DENIED = "flow_denied"
GO_NOTE = node("go", "run", 'reads = { value = "note" }\nwrites = {}')
CHECKED = rule("flow", "capability:network -> capability:run_command", '["verify.*", "human.approve"]')
PATH = rule("path", "fetch -> run", '"verify.*"')
LABEL = rule("flow", "label:untrusted -> run")
GET = node("get", "fetch", 'writes = { page = "page" }')
GO = node("go", "run", 'reads = { value = "page" }\nwrites = { out = "done" }')
GO_BLIND = node("go", "run", 'writes = { out = "done" }')
CHECK = node("look", "verify.page", 'reads = { page = "page" }\nwrites = { checked = "checked" }')
GO_CHECKED = GO.replace('"page"', '"checked"')
INNER_STATE = 'f = { type = "string", input = true }\ng = { type = "string", default = "", output = true }\n'


def inner(nodes: str, edges: str, extra: str = "") -> dict[str, str]:
    return {"inner.toml": f"[state]\n{INNER_STATE}{extra}\n{nodes}{edges}"}


SUB = 'args = { path = "inner.toml" }\n'
CASES: dict[str, tuple[str, str, dict[str, str], list[str]]] = {
    "path is control flow, with a node in between": (
        GET + node("idle", "hand_on", "writes = {}") + GO_BLIND + chain("__start__", "get", "idle", "go", "__end__"),
        PATH,
        {},
        ["get -> idle", "idle -> go"],
    ),
    "unless_via must stand on every way": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("look", "go", "__end__"),
        PATH,
        {},
        ["get -> go otherwise"],
    ),
    "an exhausted arc is an edge": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "get", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
        + chain("look", "go", "__end__"),
        PATH,
        {},
        ["get -> go otherwise (exhausted)"],
    ),
    "an error edge of the very node that must stand there": (
        GET
        + CHECK
        + GO_BLIND
        + chain("__start__", "get", "look", "go", "__end__")
        + edge("look", "go", 'on = "error"'),
        PATH,
        {},
        ["get -> look", "look -> go on error"],
    ),
    "the flattened graph, within a subgraph": (
        GET
        + node("sub", "graph", SUB + 'reads = { f = "page" }\nwrites = { g = "done" }')
        + chain("__start__", "get", "sub", "__end__"),
        PATH,
        inner(node("go", "run", 'writes = { out = "g" }'), chain("__start__", "go", "__end__")),
        ["get -> sub/go"],
    ),
    "data through any number of nodes": (
        GET
        + node("mid", "hand_on", 'reads = { value = "page" }\nwrites = { out = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = { out = "done" }')
        + chain("__start__", "get", "mid", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "mid reads page", "mid writes note", "go reads note"],
    ),
    "a loop brings what was written in the round before": (
        node("go", "run", 'reads = { value = "page" }\nwrites = { out = "done" }')
        + GET
        + chain("__start__", "go", "get")
        + edge("get", "__end__", "when = \"q == 'x'\"")
        + edge("get", "go", "otherwise = true\nloop = { max_rounds = 2 }"),
        NETWORK,
        {},
        ["get writes page", "go reads page"],
    ),
    "a map hands on its items": (
        GET
        + node("split", "hand_on", 'reads = { value = "page" }\nwrites = { list = "many" }')
        + node(
            "go", "run", 'reads = { value = "one" }\nwrites = {}\nmap = { over = "many", as = "one", max_items = 3 }'
        )
        + chain("__start__", "get", "split", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "split reads page", "split writes many", "go reads many"],
    ),
    "the list of a mapped subgraph is read by all inside": (
        GET
        + node("split", "hand_on", 'reads = { value = "page" }\nwrites = { list = "many" }')
        + node(
            "sub", "graph", SUB + 'reads = { f = "q" }\nwrites = {}\nmap = { over = "many", as = "one", max_items = 3 }'
        )
        + chain("__start__", "get", "split", "sub", "__end__"),
        NETWORK,
        inner(node("go", "run", "writes = {}"), chain("__start__", "go", "__end__")),
        ["get writes page", "split reads page", "split writes many", "sub runs for each of many", "sub/go runs for it"],
    ),
    "a subgraph's inputs and outputs": (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = { g = "page" }')
        + GO
        + chain("__start__", "sub", "go", "__end__"),
        NETWORK,
        inner(
            node("get", "fetch", 'reads = { value = "f" }\nwrites = { page = "g" }'),
            chain("__start__", "get", "__end__"),
        ),
        ["sub/get writes g", "g leaves sub", "sub writes page", "go reads page"],
    ),
    "an error edge's message": (
        GET
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "get", "__end__")
        + edge("get", "go", 'on = "error"\ninto = "oops"'),
        NETWORK,
        {},
        ["get fails, and oops says why", "go reads oops"],
    ),
    "the message of a verifier that failed has not passed it": (
        GET
        + CHECK
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "get", "look", "__end__")
        + edge("look", "go", 'on = "error"\ninto = "oops"'),
        rule("flow", "fetch -> run", '"verify.*"', "implicit = false"),
        {},
        ["get writes page", "look reads page", "look fails, and oops says why", "go reads oops"],
    ),
    "a failure inside a subgraph": (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = { g = "page" }')
        + node("go", "run", 'reads = { value = "oops" }\nwrites = {}')
        + chain("__start__", "sub", "__end__")
        + edge("sub", "go", 'on = "error"\ninto = "oops"'),
        NETWORK,
        inner(
            node("get", "fetch", 'reads = { value = "f" }\nwrites = { page = "g" }'),
            chain("__start__", "get", "__end__"),
        ),
        ["sub fails, and oops says why", "go reads oops"],
    ),
    "collected failures": (
        node(
            "get",
            "fetch",
            'reads = { value = "one" }\nwrites = {}\n'
            'map = { over = "[q]", as = "one", max_items = 3, on_item_error = "collect", failures = "lost" }',
        )
        + node("go", "run", 'reads = { value = "lost" }\nwrites = {}')
        + chain("__start__", "get", "go", "__end__"),
        NETWORK,
        {},
        ["get collects failures in lost", "go reads lost"],
    ),
    "a file as channel": (
        GET
        + node("keep", "save", 'reads = { value = "page" }')
        + GO_BLIND
        + chain("__start__", "get", "keep", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "keep reads page", "keep may write files", "go may read them"],
    ),
    "a file, across rounds": (
        GO_BLIND
        + GET
        + node("keep", "save", 'reads = { value = "page" }')
        + chain("__start__", "go", "get", "keep")
        + edge("keep", "__end__", "when = \"q == 'x'\"")
        + edge("keep", "go", "otherwise = true\nloop = { max_rounds = 2 }"),
        NETWORK,
        {},
        ["get writes page", "keep reads page", "keep may write files", "go may read them"],
    ),
    "a file that a node beside it reads": (
        node("begin", "control.pass")
        + GET
        + node("keep", "save", 'reads = { value = "page" }')
        + node("get_file", "load", 'writes = { page = "note" }')
        + node("go", "hand_on", 'reads = { value = "note" }\nwrites = { out = "done" }')
        + chain("__start__", "begin", "get", "keep", "go", "__end__")
        + chain("begin", "get_file", "go"),
        rule("flow", "fetch -> hand_on"),
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write files",
            "get_file may read them",
            "get_file writes note",
            "go reads note",
        ],
    ),
    "a store, which outlives the order of a run": (
        node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + GET
        + node("keep", "note", 'args = { store = "s" }\nreads = { value = "page" }')
        + chain("__start__", "old", "go", "get", "keep", "__end__"),
        NETWORK,
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write to a store",
            "old may read it",
            "old writes note",
            "go reads note",
        ],
    ),
    "a store that nobody names": (
        GET
        + node("keep", "note", 'reads = { value = "page" }')
        + node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + chain("__start__", "old", "go", "get", "keep", "__end__"),
        NETWORK,
        {},
        [
            "get writes page",
            "keep reads page",
            "keep may write to a store",
            "old may read it",
            "old writes note",
            "go reads note",
        ],
    ),
    "a field read raw beside its verifier": (
        GET + CHECK + GO + chain("__start__", "get", "look", "go", "__end__"),
        CHECKED,
        {},
        ["get writes page", "go reads page"],
    ),
    "what a condition reveals: the activation": (
        GET
        + GO_BLIND
        + chain("__start__", "get")
        + edge("get", "go", "when = \"page == 'x'\"")
        + edge("get", "__end__", "otherwise = true")
        + chain("go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "what a condition reveals: the writes": (
        GET
        + node("mark", "hand_on", 'reads = { value = "\'x\'" }\nwrites = { out = "note" }')
        + node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + chain("__start__", "get")
        + edge("get", "mark", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("mark", "go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about mark", "mark writes note", "go reads note"],
    ),
    "what a loop that looks for progress reveals": (
        GO_BLIND
        + GET
        + chain("__start__", "go", "get")
        + edge("get", "go", 'loop = { max_rounds = 3, progress = ["page"] }'),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "what a loop reveals that goes round once more and may then end the run": (
        node("head", "control.pass")
        + GET
        + GO_BLIND
        + chain("__start__", "head")
        + edge("head", "get", "when = \"q == 'x'\"")
        + edge("head", "__end__", "otherwise = true")
        + edge("get", "go", "when = \"page == 'x'\"")
        + edge("get", "head", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
        + chain("go", "__end__"),
        NETWORK,
        {},
        ["get writes page", "get decides by page", "that decides about go"],
    ),
    "an implicit way, with a verifier on one of two ways only": (
        GET
        + CHECK
        + node("go", "run", 'reads = { value = "checked" }\nwrites = {}')
        + chain("__start__", "get")
        + edge("get", "look", "when = \"page == 'x'\"")
        + edge("get", "go", "otherwise = true")
        + chain("look", "go", "__end__"),
        rule("flow", "fetch -> run", '"verify.*"'),
        {},
        [
            "get writes page",
            "get decides by page",
            "that decides about look",
            "look writes checked",
            "go reads checked",
        ],
    ),
    "a node that holds both ends": (
        node("help", "agent", 'args = { tools = ["tool.fetch", "tool.run"] }\nreads = {}\nwrites = {}')
        + chain("__start__", "help", "__end__"),
        NETWORK,
        {},
        ["help holds 'tool.fetch'", "help holds 'tool.run'"],
    ),
    "one kind that is both ends": (
        node("both", "bundle") + chain("__start__", "both", "__end__"),
        NETWORK,
        {},
        ["both is 'bundle'"],
    ),
    "an agent that holds an end": (
        GET
        + node("help", "agent", 'args = { tools = ["tool.run"] }\nreads = { value = "page" }\nwrites = {}')
        + chain("__start__", "get", "help", "__end__"),
        NETWORK,
        {},
        ["get writes page", "help reads page"],
    ),
    "a label enters with a kind": (
        node("get", "dirty", 'writes = { page = "page" }') + GO + chain("__start__", "get", "go", "__end__"),
        LABEL,
        {},
        ["get writes page", "go reads page"],
    ),
    "endorsing takes a label from what passes, and not from what is read beside it": (
        node("get", "dirty", 'writes = { page = "page" }')
        + CHECK
        + GO
        + chain("__start__", "get", "look", "go", "__end__"),
        LABEL,
        {},
        ["get writes page", "go reads page"],
    ),
    "the outputs of a run, spelled": (
        node("get", "fetch", 'writes = { page = "done" }') + chain("__start__", "get", "__end__"),
        rule("flow", "fetch -> __end__"),
        {},
        ["get writes done", "done is an output"],
    ),
    "the inputs of a run, spelled": (
        node("go", "run", 'reads = { value = "q" }\nwrites = {}') + chain("__start__", "go", "__end__"),
        rule("flow", "__start__ -> run"),
        {},
        ["q is an input", "go reads q"],
    ),
    "a way that ends without an edge": (
        GET + chain("__start__", "get"),
        rule("path", "fetch -> __end__"),
        {},
        ["get -> __end__"],
    ),
}


@pytest.mark.parametrize("sentence", CASES)
def test_an_attempt_to_get_past_a_sentence_is_refused_with_its_way(sentence: str) -> None:
    graph, rules, files, steps = CASES[sentence]
    admission = judged(graph, rules, more=files)
    resource = "path" if 'resource = "path"' in rules else "flow"
    assert said(admission) == [f"{resource}_denied"]
    shown = [step.text for f in admission.findings if f.code == f"{resource}_denied" for step in f.witness]
    assert shown == steps
    assert admission.verdict == "refused"


def use(kind: str, more: str) -> str:
    return f'[[use]]\nfrom = "kinds.toml"\nkind = "{kind}"\n{more}\n'


ENDORSED = use("verify.page", 'endorses = ["untrusted"]')
DIRTY = node("get", "dirty", 'writes = { page = "page" }')
LINE = chain("__start__", "get", "look", "go", "__end__")
APPROVE = node("ask", "human.approve", 'reads = { subject = "page" }\nwrites = { approved = "checked" }')


def test_data_that_passes_a_verifier_or_a_person_is_let_through() -> None:
    assert said(judged(GET + CHECK + GO_CHECKED + LINE, CHECKED)) == []
    asked = chain("__start__", "get", "ask", "go", "__end__")
    assert said(judged(GET + APPROVE + GO_CHECKED + asked, CHECKED)) == []
    assert said(judged(GET + APPROVE + GO + asked, CHECKED)) == ["flow_denied"], "only what was bound is handed on"


def test_an_own_kinds_endorsement_counts_only_where_the_registry_repeats_it() -> None:
    graph = DIRTY + CHECK + GO_CHECKED + LINE
    assert said(judged(graph, LABEL)) == ["flow_denied"]
    assert said(judged(graph, LABEL, uses=ENDORSED)) == []


def test_endorsing_changes_label_selectors_only() -> None:
    assert said(judged(GET + CHECK + GO_CHECKED + LINE, NETWORK, uses=ENDORSED)) == ["flow_denied"]


def test_labels_enter_with_inputs_and_with_fields_at_each_write() -> None:
    state = STATE.replace(
        'q = { type = "string", input = true }', 'q = { type = "string", input = true, labels = ["pii"] }'
    )
    go = node("go", "run", 'reads = { value = "q" }\nwrites = {}') + chain("__start__", "go", "__end__")
    admission = judged(go, rule("flow", "label:pii -> run"), state)
    assert witness(admission) == ["q has label 'pii'", "go reads q"]
    state = STATE.replace(
        'checked = { type = "string", default = "" }', 'checked = { type = "string", default = "", labels = ["pii"] }'
    )
    graph = GET + CHECK + GO_CHECKED + LINE
    admission = judged(graph, rule("flow", "label:pii -> run", '"verify.*"'), state, uses=ENDORSED)
    assert witness(admission) == ["checked has label 'pii'", "look writes checked", "go reads checked"]


def test_a_field_with_a_label_is_a_target_of_it() -> None:
    state = STATE.replace(
        'note = { type = "string", default = "" }', 'note = { type = "string", default = "", labels = ["public"] }'
    )
    graph = GET + node("tell", "hand_on", 'reads = { value = "page" }\nwrites = { out = "note" }')
    admission = judged(
        graph + chain("__start__", "get", "tell", "__end__"), rule("flow", "fetch -> label:public"), state
    )
    assert witness(admission) == ["get writes page", "tell reads page", "tell writes note", "note has label 'public'"]


def test_a_registry_adds_labels_and_capabilities() -> None:
    graph = node("get", "load", 'writes = { page = "page" }') + GO + chain("__start__", "get", "go", "__end__")
    assert said(judged(graph, LABEL + NETWORK.replace('"r"', '"s"'))) == []
    assert said(judged(graph, LABEL, uses=use("load", 'labels = ["untrusted"]'))) == ["flow_denied"]
    assert said(judged(graph, NETWORK, uses=use("load", 'capabilities = ["network"]'))) == ["flow_denied"]


def test_an_alias_slips_past_no_rule_and_stands_for_nothing_but_its_own_name() -> None:
    graph = GET.replace('"fetch"', '"harmless"') + GO + chain("__start__", "get", "go", "__end__")
    alias = use("fetch", 'as = "harmless"')
    assert said(judged(graph, rule("flow", "fetch -> run"), uses=alias)) == ["flow_denied"]
    assert said(judged(graph, rule("path", "fetch -> run"), uses=alias)) == ["path_denied"]
    graph = GET + CHECK.replace('"verify.page"', '"looks"') + GO_CHECKED + LINE
    assert said(judged(graph, CHECKED, uses=use("verify.page", 'as = "looks"'))) == ["flow_denied"]


def test_a_kind_of_which_an_agent_holds_a_verifier_stands_for_none() -> None:
    graph = GET + node(
        "help", "agent", 'args = { tools = ["verify.page"] }\nreads = { value = "page" }\nwrites = { out = "checked" }'
    )
    uses = use("verify.page", "").replace("\n\n", "\n")
    kinds = MANIFEST.replace('name = "verify.page"', 'name = "verify.page"\ntool = true')
    admission = judged(
        graph + GO_CHECKED + chain("__start__", "get", "help", "go", "__end__"),
        CHECKED,
        more={"kinds.toml": kinds},
        uses=uses,
    )
    assert said(admission) == ["flow_denied"]


def test_implicit_false_leaves_out_what_conditions_reveal() -> None:
    graph, _, _, _ = CASES["what a condition reveals: the activation"]
    assert said(judged(graph, rule("flow", "fetch -> run", more="implicit = false"))) == []


def test_what_runs_after_a_loop_however_it_ends_does_not_tell_how() -> None:
    graph = node("head", "control.pass") + GET + GO_BLIND + chain("__start__", "head", "get")
    graph += edge("get", "go", "when = \"page == 'x'\"") + chain("go", "__end__")
    graph += edge("get", "head", 'otherwise = true\nloop = { max_rounds = 2, exhausted = "go" }')
    assert said(judged(graph, NETWORK)) == []


def test_an_implicit_way_ends_where_a_person_stands_on_every_way() -> None:
    graph = GET + APPROVE + GO_BLIND + chain("__start__", "get") + edge("get", "ask", "when = \"page == 'x'\"")
    graph += edge("get", "__end__", "otherwise = true") + chain("ask", "go", "__end__")
    assert said(judged(graph, CHECKED)) == []
    assert said(judged(graph, NETWORK)) == ["flow_denied"]


def test_a_write_reaches_no_read_that_comes_before_it_nor_one_in_another_arm() -> None:
    early = GO + GET + chain("__start__", "go", "get", "__end__")
    assert said(judged(early, NETWORK)) == []
    apart = node("pick", "control.pass") + GET + GO + chain("__start__", "pick")
    apart += (
        edge("pick", "get", "when = \"q == 'x'\"")
        + edge("pick", "go", "otherwise = true")
        + chain("get", "__end__")
        + chain("go", "__end__")
    )
    assert said(judged(apart, NETWORK)) == []


def test_each_entry_of_a_subgraph_has_its_own_copies() -> None:
    files = inner(
        node("go", "run", 'reads = { value = "note" }\nwrites = {}')
        + node("get", "fetch", 'writes = { page = "note" }'),
        chain("__start__", "go", "get", "__end__"),
        'note = { type = "string", default = "" }',
    )
    graph = (
        node("sub", "graph", SUB + 'reads = { f = "q" }\nwrites = {}')
        + node("last", "control.pass")
        + chain("__start__", "sub", "last")
    )
    graph += edge("last", "__end__", "when = \"q == 'x'\"") + edge(
        "last", "sub", "otherwise = true\nloop = { max_rounds = 2 }"
    )
    assert said(judged(graph, NETWORK, more=files)) == []
    assert said(judged(graph, rule("path", "fetch -> run"), more=files)) == ["path_denied"]


def test_two_stores_are_not_one() -> None:
    graph, rules, _, _ = CASES["a store, which outlives the order of a run"]
    assert said(judged(graph.replace('store = "s" }\nwrites', 'store = "other" }\nwrites'), rules)) == []


def test_a_star_covers_kinds_and_the_ends_of_a_run_only_when_spelled() -> None:
    graph = GO_BLIND + chain("__start__", "go", "__end__")
    assert said(judged(graph, rule("path", "* -> run", '"human.approve"'))) == []
    assert said(judged(graph, rule("path", "__start__ -> run", '"human.approve"'))) == ["path_denied"]
    assert said(judged(graph, rule("path", "run -> *"))) == []
    assert said(judged(graph, rule("flow", "* -> run"))) == [], "a kind is no witness against itself under a wider word"


def test_ask_holds_before_the_last_node_of_each_witness() -> None:
    more = 'approver_role = "sre"\nreason = "r"'
    for resource in ("path", "flow"):
        admission = judged(
            GET + GO + chain("__start__", "get", "go", "__end__"),
            rule(resource, "fetch -> run", more=more, effect="ask"),
        )
        assert (admission.verdict, said(admission)) == ("needs_approval", [f"{resource}_needs_approval"])
        assert [(one.before, one.role, one.rule.id) for one in admission.approvals] == [("go", "sre", "r")]
        (row,) = [one for one in record(admission)["decisions"] if one["resource"] == resource]  # type: ignore[union-attr, index, call-overload]
        (by,) = row["by"]  # type: ignore[index, call-overload]
        assert (row["kinds"], row["nodes"], row["effect"]) == (["fetch", "run"], ["go"], "ask")  # type: ignore[index, call-overload]
        assert (by["rule"], by["reason"], by["digest"]) == ("r", "r", admission.policies[0].digest)  # type: ignore[index, call-overload]


def test_a_rule_whose_condition_does_not_hold_stops_nothing() -> None:
    graph = GET + GO + chain("__start__", "get", "go", "__end__")
    assert said(judged(graph, rule("flow", "fetch -> run", more="when = 'graph.node_count > 2'"))) == []
    assert said(judged(graph, rule("flow", "fetch -> run", more="when = 'graph.node_count > 1'"))) == ["flow_denied"]


STORED = node("keep", "note", 'args = { store = "s" }\nreads = { value = "page" }')


def test_a_store_is_a_file_and_a_file_may_be_a_store() -> None:
    """The hole: what was put into a store came back by a file, or the other way round, and counted as new."""
    read_back = GET + STORED + node("old", "load", 'writes = { page = "note" }')
    to_load, to_recall = rule("flow", "fetch -> load"), rule("flow", "fetch -> recall")
    assert said(judged(read_back + chain("__start__", "get", "keep", "old", "__end__"), to_load)) == [DENIED]
    assert said(judged(read_back + chain("__start__", "old", "get", "keep", "__end__"), to_load)) == []
    by_command = GET + STORED + node("go", "run", "writes = {}") + chain("__start__", "get", "keep", "go", "__end__")
    assert said(judged(by_command, NETWORK)) == [DENIED]
    filed = GET + node("keep", "save", 'reads = { value = "page" }')
    filed += node("old", "recall", 'args = { store = "s" }\nwrites = { page = "note" }')
    assert said(judged(filed + chain("__start__", "get", "keep", "old", "__end__"), to_recall)) == [DENIED]
    assert said(judged(filed + chain("__start__", "old", "get", "keep", "__end__"), to_recall)) == []


def test_what_writes_to_a_store_before_it_writes_files_hides_no_reader() -> None:
    """The hole that a list of readers would have, if those of one writer were taken off that of all."""
    graph = GET + STORED + node("save", "save", 'reads = { value = "page" }')
    graph += node("old", "recall", 'args = { store = "other" }\nwrites = { page = "note" }')
    ways = judged(graph + chain("__start__", "get", "keep", "save", "old", "__end__"), rule("flow", "fetch -> recall"))
    assert said(ways) == [DENIED]


CLAIMS = """
[state]
claims = { type = "list[Claim]", input = true, labels = ["untrusted"] }
source = { type = "string", input = true }
kept = "list[Claim]"
lost = "list[Claim]"
said = "list[Verdict]"
out = { type = "string", default = "", output = true }
"""
VERIFIERS = '[models]\nother = "openrouter/openai/gpt-4o-mini"\n[[use]]\nkind = "verify.*"\n'
OURS = "__start__ -> run"


@pytest.mark.parametrize("verifier", ["verify.anchor", "verify.claims"])
@pytest.mark.parametrize(
    ("port", "field", "codes"),
    [("accepted", "kept", []), ("rejected", "lost", ["flow_denied"]), ("verdicts", "said", ["flow_denied"])],
)
def test_only_what_a_verifier_of_ours_accepted_has_passed_it(
    port: str, field: str, codes: list[str], verifier: str
) -> None:
    """The hole: what was rejected, and what was said of it, counted as passed, and as free of its label."""
    args = 'args = { reviewer = "other", max_tokens = 10 }\n' if verifier == "verify.claims" else ""
    graph = node(
        "look", verifier, f'{args}reads = {{ claims = "claims", source_text = "source" }}\nwrites.{port} = "{field}"'
    )
    graph += node("go", "run", f'reads = {{ value = "{field}" }}\nwrites = {{}}')
    straight = graph + chain("__start__", "look", "go", "__end__")
    via = rule("flow", OURS, '"verify.*"')
    assert said(judged(straight, via, CLAIMS, uses=VERIFIERS)) == codes
    if verifier == "verify.claims":  # it endorses; an anchor alone does not
        assert said(judged(straight, rule("flow", "label:untrusted -> run"), CLAIMS, uses=VERIFIERS)) == codes
    asked = graph.replace(f'reads = {{ value = "{field}" }}', "reads = {}") + chain("__start__", "look")
    asked += edge("look", "go", f'when = "size({field}) > 1"') + edge("look", "__end__", "otherwise = true")
    asked += chain("go", "__end__")
    assert said(judged(asked, via, CLAIMS, uses=VERIFIERS)) == codes, "a decision by it tells as much"


def on_error(source: str, target: str) -> str:
    return edge(source, target, 'on = "error"')


ASKS = node("ask", "hand_on", 'reads = { value = "page" }\nwrites = {}')
BLIND = node("go", "run", "reads = {}\nwrites = {}")


def test_what_a_node_is_given_decides_whether_its_error_edge_is_taken() -> None:
    """The hole: a node that fails by a secret told it to all behind its error edge."""
    graph = GET + ASKS + BLIND + chain("__start__", "get", "ask", "__end__") + on_error("ask", "go")
    graph += chain("go", "__end__")
    assert said(judged(graph, NETWORK)) == [DENIED]
    assert witness(judged(graph, NETWORK)) == [
        "get writes page",
        "ask reads page",
        "ask may fail by it",
        "that decides about go",
    ]
    assert said(judged(graph, NETWORK + "implicit = false\n")) == []
    pure = graph.replace('"hand_on"', '"control.pass"').replace('reads = { value = "page" }\nwrites = {}', "")
    assert said(judged(pure, NETWORK)) == [], "it is given nothing"


def test_what_is_done_because_a_node_failed_tells_it_behind_the_join_too() -> None:
    """The hole: both ways lead to the command, and a field says which of them was taken."""
    graph = GET + ASKS + node("mark", "control.set", 'reads = { value = "\'x\'" }\nwrites = { result = "note" }')
    graph += GO_NOTE + chain("__start__", "get", "ask", "go", "__end__") + on_error("ask", "mark") + edge("mark", "go")
    assert said(judged(graph, NETWORK)) == [DENIED]
    assert said(judged(graph.replace(GO_NOTE, BLIND), NETWORK)) == [], "it runs whatever happened"


@pytest.mark.parametrize("failing", ["control.fail", "hand_on"])
def test_a_failure_within_a_subgraph_tells_outside_why_it_came_to_it(failing: str) -> None:
    """The hole: what decides within a subgraph whether it fails was lost at its error edge."""
    files = inner(
        node(
            "stop",
            failing,
            "args = { message = 'no' }" if failing == "control.fail" else 'reads = { value = "f" }\nwrites = {}',
        ),
        edge("__start__", "stop", "when = \"f == 'x'\"")
        + edge("__start__", "__end__", "otherwise = true")
        + ("" if failing == "control.fail" else chain("stop", "__end__")),
    )
    graph = GET + node("sub", "graph", SUB + 'reads = { f = "page" }\nwrites = {}') + BLIND
    graph += chain("__start__", "get", "sub", "__end__")
    caught = graph + on_error("sub", "go") + chain("go", "__end__")
    assert said(judged(caught, NETWORK, more=files)) == [DENIED]
    assert said(judged(caught, NETWORK + "implicit = false\n", more=files)) == []


def test_a_verifier_that_fails_has_told_what_it_was_given() -> None:
    """The hole: by its error edge a node of ``unless_via`` tells what has not passed it; by its success it does not."""
    graph = GET + CHECK + BLIND + chain("__start__", "get", "look", "__end__")
    assert said(judged(graph + on_error("look", "go") + chain("go", "__end__"), CHECKED)) == [DENIED]
    passed = GET + CHECK + BLIND + node("other", "control.pass") + chain("__start__", "get", "look", "go", "__end__")
    assert said(judged(passed + on_error("look", "other") + chain("other", "__end__"), CHECKED)) == []
