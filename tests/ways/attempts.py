"""A graph and rules go in, what is said of it comes out; and the pieces that attempts are made of."""

from __future__ import annotations

from datetime import date
from typing import TypeAlias

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
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


def use(kind: str, more: str) -> str:
    return f'[[use]]\nfrom = "kinds.toml"\nkind = "{kind}"\n{more}\n'


ENDORSED = use("verify.page", 'endorses = ["untrusted"]')
DIRTY = node("get", "dirty", 'writes = { page = "page" }')
LINE = chain("__start__", "get", "look", "go", "__end__")
APPROVE = node("ask", "human.approve", 'reads = { subject = "page" }\nwrites = { approved = "checked" }')


Attempt: TypeAlias = "tuple[str, str, dict[str, str], list[str]]"
"""A graph, rules, further documents, and the way that is shown of it."""


def is_refused_with_its_way(attempt: Attempt) -> None:
    """Assert that an attempt is refused, with each step of its way located."""
    graph, rules, files, steps = attempt
    admission = judged(graph, rules, more=files)
    resource = "path" if 'resource = "path"' in rules else "flow"
    assert said(admission) == [f"{resource}_denied"]
    assert [step.text for f in admission.findings if f.code == f"{resource}_denied" for step in f.witness] == steps
    assert admission.verdict == "refused"
