"""What a careless or hostile hand gives a command: it is told, it widens nothing, and nothing foreign is shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GRAPH = """
[[nodes]]
name = "step"
kind = "control.pass"

[[edges]]
chain = ["__start__", "step", "__end__"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "graph.toml").write_text(GRAPH)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHARC_CACHE_DIR", str(tmp_path / "caches"))
    return folder


def test_no_ceiling_is_lifted_by_a_number_that_is_none(grapharc) -> None:
    ran = grapharc("check", "--max-seconds", "nan", "graph.toml")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith(
        "error: invalid value for '--max-seconds': 'nan' is no number from 0 to 1000000000000000\n"
    )


@pytest.mark.parametrize("flag", ["--config", "--registry", "--policy", "--tenant"])
def test_an_empty_flag_does_not_let_another_layer_decide(grapharc, flag: str) -> None:
    ran = grapharc("check", flag, "", "graph.toml")
    assert ran.exit == 2
    assert ran.err.startswith(f"error: {flag} is empty, but must name something\n")


def test_a_registry_that_is_named_as_a_policy_is_none(grapharc, here: Path) -> None:
    (here / "registry.toml").write_text('[[use]]\nkind = "*"\n')
    ran = grapharc("check", "--registry", "registry.toml", "--policy", "registry.toml", "graph.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[wrong_document]: a policy is needed here and this is a registry")


def test_a_project_document_that_is_a_way_out_is_told_as_one(grapharc, here: Path) -> None:
    (here.parent / "other.toml").write_text("[grapharc]\n")
    (here / "grapharc.toml").symlink_to(here.parent / "other.toml")
    ran = grapharc("check")
    assert ran.exit == 1
    assert ran.out.startswith("error[document_outside_project]: 'grapharc.toml' leads out of the project\n")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config", '[http "https://example.org"]\n\textraheader = AUTHORIZATION: basic hunter2\n'),
        ("passwords", "hunter2\nroot:hunter2:0:0\n"),
        ("secret.env", 'TOKEN=hunter2\nexport hunter2="hunter2\\q"\nN=0hunter2\n'),
        ("cluster.json", '{"kind": "Config", "users": [{"token": "hunter2"}], "name": hunter2}'),
    ],
)
def test_what_stands_in_a_foreign_file_is_not_repeated(grapharc, here: Path, name: str, content: str) -> None:
    (here / name).write_text(content)
    (here / "grapharc.toml").write_text(f'[grapharc]\nregistry = "{name}"\npolicy = ["{name}"]\ngraphs = ["{name}"]\n')
    for arguments in (("check",), ("check", name), ("check", "--registry", name, "graph.toml"), ("kinds",)):
        for more in ((), ("--json",)):
            ran = grapharc(*arguments, *more)
            assert ran.exit == 1
            assert "hunter2" not in ran.out + ran.err


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by a shell of this kind")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("arguments", "code"), [("check graph.toml", 0), ("check -", 1), ("check nope.toml", 2)])
def test_streams_that_the_caller_closed_are_not_missed(closed: str, arguments: str, code: int) -> None:
    command = f"'{sys.executable}' -m grapharc.cli {arguments} {closed}"
    ran = subprocess.run(
        ["/bin/sh", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code
    assert "Traceback" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("what", ["a file for a folder", "a link to nowhere", "a full disk"])
def test_a_project_is_written_whole_or_not_at_all(
    grapharc, here: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    new = here / "new"
    new.mkdir()
    if what == "a file for a folder":
        (new / "graphs").write_text("mine")
    elif what == "a link to nowhere":
        (new / "replies.json").symlink_to("nowhere")
    else:
        link, written = os.link, []

        def full(source: str, target: str) -> None:
            if len(written) == 2:
                raise OSError(28, "No space left on device", target)
            written.append(target)
            link(source, target)

        monkeypatch.setattr(os, "link", full)
    before = sorted(path.name for path in new.rglob("*") if not path.is_dir())
    assert grapharc("init", "new").exit == 2
    assert sorted(path.name for path in new.rglob("*") if not path.is_dir()) == before


@pytest.mark.parametrize("workspace", ["..", "/", "way_out"])
def test_a_project_document_cannot_hand_kinds_a_folder_beyond_the_project(grapharc, here: Path, workspace: str) -> None:
    (here / "way_out").symlink_to(here.parent)
    (here / "grapharc.toml").write_text(f'[grapharc]\nworkspace = "{workspace}"\n')
    for arguments in (("check",), ("check", "graph.toml"), ("run", "graph.toml")):
        ran = grapharc(*arguments)
        assert ran.exit == 1
        assert ran.out.startswith(f"error[document_outside_project]: '{workspace}' leads out of the project\n")
    assert not (here / ".grapharc").exists()


def test_a_faulty_policy_is_told_before_anyone_is_asked_for_whom_to_run(grapharc, here: Path) -> None:
    (here / "policy.toml").write_text('default = "allow"\ntenants = ["a", "b"]\n[limits]\nmax_node = 1\n')
    ran = grapharc("run", "--policy", "policy.toml", "graph.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[unknown_key]: unknown key 'max_node', did you mean 'max_nodes'?\n")
    (here / "policy.toml").write_text('default = "allow"\ntenants = ["a", "b"]\n')
    assert grapharc("run", "--policy", "policy.toml", "graph.toml").exit == 2


@pytest.mark.parametrize("rest", ["properties.p = false", "unevaluatedProperties = false", "maxProperties = 0"])
def test_arguments_that_misfit_as_a_whole_are_told_in_words(grapharc, here: Path, rest: str) -> None:
    (here / "kinds.toml").write_text(
        '[[kind]]\nname = "mine"\nentry = "own.py:run"\ncapabilities = []\n[kind.args]\ntype = "object"\n' + rest
    )
    (here / "registry.toml").write_text('[[use]]\nfrom = "kinds.toml"\nkind = "mine"\n')
    (here / "graph.toml").write_text(
        GRAPH.replace("control.pass", "mine").replace("[[edges]]", "args = { p = 1 }\n[[edges]]")
    )
    ran = grapharc("check", "--registry", "registry.toml", "graph.toml")
    assert ran.exit == 1
    assert ran.out.startswith("error[args_schema_violation]: the arguments must be ")


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_full_disk_behind_standard_output_ends_in_words(form: str, tmp_path: Path) -> None:
    """Not even JSON can say it there, so standard error does."""
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("there is no /dev/full here")
    (tmp_path / "graph.toml").write_text("nodes = []\n")
    command = [sys.executable, "-m", "grapharc.cli", "check", "graph.toml", "--no-cache", "--format", form]
    with full.open("w") as stdout:
        ran = subprocess.run(command, cwd=tmp_path, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "error: could not be used: no space left on device\n")
