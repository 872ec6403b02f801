"""Registry selections: what is offered under which name, by whose word, and what is said of a faulty one."""

from __future__ import annotations

import pytest

from grapharc.spec.canonical import digest
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.meaning import registry_meaning
from grapharc.spec.offers import Price, Registry
from tests.linking.project import opened, said
from tests.linking.shelf import SHELF


def registry(text: str, **others: str) -> Registry:
    return opened({**SHELF, "registry.toml": text, **{f"{name}.toml": other for name, other in others.items()}})


def faults(text: str, **others: str) -> list[str]:
    found = registry(text, **others)
    return said(found.findings, found.texts)


def test_without_a_selection_every_shipped_kind_is_offered() -> None:
    found = opened(SHELF)
    assert list(found.offers) == ["control.set", "model.call", "tool.grep", "tool.read_file", "verify.anchor"]
    assert found.findings == ()
    assert found.offers["tool.grep"].place.document == "shipped/kinds.toml"


def test_a_glob_takes_kinds_and_an_exact_use_takes_its_kind_out_of_every_glob() -> None:
    found = registry("""
[[use]]
kind = "tool.*"
[[use]]
kind = "tool.read_file"
as = "read_handbook"
args = { root = "./handbook//pages" }
""")
    assert found.findings == ()
    assert list(found.offers) == ["read_handbook", "tool.grep"]
    assert found.offers["read_handbook"].kind.name == "tool.read_file"
    assert found.offers["read_handbook"].pins == {"root": "handbook/pages"}


def test_a_kind_may_be_offered_under_two_aliases() -> None:
    found = registry("""
[[use]]
kind = "tool.read_file"
as = "read_handbook"
[[use]]
kind = "tool.read_file"
as = "read_notes"
""")
    assert found.findings == ()
    assert list(found.offers) == ["read_handbook", "read_notes"]


def test_globs_that_overlap_are_told_once_for_each_other_use() -> None:
    assert faults("""
[[use]]
kind = "tool.*"
[[use]]
kind = "*"
[[use]]
kind = "control.*"
""") == [
        "registry.toml:5:8: 'tool.grep' is offered by another use already [kind_offered_twice]",
        "registry.toml:7:8: 'control.set' is offered by another use already [kind_offered_twice]",
    ]


def test_an_own_kind_may_not_take_a_shipped_name() -> None:
    assert faults(
        """
[[use]]
kind = "tool.*"
[[use]]
from = "mine.toml"
kind = "*"
""",
        mine='[[kind]]\nname = "tool.grep"\nentry = "mine.py:grep"\ncapabilities = []\n',
    ) == ["registry.toml:6:8: 'tool.grep' is offered by another use already [kind_offered_twice]"]


def test_the_owner_beats_the_manifest_in_costs_and_adds_the_rest() -> None:
    found = registry("""
[[use]]
from = "kinds/triage.toml"
kind = "triage"
version = "3"
cost = { tokens = 800, seconds = "timeout_seconds" }
capabilities = ["network"]
labels = ["reviewed"]
endorses = ["untrusted"]
""")
    offer = found.offers["triage"]
    assert found.findings == ()
    assert offer.capabilities == ("network",)
    assert offer.labels == ("internal", "reviewed")
    assert offer.endorses == ("untrusted",)
    assert offer.cost["tokens"] == 800
    assert isinstance(offer.cost["seconds"], Checked)
    assert offer.kind.cost == {"seconds": 2}


def test_an_own_kind_endorses_nothing_that_its_owner_does_not_repeat() -> None:
    found = registry('[[use]]\nfrom = "kinds/triage.toml"\nkind = "triage"\n[[use]]\nkind = "tool.read_file"')
    assert found.offers["triage"].endorses == ()
    assert found.offers["tool.read_file"].endorses == ("untrusted",)


def test_a_glob_over_an_own_manifest_repeats_an_endorsement_for_all_that_have_it() -> None:
    found = registry('[[use]]\nfrom = "kinds/triage.toml"\nkind = "*"\nendorses = ["untrusted"]')
    assert found.findings == ()
    assert found.offers["triage"].endorses == ("untrusted",)
    assert found.offers["triage.deep"].endorses == ()


@pytest.mark.parametrize(
    ("use", "fault"),
    [
        (
            'kind = "tool.raed_file"',
            "3:8: there is no kind 'tool.raed_file', did you mean 'tool.read_file'? [unknown_kind]",
        ),
        (
            'kind = "triagee"\nfrom = "kinds/triage.toml"',
            "3:8: there is no kind 'triagee' in 'kinds/triage.toml', did you mean 'triage'? [unknown_kind]",
        ),
        ('kind = "memory.*"', "3:8: pattern 'memory.*' takes no kind [use_takes_nothing]"),
        (
            'kind = "tool.{grep}"',
            "3:14: '{' in pattern 'tool.{grep}' can match nothing: only '*' and '?' stand for other characters"
            " [inert_pattern]",
        ),
        (
            'kind = "tool.*"\nas = "look"',
            "4:6: 'look' cannot be the name of all kinds that 'tool.*' takes [alias_of_many]",
        ),
        (
            'kind = "tool.grep"\nversion = "2"',
            "4:11: kind 'tool.grep' is version '1', and version '2' is asked for [kind_version_differs]",
        ),
        (
            'kind = "triage"\nfrom = "kinds/none.toml"',
            "4:8: 'kinds/none.toml' cannot be read: no such file [document_unreadable]",
        ),
        (
            'kind = "triage"\nfrom = "../kinds.toml"',
            "4:8: '../kinds.toml' leads out of the project [document_outside_project]",
        ),
        (
            'kind = "tool.read_file"\nendorses = ["untrusted", "untrustd"]',
            "4:26: kind 'tool.read_file' does not endorse 'untrustd', did you mean 'untrusted'?"
            " [endorsement_not_declared]",
        ),
        (
            'kind = "tool.grep"\ncapabilities = ["model"]',
            "3:8: kind 'tool.grep' can call a model and states no worst case in tokens [model_kind_without_tokens]",
        ),
        (
            'kind = "tool.grep"\ncost = { tokens = "args.max_tokens" }',
            "4:25: 'args' is a record of arguments, which has no field 'max_tokens' [unknown_member]",
        ),
        (
            'kind = "tool.read_file"\nargs = { rooot = "a" }',
            "4:10: kind 'tool.read_file' takes no argument 'rooot', did you mean 'root'? [args_schema_violation]",
        ),
        (
            'kind = "tool.read_file"\nargs = { root = 3 }',
            "4:17: argument 'root' must be of type string, not integer 3 [args_schema_violation]",
        ),
        (
            'kind = "tool.read_file"\nargs = { root = "../x" }',
            "4:17: '../x' has a step '..' [workspace_path_leads_out]",
        ),
        (
            'kind = "model.call"\nargs = { role = "writer" }',
            "4:17: role 'writer' is not in the registry [unknown_role]",
        ),
    ],
)
def test_a_faulty_use_is_told_where_it_is_wrong(use: str, fault: str) -> None:
    assert faults(f"\n[[use]]\n{use}\n") == [f"registry.toml:{fault}"]


def test_pins_are_checked_without_asking_for_the_arguments_that_graphs_give() -> None:
    found = registry("""
[[use]]
kind = "model.call"
args = { role = "writer", prompt = { file = "prompts/sum.md" } }
[models]
writer = "openai/gpt-4o-mini"
""")
    assert [finding.code for finding in found.findings] == ["document_unreadable"]
    assert found.findings[0].place.path == ("use", 0, "args", "prompt", "file")


def test_roles_are_texts_or_tables_and_a_mock_costs_nothing() -> None:
    found = opened(
        {
            "team/registry.toml": """
[[use]]
kind = "x.*"
""",
            **SHELF,
            "registry.toml": """
[[use]]
kind = "control.set"
[models]
writer = "openrouter/anthropic/claude-haiku-4.5"
reviewer = { spec = "openai/gpt-4o-mini", price = { input = 0.15, output = 0.60 }, max_tokens = 1024 }
tester = "mock/replies/one.json"
""",
        }
    )
    assert found.findings == ()
    assert found.roles["writer"].price is None
    assert found.roles["reviewer"].price == Price(0.15, 0.60)
    assert found.roles["reviewer"].max_tokens == 1024
    assert found.roles["tester"].file == "replies/one.json"
    assert found.roles["tester"].price == Price(0.0, 0.0)


BASE = """
version = "7"
[[use]]
kind = "tool.*"
[[use]]
kind = "tool.read_file"
as = "read_handbook"
args = { root = "handbook" }
labels = ["manual"]
[models]
writer = "openai/gpt-4o-mini"
reviewer = "openai/gpt-4o"
[state]
goal = "string"
notes = { type = "list[string]", default = [], reducer = "append", labels = ["untrusted"] }
"""


def test_an_environment_overrides_roles_and_pins_of_its_base_by_name() -> None:
    found = registry(
        """
name = "staging"
extends = "base.toml"
[[use]]
kind = "tool.read_file"
as = "read_handbook"
args = { root = "handbook/staging" }
[[use]]
kind = "control.set"
[models]
writer = "mock/replies.json"
""",
        base=BASE,
    )
    assert found.findings == ()
    assert list(found.offers) == ["control.set", "read_handbook", "tool.grep"]
    assert found.offers["read_handbook"].pins == {"root": "handbook/staging"}
    assert found.offers["read_handbook"].labels == ("manual",)
    assert {name: role.spec for name, role in found.roles.items()} == {
        "reviewer": "openai/gpt-4o",
        "writer": "mock/replies.json",
    }
    assert list(found.fields) == ["goal", "notes"]
    assert found.name == "staging"


def test_a_use_of_a_base_can_be_changed_by_its_alias_alone() -> None:
    found = registry('extends = "base.toml"\n[[use]]\nkind = "read_handbook"\nargs = { root = "b" }', base=BASE)
    assert found.findings == ()
    assert found.offers["read_handbook"].pins == {"root": "b"}


def test_no_label_of_a_shared_field_is_lost_by_declaring_it_again() -> None:
    found = registry(
        'extends = "base.toml"\n[[use]]\nkind = "control.set"\n'
        '[state]\nnotes = { type = "list[string]", output = true }',
        base=BASE,
    )
    notes = found.fields["notes"]
    assert found.findings == ()
    assert (notes.labels, notes.reducer, notes.default, notes.output) == (("untrusted",), "append", [], True)


def test_a_chain_of_registries_is_followed_and_a_circle_refused() -> None:
    chain = {
        "two": 'extends = "three.toml"\n[[use]]\nkind = "control.set"',
        "three": '[[use]]\nkind = "tool.grep"',
    }
    found = registry('extends = "two.toml"\n[[use]]\nkind = "model.call"', **chain)
    assert list(found.offers) == ["control.set", "model.call", "tool.grep"]
    circle = {**chain, "three": 'extends = "two.toml"\n[[use]]\nkind = "tool.grep"'}
    assert faults('extends = "two.toml"\n[[use]]\nkind = "model.call"', **circle) == [
        "three.toml:1:11: this registry extends itself: two.toml -> three.toml -> two.toml [extends_in_a_circle]"
    ]


def test_a_base_may_have_roles_alone() -> None:
    found = registry('extends = "base.toml"\n[[use]]\nkind = "tool.grep"', base='[models]\nwriter = "openai/x"\n')
    assert found.findings == ()
    assert list(found.roles) == ["writer"]


def test_a_backend_that_nobody_knows_is_told_where_a_shipped_kind_would_ask_it() -> None:
    roles = '[models]\nwriter = { price = { input = 1, output = 1 }, spec = "open-router/x/y" }\nfar = "acme/llm"\n'
    assert faults(f'[[use]]\nkind = "model.call"\n{roles}') == [
        "registry.toml:4:54: there is no backend 'open-router', did you mean 'openrouter'? [unknown_backend]",
        "registry.toml:5:7: there is no backend 'acme' [unknown_backend]",
    ]
    assert faults(f'[[use]]\nkind = "tool.*"\n[[use]]\nfrom = "kinds/triage.toml"\nkind = "*"\n{roles}') == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("secrets.toml", 'PASSWORD = "hunter2"\n'),
        (".env", "PASSWORD=hunter2\n"),
        ("use.txt", '[[use]]\nkind = "*"\n'),
        ("empty.toml", ""),
    ],
)
@pytest.mark.parametrize("how", ['extends = "{}"\n[[use]]\nkind = "tool.grep"', '[[use]]\nkind = "x"\nfrom = "{}"'])
def test_no_line_is_shown_of_a_file_that_is_none_of_our_documents(name: str, content: str, how: str) -> None:
    found = opened({**SHELF, "registry.toml": how.format(name), name: content})
    assert [(finding.code, finding.place.document) for finding in found.findings] == [
        ("unknown_document", "registry.toml")
    ]
    assert name not in found.texts


def test_shared_state_and_types_come_from_every_registry_of_the_chain() -> None:
    found = registry(
        """
extends = "base.toml"
[[use]]
from = "kinds/triage.toml"
kind = "triage"
[types.Note]
text = "string"
[state]
note = "Note"
ticket = "Ticket"
goal = "integer"
""",
        base=BASE,
    )
    assert said(found.findings, found.texts) == [
        "registry.toml:11:1: field 'goal' is of type 'integer' here and of type 'string' in the registry"
        " [field_type_conflict]"
    ]
    assert {"Note", "Ticket", "Claim"} <= found.types.keys()


def test_names_are_not_missed_where_what_would_offer_them_is_broken() -> None:
    found = registry('[[use]]\nfrom = "none.toml"\nkind = "mine.*"\n[models]\nwriter = 3\n[state]\ngoal = "strin"')
    assert [finding.code for finding in found.findings] == ["wrong_type", "document_unreadable", "unknown_type"]
    assert found.missing_offers == ("mine.*",)
    assert found.missing_roles == {"writer"}
    assert found.missing_fields == {"goal"}


def test_the_digest_of_a_registry_is_of_what_it_offers_and_not_of_how_that_is_spread_over_files() -> None:
    flat = registry('name = "a"\n[[use]]\nkind = "tool.grep"\n[models]\nwriter = "openai/x"')
    spread = registry(
        'name = "a"\nextends = "base.toml"\n[[use]]\nkind = "tool.grep"\ndescription = "finds"\n',
        base='[[use]]\nkind = "tool.grep"\n[models]\nwriter = "openai/x"',
    )
    assert spread.findings == ()
    assert digest(registry_meaning(flat)) == digest(registry_meaning(spread))
