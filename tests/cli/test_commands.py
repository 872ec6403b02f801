"""What every command owes: exit codes, suggestions, one JSON document, no traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grapharc.cli import explain
from grapharc.cli.commands import COMMANDS
from grapharc.cli.commands import grapharc as group
from grapharc.cli.policy import SUBCOMMANDS
from grapharc.cli.policy import command as policy
from grapharc.spec.reasons import reasons
from grapharc.spec.version import VERSION


def test_the_help_says_of_each_command_what_its_own_help_says() -> None:
    context = click.Context(group)
    for name, line in COMMANDS.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.help is not None
        assert command.help.splitlines()[0] == line
        for each in _with_all_in_it(command):
            assert any("--json" in parameter.opts for parameter in each.params), f"{each.name} lacks --json"


def _with_all_in_it(command: click.Command) -> Iterator[click.Command]:
    """A command, or where it is a group each that it holds."""
    if not isinstance(command, click.Group):
        yield command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        assert inner.help is not None
        yield inner


def test_the_help_of_the_commands_about_policies_says_what_their_own_help_says() -> None:
    context = click.Context(policy)
    for name, line in SUBCOMMANDS.items():
        command = policy.get_command(context, name)
        assert command is not None
        assert command.help is not None
        assert (command.name, command.help.splitlines()[0]) == (name, line)


def test_version_and_help_are_answers(grapharc) -> None:
    assert grapharc("--version").out == f"grapharc {VERSION}\n"
    ran = grapharc("--help")
    assert ran.exit == 0
    assert all(name in ran.out for name in COMMANDS)


def test_without_a_command_there_is_nothing_to_do(grapharc) -> None:
    ran = grapharc()
    assert ran.exit == 2
    assert ran.out == ""
    assert ran.err.startswith("Usage: grapharc")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explian"], "there is no command 'explian', did you mean 'explain'?"),
        (["explain", "--jsn"], "there is no option '--jsn', did you mean '--json'?"),
        (["explain", "node_denid"], "there is no code 'node_denid', did you mean 'node_denied'?"),
        (["explain", "a", "b"], "got unexpected extra argument (b)"),
        (["lint"], "there is no command 'lint', did you mean 'check'?"),
        (["approve"], "there is no command 'approve', did you mean 'gate approve'?"),
        (["zzzzzz"], "there is no command 'zzzzzz'"),
    ],
)
def test_what_makes_no_sense_is_said_and_is_2(grapharc, arguments: list[str], message: str) -> None:
    ran = grapharc(*arguments)
    assert ran.exit == 2
    assert ran.out == ""
    assert ran.err.splitlines()[0] == f"error: {message}"
    as_json = grapharc(*arguments, "--json")
    assert as_json.exit == 2
    assert as_json.err == ""
    assert as_json.json["exit"] == 2
    assert as_json.json["error"]["message"] == message


def test_the_catalogue_names_no_command_that_is_not_there() -> None:
    words = "\n".join(f"{each.message}\n{each.why}\n{each.remedy}" for each in reasons().values())
    named = set(re.findall(r"grapharc ([a-z]+)", words))
    assert len(named) > 3
    assert named <= set(COMMANDS)


def test_of_alternatives_a_page_says_that_there_is_one_of_them(grapharc) -> None:
    said = " ".join(grapharc("explain", "unregistered_node").out.split())
    assert "to the registry '{registry}' | none is named here, so write one and name it in {project_file}," in said
    assert "for a {nearest} | the nearest is a {nearest}," in " ".join(
        grapharc("explain", "unknown_document").out.split()
    )


def test_an_option_that_stands_too_early_is_told_where_it_stands(grapharc) -> None:
    for before in ([], ["policy"]):
        for command, meant in (("check", "check"), ("chekc", "COMMAND")):
            ran = grapharc(*before, "--json", command).json
            right = " ".join(["grapharc", *before, meant, "--json"])
            assert ran["exit"] == 2
            assert ran["error"]["hint"] == f"options stand behind the command that takes them: '{right}'"
    assert "'grapharc COMMAND --nosuch'" in grapharc("--nosuch", "check").err  # check does not take it either


def test_a_bug_of_ours_is_reported_as_one(grapharc, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(explain, "reasons", broken)
    ran = grapharc("explain")
    assert ran.exit == 3
    assert "this is a bug of GraphARC, not of your documents: ZeroDivisionError at grapharc/cli/explain.py:" in ran.err
    assert "Traceback" not in ran.err
    assert grapharc("explain", "--json").json["error"]["kind"] == "bug"
    monkeypatch.setenv("GRAPHARC_TRACEBACK", "1")
    assert "Traceback" in grapharc("explain").err


def test_an_interrupt_ends_in_one_word(grapharc, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(explain, "reasons", interrupted)
    ran = grapharc("explain")
    assert (ran.exit, ran.err) == (1, "error: interrupted\n")
    ran = grapharc("explain", "--json")
    assert (ran.exit, ran.json["error"]["kind"]) == (1, "interrupted")


def test_an_interrupt_that_comes_while_click_is_imported_ends_in_one_word(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", "utf-8")  # click as far as it is imported by then
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-m", "grapharc.cli", "explain"]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "error: interrupted\n")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    program = f"{sys.executable} -m grapharc.cli explain | head -c 5"
    ran = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert len(ran.stdout) == 5
    assert ran.stderr == ""


def test_colour_is_for_terminals_whose_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    from grapharc.cli.answer import has_colour

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colour(Terminal())
    assert not has_colour(StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(Terminal())


def test_explain_says_what_the_catalogue_says(grapharc) -> None:
    ran = grapharc("explain", "node_denied")
    assert ran.exit == 0
    assert ran.out.startswith("node_denied: error, authority (it may not run)\n")
    assert "refused:\n    kind =" in ran.out
    assert grapharc("explain", "node_denied", "--json").json["class"] == "authority"


def test_explain_lists_every_code(grapharc) -> None:
    from grapharc.spec.reasons import endings, reasons

    every = [*reasons(), *endings()]
    assert [line.split()[0] for line in grapharc("explain").out.splitlines()] == every
    assert [row["code"] for row in grapharc("explain", "--json").json["codes"]] == every


def test_explain_knows_what_ends_a_run(grapharc) -> None:
    ran = grapharc("explain", "approval_without_session")
    assert ran.exit == 0
    assert ran.out.startswith("approval_without_session: error, of a run\n")
    assert "session" not in ran.out.partition("remedy:")[2]
    assert grapharc("explain", "denied", "--json").json["class"] == "run"
    assert "did you mean 'approval_without_session'?" in grapharc("explain", "aproval_without_session").err
    both = grapharc("explain", "wrong_type", "--json").json
    assert (both["class"], both["run"]["class"]) == ("soundness", "run")
