"""Ways to widen what a project may do past the gate as it is by default: each is told, and fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.conftest import POLICY, Repository

PROJECT = """
[grapharc]
registry = "registry.toml"
policy = ["policy.toml"]
graphs = ["graphs/*.toml"]
workspace = "work"
"""
USE = '[[use]]\nfrom = "own.toml"\nkind = "{}"\n'
REGISTRY = f"""
[[use]]
kind = "model.call"
{USE.format("own.fetch")}
{USE.format("own.scrub")}endorses = ["private"]
{USE.format("own.look")}
[models]
near = "mock/replies.json"
far = "anthropic/some-model"
"""
MANIFEST = """
[[kind]]
name = "own.fetch"
entry = "own.py:fetch"
capabilities = ["network"]
reads = { url = "string" }
writes = { text = "string" }
args = { type = "object", additionalProperties = false, properties.host = { enum = ["a.example"] } }
[[kind]]
name = "own.scrub"
entry = "own.py:scrub"
capabilities = []
endorses = ["private"]
reads = { text = "string" }
writes = { text = "string" }
[[kind]]
name = "own.look"
entry = "own.py:look"
capabilities = ["read_files"]
reads = { path = { type = "string", format = "workspace-path" } }
writes = { text = "string" }
[kind.args]
type = "object"
additionalProperties = false
properties.folder = { type = "string", format = "workspace-path" }
"""
CALL = '[[nodes]]\nname = "{}"\nkind = "model.call"\nargs = {{ role = "{}", prompt = "{}", max_tokens = 5 }}\n{}\n'
GRAPH = """
name = "answer"
[state]
url = { type = "string", input = true }
page = { type = "string", labels = ["private"] }
clean = "string"
file = "string"
one = { type = "string", output = true }
other = { type = "string", output = true }
[[nodes]]
name = "fetch"
kind = "own.fetch"
writes = { text = "page" }
[[nodes]]
name = "scrub"
kind = "own.scrub"
reads = { text = "page" }
writes = { text = "clean" }
[[nodes]]
name = "look"
kind = "own.look"
args = { folder = "handbook" }
reads = { path = "'handbook/index.md'" }
writes = { text = "file" }
[[edges]]
chain = ["__start__", "fetch", "scrub", "look", "near", "far", "__end__"]
""" + (
    CALL.format("near", "near", "{clean}", 'writes = { text = "one" }')
    + CALL.format("far", "far", "{file}", 'writes = { text = "other" }')
)
FILES: dict[str, str | None] = {
    "grapharc.toml": PROJECT,
    "registry.toml": REGISTRY,
    "policy.toml": POLICY,
    "own.toml": MANIFEST,
    "replies.json": "[]",
    "work/handbook/index.md": "",
    "graphs/answer.toml": GRAPH,
}

WAYS: list[tuple[str, dict[str, tuple[str, str]], str]] = [
    (
        "the workspace goes up",
        {"grapharc.toml": ('"work"', '"work/.."')},
        "~ incomparable kinds now touch the folder 'work/..', and touched 'work'",
    ),
    (
        "a folder is left out",
        {"graphs/answer.toml": ('args = { folder = "handbook" }', "")},
        "+ widens       argument 'folder' of 'look', a own.look, is no longer handbook",
    ),
    (
        "another file is read",
        {"graphs/answer.toml": ("'handbook/index.md'", "'wages.md'")},
        "~ incomparable port 'path' of 'look', a own.look, is 'wages.md', and was 'handbook/index.md'",
    ),
    (
        "another model sees it",
        {"graphs/answer.toml": ('role = "near"', 'role = "far"')},
        "~ incomparable argument 'role' of 'near', a model.call, is far, and was near",
    ),
    (
        "the same data stands in another field, without its label",
        {"graphs/answer.toml": ('page = { type = "string", labels = ["private"] }', 'page2 = "string"')},
        "+ widens       port 'fetch.text' no longer labels what is written 'private'",
    ),
    (
        "arguments of a kind with effects are held to less",
        {"own.toml": ('{ enum = ["a.example"] }', '{ type = "string" }')},
        "~ incomparable kind 'own.fetch' holds the strings or arguments of its nodes to something else",
    ),
    (
        "a path is an argument like any other",
        {"own.toml": ('properties.folder = { type = "string", format = "workspace-path" }', "properties.folder = {}")},
        "~ incomparable kind 'own.look' holds the strings or arguments of its nodes to something else",
    ),
    (
        "a path is a port like any other",
        {"own.toml": ('{ path = { type = "string", format = "workspace-path" } }', '{ path = "string" }')},
        "~ incomparable kind 'own.look' holds the strings or arguments of its nodes to something else",
    ),
    (
        "a graph is looked at no more",
        {"grapharc.toml": ('["graphs/*.toml"]', '["others/*.toml"]')},
        "+ widens       the project no longer names graph graphs/answer.toml, which is still there: "
        "nobody checks or compares it any more",
    ),
]


@pytest.mark.parametrize(("changes", "told"), [row[1:] for row in WAYS], ids=[row[0] for row in WAYS])
def test_a_way_to_do_more_is_told_and_fails(
    changes: dict[str, tuple[str, str]], told: str, repository: Repository
) -> None:
    repository.commit(FILES)
    for name, (old, new) in changes.items():
        text = FILES[name]
        assert text is not None
        assert old in text
        changed = text.replace(old, new).replace('"page"', '"page2"') if "page2" in new else text.replace(old, new)
        repository.write({name: changed})
    ran = repository.gate()
    assert (ran.exit, ran.err) == (1, "")
    assert told in ran.out
    head = repository.commit({})
    assert told in repository.gate("--base", "HEAD~1", "--head", head).out


def test_a_role_that_is_only_called_otherwise_is_the_same_model(repository: Repository) -> None:
    repository.commit(FILES | {"registry.toml": REGISTRY + 'close = "mock/replies.json"\n'})
    repository.write({"graphs/answer.toml": GRAPH.replace('role = "near"', 'role = "close"')})
    assert repository.gate().exit == 0


@pytest.mark.parametrize("target", ["handbook", "/"])
def test_a_workspace_that_is_a_link_elsewhere_is_another(target: str, repository: Repository) -> None:
    repository.commit(FILES | {"handbook/index.md": ""})
    repository.write({"work/handbook/index.md": None})
    (repository.folder / "work" / "handbook").rmdir()
    (repository.folder / "work").rmdir()
    (repository.folder / "work").symlink_to(target)
    ran = repository.gate()
    assert ran.exit == 1
    assert "~ incomparable kinds now touch the folder " in ran.out
    repository.commit({})
    assert repository.gate("--base", "HEAD~1", "--head", "HEAD").out.count("kinds now touch the folder") == 1


def test_a_path_that_is_no_utf_8_is_a_path(repository: Repository) -> None:
    repository.commit(FILES)
    name = b"graphs/n\xff.toml".decode("utf-8", "surrogateescape")
    try:
        repository.write({name: GRAPH.replace('"answer"', '"second"')})
    except OSError:
        pytest.skip("this file system has no such names")
    assert Path(repository.folder / name).exists()
    for form in ("text", "json", "markdown", "sarif", "github", "junit"):
        assert repository.gate("--format", form).exit == 1


def test_what_excludes_a_commit_names_none(repository: Repository) -> None:
    repository.commit(FILES)
    assert "names no commit" in repository.gate("--base", "^HEAD").err
