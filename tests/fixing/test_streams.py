"""What ``fmt`` and ``check --fix`` print: bytes go through as they are, differences apply, terminals obey nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grapharc.cli.main import main
from grapharc.cli.rendering.diff import render
from grapharc.project.rewriting import Rewrite

REPOSITORY = Path(__file__).resolve().parent.parent.parent
MESSY = '# a\u2028b\x85c\nname="x"   # why\n[state]\nb  =  "string"\n[[nodes]]\nkind = "control.pass"\nname="one"\n'
NEAT = '# a\u2028b\x85c\nname = "x"  # why\n\n[state]\nb = "string"\n\n[[nodes]]\nname = "one"\nkind = "control.pass"\n'


def grapharc(folder: Path, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "grapharc.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, input=data, capture_output=True, cwd=folder, env=environment, check=False)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_git_applies_the_difference_of_any_line_ends(tmp_path: Path, newline: str, end: str) -> None:
    before = (MESSY.rstrip("\n") + end).replace("\n", newline).encode()
    (tmp_path / "graph.toml").write_bytes(before)
    difference = grapharc(tmp_path, "fmt", "--diff", "graph.toml").stdout
    assert (tmp_path / "graph.toml").read_bytes() == before
    applied = subprocess.run(["git", "apply"], input=difference, cwd=tmp_path, capture_output=True, check=False)
    assert applied.returncode == 0, applied.stderr
    assert (tmp_path / "graph.toml").read_bytes() == NEAT.replace("\n", newline).encode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_git_applies_the_difference_of_a_fix(tmp_path: Path, newline: str) -> None:
    path = tmp_path / "graph.toml"
    body = '# \u2028 \x85\n[[nodes]]\nname = "a"\nkind = "control.pass"\n\n[[edges]]\nchain = ["__start__", "a"]\n'
    path.write_bytes(body.replace("\n", newline).encode())
    difference = grapharc(tmp_path, "check", "--fix", "--diff", "graph.toml").stdout
    applied = subprocess.run(["git", "apply"], input=difference, cwd=tmp_path, capture_output=True, check=False)
    assert applied.returncode == 0, applied.stderr
    by_git = path.read_bytes()
    path.write_bytes(body.replace("\n", newline).encode())
    assert grapharc(tmp_path, "check", "--fix", "graph.toml").returncode == 0
    assert path.read_bytes() == by_git
    assert b"__end__" in by_git


def test_line_ends_that_change_are_seen_and_others_are_not() -> None:
    mixed = render([Rewrite("g.toml", b"a\r\nb\n", b"a\r\nb\r\n")], shown=True)
    assert mixed.endswith(" a\\r\n-b\n+b\\r\n")
    assert "\\r" not in render([Rewrite("g.toml", b"a\r\nb\r\n", b"a\r\nc\r\n")], shown=True)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals of this kind")
@pytest.mark.parametrize("command", [("fmt", "--diff"), ("check", "--fix", "--diff"), ("draw", "-o", "\x1b[31m.mmd")])
def test_a_terminal_is_sent_nothing_that_it_obeys_without_colour_either(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    edges = '[[edges]]\nchain = ["__start__", "a"]\n'
    body = f'name="x"  # \x9b31m\n[[nodes]]\nname = "a"\nkind = "control.pass"\n\n{edges}\n{edges}# \x9b31m\n'
    (tmp_path / "graph.toml").write_text(body, "utf-8")
    ours, theirs = os.openpty()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    arguments = [sys.executable, "-m", "grapharc.cli", command[0], "graph.toml", *command[1:]]
    subprocess.run(arguments, stdout=theirs, stderr=theirs, cwd=tmp_path, env=environment, check=False, timeout=60)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # what Linux says where nothing is left
            break
        if not part:
            break
        said += part
    os.close(ours)
    text = said.decode()
    assert "\\x9b31m" in text or "wrote \\x1b[31m.mmd" in text, text
    assert all(character.isprintable() or character in "\r\n" for character in text), text


@pytest.mark.parametrize(
    "data", [b'name = "x\n\xff\xfe # \xe9\r\n', MESSY.encode("utf-16"), b"\xef\xbb\xbfname = \r\n", b'a = "\x80"\r']
)
def test_a_broken_document_goes_through_to_the_byte(tmp_path: Path, data: bytes) -> None:
    ran = grapharc(tmp_path, "fmt", "-", data=data)
    assert (ran.returncode, ran.stdout) == (1, data)
    assert ran.stderr


def test_a_document_goes_through_whatever_the_terminal_can_say(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grapharc.cli", "fmt", "-"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "ascii"}
    data = MESSY.replace("\n", "\r\n").encode()
    ran = subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, env=environment, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, NEAT.replace("\n", "\r\n").encode(), b"")


def test_the_json_document_holds_the_text(tmp_path: Path) -> None:
    told = json.loads(grapharc(tmp_path, "fmt", "-", "--json", data=MESSY.encode()).stdout)
    assert (told["exit"], told["changed"], told["written"], told["text"]) == (0, ["<stdin>"], False, NEAT)
    neat = json.loads(grapharc(tmp_path, "fmt", "-", "--json", data=NEAT.encode()).stdout)
    assert (neat["changed"], neat["text"]) == ([], NEAT)
    broken = json.loads(grapharc(tmp_path, "fmt", "-", "--json", data=b'name = "\xff"\n').stdout)
    assert (broken["exit"], broken["written"], broken["text"]) == (1, False, None)


def test_standard_input_goes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.toml"
    path.write_text(MESSY, "utf-8")
    for paths in (["-", str(path)], [str(path), "-"], ["-", "-"]):
        assert main(["fmt", *paths]) == 2
        streams = capsys.readouterr()
        assert streams.out == ""
        assert "'-' is standard input" in streams.err
    assert path.read_text("utf-8") == MESSY


@pytest.mark.parametrize("command", [("fmt",), ("check", "--fix")])
def test_the_document_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    edges = '[[edges]]\nchain = ["__start__", "a"]\n'
    Path("graph.toml").write_text(f'[[nodes]]\nname="a"\nkind = "control.pass"\n\n{edges}', "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main([*command, "graph.toml"]) == 2
    assert capsys.readouterr().err == "error: 'graph.toml' cannot be written: no space left on device\n"
