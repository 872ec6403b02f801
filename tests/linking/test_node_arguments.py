"""Arguments of nodes: complete, checked, and their strings known for what they are."""

from __future__ import annotations

import pytest

from tests.linking.graphs import faults, graph, node
from tests.linking.project import linked, said
from tests.linking.shelf import SHELF

PROMPT_IN = """state.source = "string"
[[nodes]]
name = "n"
kind = "model.call"
args = {{ role = "writer", prompt = {{ file = "{file}" }} }}
"""


def test_arguments_are_complete_with_defaults_and_pins() -> None:
    assert node(
        '[[nodes]]\nname = "n"\nkind = "triage.deep"\nargs = { role = "writer" }\nreads.tickets = "[ticket]"'
    ).args == {
        "role": "writer",
        "max_tokens": 1000,
        "tools": [],
    }
    assert node('[[nodes]]\nname = "n"\nkind = "read_handbook"\nreads.path = "source"').args == {"root": "handbook"}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ('role = "writer", max_tokens = 9000', "argument 'max_tokens' must be at most 5000, not integer 9000"),
        ('role = "wirter"', "role 'wirter' is not in the registry, did you mean 'writer'? [unknown_role]"),
        ("max_tokens = 5", "kind 'triage.deep' requires argument 'role' [args_schema_violation]"),
        (
            'role = "writer", maxtokens = 5',
            "kind 'triage.deep' takes no argument 'maxtokens', did you mean 'max_tokens'?",
        ),
        ('role = "writer", tools = ["tool.grep", 3]', "argument 'tools.1' must be of type string, not integer 3"),
        ('role = "writer", tools = ["triage"]', "kind 'triage' is no tool, so nothing can hold it [kind_not_a_tool]"),
        (
            'role = "writer", tools = ["tool.gerp"]',
            "kind 'tool.gerp' is not in the registry, did you mean 'tool.grep'?",
        ),
    ],
)
def test_arguments_are_held_to_their_schema_and_their_names_are_found(args: str, expected: str) -> None:
    found = faults(
        '[state]\nticket = "Ticket"\n[[nodes]]\nname = "n"\nkind = "triage.deep"\n'
        f'args = {{ {args} }}\nreads.tickets = "[ticket]"'
    )
    assert len(found) == 1
    assert found[0].partition(": ")[2].startswith(expected)


def test_a_pinned_argument_cannot_be_set() -> None:
    text = '[[nodes]]\nname = "n"\nkind = "read_handbook"\nargs = { root = "secrets" }\nreads.path = "goal"'
    found = graph(text)
    assert said(found.findings, found.texts) == [
        "graph.toml:4:10: argument 'root' of 'read_handbook' is pinned by the registry [arg_is_pinned]"
    ]
    assert found.findings[0].related[0].place.document == "registry.toml"
    assert found.nodes["n"].args == {"root": "handbook"}


def test_a_node_may_do_what_the_kinds_it_holds_may() -> None:
    found = node(
        '[[nodes]]\nname = "n"\nkind = "triage.deep"\nreads.tickets = "[ticket]"\n'
        'args = { role = "writer", tools = ["tool.grep", "read_handbook"] }'
    )
    assert [offer.name for offer in found.held] == ["read_handbook", "tool.grep"]
    assert found.capabilities == ("model", "read_files")
    assert found.roles == ("writer",)


@pytest.mark.parametrize(
    ("path", "normal"), [("docs", "docs"), ("./docs//a/.", "docs/a"), (".", "."), ("", "."), ("a/", "a")]
)
def test_workspace_paths_are_normal_before_anyone_judges_them(path: str, normal: str) -> None:
    written = f'name = "n"\nkind = "tool.read_file"\nargs.root = "{path}"\nreads.path = "source"'
    texts = {**SHELF, "graph.toml": f'state.source = "string"\n[[nodes]]\n{written}'}
    assert linked(texts).nodes["n"].args == {"root": normal}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/etc", "absolute_workspace_path"),
        ("..", "workspace_path_leads_out"),
        ("a/../../b", "workspace_path_leads_out"),
        ("a/..", "workspace_path_leads_out"),
        ("a\\\\..\\\\b", "workspace_path_not_portable"),
        ("C:/x", "workspace_path_not_portable"),
        ("a\\u0000b", "workspace_path_not_portable"),
    ],
)
@pytest.mark.parametrize("how", ['args.root = "{}"\nreads.path = "goal"', "reads.path = \"'{}'\""])
def test_a_path_out_of_the_workspace_is_refused_as_argument_and_as_constant_input(
    path: str, code: str, how: str
) -> None:
    written = how.format(path.replace("\\", "\\\\") if "'" in how else path)
    texts = {**SHELF, "graph.toml": f'state.goal = "string"\n[[nodes]]\nname = "n"\nkind = "tool.read_file"\n{written}'}
    assert [finding.code for finding in linked(texts).findings] == [code]


def test_the_holes_of_a_template_are_input_ports() -> None:
    found = node(
        '[[nodes]]\nname = "n"\nkind = "model.call"\nreads = { claim = "claims[0]" }\n'
        'args = { role = "writer", prompt = "Of {source}: {claim.text} {{no port}} {claim.citation}" }'
    )
    assert {read.port: read.expression.text for read in found.reads} == {"source": "source", "claim": "claims[0]"}
    assert [str(path) for path in (template.path for template in found.templates)] == ["('prompt',)"]
    assert [hole.port for hole in found.templates[0].template.holes] == ["source", "claim", "claim"]


@pytest.mark.parametrize(
    ("prompt", "fault"),
    [
        (
            "Sum {sorce}",
            "5:41: input port 'sorce' of 'model.call' is bound to nothing: no field has its name, did you mean",
        ),
        ("Sum {claim.txt}", "5:48: 'claim' is Claim, which has no field 'txt', did you mean 'text'? [unknown_member]"),
        ("Sum {source.text}", "5:49: 'source' is string, which has no fields [no_members]"),
        ("Sum {}", "5:41: '{}' names no port [malformed_hole]"),
        ("Sum {a", "5:41: this brace has no other half [unmatched_brace]"),
    ],
)
def test_a_hole_that_names_nothing_is_told_within_the_template(prompt: str, fault: str) -> None:
    found = faults(
        f'state = {{ source = "string", claim = "Claim" }}\n[[nodes]]\nname = "n"\nkind = "model.call"\n'
        f'args = {{ role = "writer", prompt = "{prompt}" }}'
    )
    assert len(found) == 1
    assert found[0].startswith(fault.partition(" [")[0])


def test_a_prompt_may_stand_in_a_file_and_its_faults_are_told_where_it_is_named() -> None:
    text = PROMPT_IN.format(file="prompts/sum.md")
    found = graph(text, prompts__sum="\ufeffSum up\r\n{source}.")
    assert found.findings == ()
    assert found.nodes["n"].args["prompt"] == "Sum up\r\n{source}."
    assert found.files == {"prompts/sum.md": "Sum up\r\n{source}."}
    assert faults(text, prompts__sum="Sum up\n  {so urce} SECRET") == [
        "5:45: line 2, column 3 of 'prompts/sum.md' has braces that name no port [malformed_hole]"
    ]
    assert faults(text, prompts__sum="{other}") == [
        "5:45: input port 'other' of 'model.call' is bound to nothing: no field has its name [unbound_port]"
    ]


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ("../../etc/passwd", "5:44: '../../etc/passwd' leads out of the project [document_outside_project]"),
        ("/etc/passwd", "5:44: '/etc/passwd' leads out of the project [document_outside_project]"),
        ("none.md", "5:44: 'none.md' cannot be read: no such file [document_unreadable]"),
        ("latin.md", "5:44: 'latin.md' cannot be read: it is no UTF-8 text [document_unreadable]"),
    ],
)
def test_a_file_that_is_not_the_projects_text_is_refused(file: str, fault: str) -> None:
    text = PROMPT_IN.format(file=file)
    found = faults(text, latin="caf\udce9")
    assert [line.partition(": ")[2] for line in found] == [fault.partition(": ")[2]]


def test_a_file_stands_only_where_a_template_may() -> None:
    found = faults('[[nodes]]\nname = "n"\nkind = "model.call"\nargs = { role = { file = "a.md" }, prompt = "x" }')
    assert [line.rpartition("[")[2] for line in found] == ["args_schema_violation]"]


def test_a_pinned_prompt_asks_its_nodes_for_ports() -> None:
    registry = """
[[use]]
kind = "model.call"
as = "summarise"
args = { role = "writer", prompt = { file = "pinned.md" } }
[models]
writer = "openai/gpt-4o-mini"
"""
    texts = {**SHELF, "registry.toml": registry, "pinned.md": "Sum up {source}"}
    text = '[state]\n{} = "string"\n[[nodes]]\nname = "n"\nkind = "summarise"'
    found = linked({**texts, "graph.toml": text.format("source")})
    assert found.findings == ()
    assert found.nodes["n"].args["prompt"] == "Sum up {source}"
    assert found.nodes["n"].roles == ("writer",)
    assert [read.port for read in found.nodes["n"].reads] == ["source"]
    assert said((lost := linked({**texts, "graph.toml": text.format("other")})).findings, lost.texts) == [
        "graph.toml:5:8: input port 'source' of 'summarise' is bound to nothing: no field has its name [unbound_port]"
    ]
