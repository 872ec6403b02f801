"""The gate in real git repositories: what it says, and when it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mermaidx
import pytest

from tests.gate.conftest import GRAPH, POLICY, PROJECT, REGISTRY, SAVING, Repository, changes, codes
from tests.reports.test_formats import check_sarif


def said(found: list[dict[str, Any]], category: str = "authority") -> list[str]:
    return [f"{one['document']}: {one['direction']}: {one['message']}" for one in found if one["category"] == category]


def test_nothing_changed(repository: Repository) -> None:
    ran = repository.gate()
    assert (ran.exit, ran.out) == (
        0,
        f"gate: HEAD ({repository.git('rev-parse', 'HEAD')[:10]}) -> the working tree\n\n"
        "passes: 0 changes in 1 graph\n",
    )


def test_a_widening_of_authority_fails_with_the_way_that_proves_it(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    ran = repository.gate("--base", "main")
    assert ran.exit == 1
    assert "+ widens       control.set can now reach tool.write_file by draft -> apply" in ran.out
    assert (
        "+ widens       data labelled 'untrusted' can now reach tool.write_file by question -> draft -> text -> apply"
        in ran.out
    )
    assert ran.out.splitlines()[-1].startswith("fails: ")
    assert codes(repository) == ["unapproved_change"]


def test_narrowing_passes_and_each_side_may_be_a_commit(repository: Repository) -> None:
    repository.commit({"graphs/answer.toml": SAVING})
    assert repository.gate("--base", "HEAD~1", "--head", "HEAD").exit == 1
    back = changes(repository, "--base", "HEAD", "--head", "HEAD~1")
    assert {one["direction"] for one in back if one["category"] == "authority"} == {"narrows"}
    assert repository.gate("--base", "HEAD", "--head", "HEAD~1").exit == 0


@pytest.mark.parametrize(
    ("words", "exit_code"),
    [
        (("topology",), 1),
        (("cost",), 1),
        (("state",), 0),
        (("nothing",), 0),
        (("cost:narrows", "state"), 0),
        (("any",), 1),
    ],
)
def test_what_fails_is_chosen(repository: Repository, words: tuple[str, ...], exit_code: int) -> None:
    longer = (
        GRAPH.replace('"draft", "__end__"', '"draft", "stop", "__end__"')
        + '[[nodes]]\nname = "stop"\nkind = "control.pass"\n'
    )
    repository.write({"graphs/answer.toml": longer})
    options = [option for word in words for option in ("--fail-on", word)]
    assert repository.gate(*options).exit == exit_code


def test_words_of_fail_on_that_are_none_are_told(repository: Repository) -> None:
    ran = repository.gate("--fail-on", "authorty")
    assert (ran.exit, "did you mean 'authority'?" in ran.err) == (2, True)
    assert "there is no direction 'wider'" in repository.gate("--fail-on", "cost:wider").err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("-x", "'-x' can name no commit"),
        ("--output=/tmp/x", "can name no commit"),
        ("nowhere", "'nowhere' names no commit of this repository"),
        ("HEAD:graphs", "names no commit"),
        ("main\n--all", "can name no commit"),
        ("", "can name no commit"),
        ("./nowhere", "'./nowhere' is no folder"),
    ],
)
def test_a_name_that_is_no_commit_is_told_and_is_never_an_option(repository: Repository, name: str, words: str) -> None:
    ran = repository.gate(f"--base={name}")
    assert (ran.exit, words in ran.err) == (2, True), ran.err


def test_a_folder_cannot_pass_for_a_branch(repository: Repository) -> None:
    repository.write({"release/grapharc.toml": PROJECT})
    ran = repository.gate("--base", "release")
    assert (ran.exit, "a folder is written './FOLDER'" in ran.err) == (2, True)
    assert repository.gate("--base", "./release").exit == 1


def test_two_folders_need_no_git(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, graph in (("old", GRAPH), ("new", SAVING)):
        repository.write(
            {
                f"../{name}/{path}": text
                for path, text in (
                    ("grapharc.toml", PROJECT),
                    ("registry.toml", REGISTRY),
                    ("policy.toml", POLICY),
                    ("graphs/answer.toml", graph),
                )
            }
        )
    monkeypatch.chdir(tmp_path)
    ran = repository.gate("--base", "./old", "--head", "./new")
    assert (ran.exit, "control.set can now reach tool.write_file by draft -> apply" in ran.out) == (1, True)
    assert repository.gate("--base", "./old", "--head", "./old").exit == 0
    assert repository.gate("--base", "HEAD").exit == 2


def test_a_commit_is_read_without_opening_a_file_of_the_working_tree(repository: Repository) -> None:
    repository.commit({"graphs/answer.toml": SAVING})
    repository.write({"graphs/answer.toml": "what is this", "policy.toml": "neither", "registry.toml": "nor"})
    assert repository.gate("--base", "HEAD~1", "--head", "HEAD").exit == 1
    assert codes(repository, "--base", "HEAD~1", "--head", "HEAD") == ["unapproved_change"]


def test_a_commit_without_the_replies_of_a_mock_is_told(repository: Repository) -> None:
    repository.write({"registry.toml": f'{REGISTRY}[models]\nwriter = "mock/replies.json"\n'})
    repository.commit({})
    repository.write({"answers/replies.json": "[]"})
    (repository.folder / "replies.json").symlink_to("answers/replies.json")
    assert repository.gate("--base", "HEAD").exit == 1
    repository.commit({})
    assert "'replies.json' cannot be read: it is not there" in repository.gate("--base", "HEAD", "--head", "HEAD~1").out
    assert repository.gate("--base", "HEAD", "--head", "HEAD").exit == 0


def test_new_gone_and_moved_graphs(repository: Repository) -> None:
    repository.commit({"graphs/old/saving.toml": SAVING.replace('"answer"', '"saving"')})
    repository.write(
        {
            "graphs/answer.toml": None,
            "graphs/old/saving.toml": None,
            "graphs/saving.toml": SAVING.replace('"answer"', '"saving"'),
            "graphs/more.toml": GRAPH.replace('"answer"', '"more"')
            .replace('"draft"', '"think"')
            .replace("question", "wish"),
        }
    )
    topology = said(changes(repository), "topology")
    assert "graphs/answer.toml: narrows: the graph is gone" in topology
    assert "graphs/more.toml: widens: the graph is new" in topology
    assert "graphs/saving.toml: neutral: the graph stood in graphs/old/saving.toml" in topology


def test_a_renamed_node_is_no_new_one(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": GRAPH.replace('"draft"', '"think"')})
    found = changes(repository)
    assert said(found, "topology") == ["graphs/answer.toml: neutral: node 'draft' is called 'think' now"]
    assert repository.gate().exit == 0
    graph = repository.gate("--json").json["compared"][0]
    assert (graph["renamed"], graph["can_resume"]) == ({"draft": "think"}, False)


def test_whether_a_session_may_go_on_is_told(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": GRAPH.replace('"question" }', "\"question + '!'\" }")})
    graph = repository.gate("--json").json["compared"][0]
    assert (graph["can_resume"], graph["obstacles"]) == (True, [])


def test_a_change_of_the_policy_alone_is_told_with_the_graphs_that_feel_it(repository: Repository) -> None:
    looking = SAVING.replace(
        'kind = "control.set"\nreads = { value = "question" }\nwrites = { result = "text" }',
        'kind = "tool.read_file"\nreads = { path = "question" }',
    )
    repository.commit({"graphs/looking.toml": looking.replace('"answer"', '"looking"')})
    repository.write({"policy.toml": POLICY.replace('"deny"', '"allow"')})
    found = changes(repository)
    rule = next(one for one in found if one["what"] == "rule")
    assert (rule["document"], rule["category"], rule["direction"], rule["graphs"]) == (
        "policy.toml",
        "authority",
        "widens",
        ["graphs/looking.toml"],
    )
    assert said(found)[1:] == [
        "graphs/looking.toml: widens: the graph is admitted, and was refused: edge_denied",
        "graphs/looking.toml: widens: edge tool.read_file -> tool.write_file is allow now, and was deny, "
        "for draft -> apply: rule 'no-shell-after-files' of policy 'house' said 'deny'",
    ]
    assert repository.gate().exit == 1


def test_a_stricter_policy_narrows_and_passes(repository: Repository) -> None:
    more = '\n[[rule]]\nid = "no-files"\neffect = "deny"\nresource = "node"\nmatch = "tool.*"\n'
    repository.write({"policy.toml": POLICY + more})
    assert [line for line in said(changes(repository)) if "widens" in line] == []
    assert repository.gate().exit == 0


def test_leaving_a_policy_out_widens(repository: Repository) -> None:
    repository.write({"grapharc.toml": PROJECT.replace('policy = ["policy.toml"]\n', "")})
    assert "policy.toml: widens: policy 'house' no longer holds" in said(changes(repository))


def test_a_change_of_the_registry_alone(repository: Repository) -> None:
    pinned = REGISTRY.replace('kind = "tool.*"', 'kind = "tool.write_file"\nargs = { root = "reports" }')
    repository.commit({"registry.toml": pinned, "graphs/answer.toml": SAVING})
    repository.write({"registry.toml": pinned.replace('\nargs = { root = "reports" }', "")})
    found = changes(repository)
    lost = "argument 'root' of kind 'tool.write_file' is no longer pinned, and was pinned to reports"
    assert f"registry.toml: widens: {lost}" in said(found)
    repository.write({"registry.toml": pinned.replace('"reports"', '"reports/today"')})
    assert repository.gate().exit == 0


def test_a_capability_that_a_registry_no_longer_states_opens_no_door(repository: Repository) -> None:
    manifest = '[[kind]]\nname = "send"\nentry = "send.py:send"\ncapabilities = [{}]\n'
    files: dict[str, str | None] = {
        "registry.toml": REGISTRY + '[[use]]\nfrom = "kinds/send.toml"\nkind = "send"\n',
        "policy.toml": 'default = "allow"\n[[rule]]\nid = "offline"\neffect = "deny"\nresource = "node"\n'
        'match = "capability:network"\n',
        "kinds/send.toml": manifest.format('"network"'),
        "graphs/answer.toml": GRAPH.replace("control.set", "send")
        .replace('reads = { value = "question" }\nwrites = { result = "text" }', "")
        .replace("output = true", 'default = ""'),
    }
    repository.commit(files)
    repository.write({"kinds/send.toml": manifest.format("")})
    lines = said(changes(repository))
    assert "graphs/answer.toml: widens: the graph is admitted, and was refused: node_denied" in lines
    assert any("node send is allow now, and was deny" in line for line in lines), lines


def test_the_graphs_of_either_project_document_are_compared(repository: Repository) -> None:
    repository.write(
        {"grapharc.toml": PROJECT.replace("graphs/**/*.toml", "none/*.toml"), "graphs/answer.toml": SAVING}
    )
    assert repository.gate().exit == 1


def test_a_broken_head_fails_and_a_broken_base_makes_everything_new(repository: Repository) -> None:
    broken = GRAPH.replace('"__start__", "draft"', '"__start__", "darft"')
    repository.commit({"graphs/answer.toml": broken})
    assert "unknown_edge_endpoint" in codes(repository, "--base", "HEAD~1", "--head", "HEAD")
    assert repository.gate("--base", "HEAD~1", "--head", "HEAD").exit == 1
    mended = changes(repository, "--base", "HEAD", "--head", "HEAD~1")
    assert any("the graph is admitted, and was refused" in line for line in said(mended))
    assert repository.gate("--base", "HEAD", "--head", "HEAD~1").exit == 1
    repository.write({"graphs/answer.toml": "[[nodes]\n"})
    assert "the graph is new" not in repository.gate().out
    assert repository.gate().exit == 1


def test_hostile_names_are_files_like_any_other(repository: Repository) -> None:
    names = [
        "graphs/a b.toml",
        "graphs/größe.toml",
        "graphs/-x.toml",
        "graphs/#%41.toml",
        "graphs/$(id).toml",
        "graphs/a'b.toml",
    ]
    repository.commit({name: GRAPH.replace('"answer"', f'"n{number}"') for number, name in enumerate(names)})
    repository.write({name: SAVING.replace('"answer"', f'"n{number}"') for number, name in enumerate(names)})
    found = {one["document"] for one in changes(repository) if one["what"] == "capability"}
    assert found == set(names)
    repository.git("branch", "feature/größe")
    assert repository.gate("--base", "feature/größe").exit == 1


def test_links_and_submodules(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text(SAVING, "utf-8")
    (repository.folder / "graphs" / "linked.toml").symlink_to("answer.toml")
    (repository.folder / "graphs" / "outside.toml").symlink_to(tmp_path / "outside.toml")
    (repository.folder / "more").mkdir()
    (repository.folder / "more" / "deep.toml").write_text(GRAPH.replace('"answer"', '"deep"'), "utf-8")
    (repository.folder / "graphs" / "folder").symlink_to("../more")
    (repository.folder / "graphs" / "round").symlink_to("round")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},graphs/sub.toml")
    repository.git("add", "-A", "graphs/linked.toml", "graphs/outside.toml", "graphs/folder", "graphs/round", "more")
    repository.git("commit", "-q", "-m", "links")
    documents = [
        graph["document"] for graph in repository.gate("--base", "HEAD", "--head", "HEAD", "--json").json["compared"]
    ]
    assert documents == ["graphs/answer.toml", "graphs/folder/deep.toml", "graphs/linked.toml"]


def test_a_project_in_a_folder_of_its_repository(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"grapharc.toml": PROJECT, "registry.toml": REGISTRY, "policy.toml": POLICY, "graphs/answer.toml": GRAPH}
    repository.commit({f"apps/agents/{name}": text for name, text in files.items()})
    repository.write({"apps/agents/graphs/answer.toml": SAVING})
    monkeypatch.chdir(repository.folder / "apps" / "agents")
    assert {one["document"] for one in changes(repository)} == {"graphs/answer.toml"}
    monkeypatch.chdir(repository.folder)
    config = ("--config", "apps/agents/grapharc.toml")
    assert {one["document"] for one in changes(repository, *config)} == {"graphs/answer.toml"}


def test_only_what_was_named_is_compared(repository: Repository) -> None:
    repository.commit({"graphs/other/two.toml": GRAPH.replace('"answer"', '"two"')})
    repository.write({"graphs/answer.toml": SAVING, "graphs/other/two.toml": SAVING.replace('"answer"', '"two"')})
    assert {one["document"] for one in changes(repository, "graphs/answer.toml")} == {"graphs/answer.toml"}
    assert {one["document"] for one in changes(repository, "graphs/other")} == {"graphs/other/two.toml"}
    assert repository.gate("graphs/nowhere.toml").exit == 2


def test_tenants_are_told_apart(repository: Repository) -> None:
    rule = '[[rule]]\nid = "files"\neffect = "deny"\nresource = "node"\nmatch = "tool.*"\ntenant = "acme"\n'
    policy = f'default = "allow"\ntenants = ["acme", "other"]\n{rule}'
    repository.commit({"policy.toml": policy, "graphs/answer.toml": SAVING})
    repository.write({"policy.toml": policy.replace('tenant = "acme"', 'tenant = "other"')})
    found = {(one["direction"], tuple(one["tenants"])) for one in changes(repository) if one["what"] == "verdict"}
    assert found == {("widens", ("acme",)), ("narrows", ("other",))}


def test_before_the_first_commit_there_is_nothing_to_compare_with(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "fresh")
    ran = repository.gate()
    assert (ran.exit, "this repository has no commit yet" in ran.err) == (2, True)


def test_the_comment_says_what_needs_consent_and_draws_the_change(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING.replace('name = "answer"', 'name = "@all <b>|`x`"')})
    comment = repository.gate("--format", "markdown").out
    assert comment.startswith("<!-- grapharc gate -->\n### ❌ grapharc gate fails\n")
    assert (
        "| `+` | graphs/answer&#46;toml | the graph can now touch 'write&#95;files', in node 'apply' | `sha256:"
        in comment
    )
    assert "```mermaid\n" in comment
    assert "+ added" in comment
    assert "&#64;all &#60;b>&#124;&#96;x&#96;" in comment
    assert "@all" not in comment.replace('title: "@all', "")


def test_formats_go_to_files_as_well(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    ran = repository.gate("--output", "markdown=../comment.md", "--output", "json=../gate.json")
    assert ran.out.startswith("gate: HEAD")
    assert (repository.folder / "../comment.md").read_text("utf-8").startswith("<!-- grapharc gate -->")
    assert repository.gate("--output", "svg=x").exit == 2


def test_sarif_is_what_code_scanning_takes(repository: Repository, conformance: Path) -> None:
    repository.write({"graphs/answer.toml": SAVING})
    run = check_sarif(repository.gate("--format", "sarif").out, conformance)
    assert {result["ruleId"] for result in run["results"]} == {"unapproved_change"}
    assert repository.gate("--format", "github").out.startswith("::error file=graphs/answer.toml")


def test_real_mermaid_draws_the_change(repository: Repository) -> None:
    repository.write({"graphs/answer.toml": SAVING.replace('"draft"', '"think"')})
    comment = repository.gate("--format", "markdown").out
    chart = comment.partition("```mermaid\n")[2].partition("\n```")[0]
    assert "<svg" in str(mermaidx.render(chart).svg())


def test_the_same_bytes_whoever_asks(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write({"graphs/answer.toml": SAVING, "policy.toml": POLICY.replace("deny", "ask")})
    told = {form: repository.gate("--format", form).out for form in ("text", "markdown", "json")}
    monkeypatch.chdir(repository.folder / "graphs")
    config = ("--config", "../grapharc.toml")
    assert {form: repository.gate(*config, "--format", form).out for form in told} == told
