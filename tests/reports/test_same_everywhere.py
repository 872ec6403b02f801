"""Reports are the same, byte for byte, for every hash seed, working directory, order and split of the files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grapharc.cli.rendering.formats import FORMATS
from tests.reports.conftest import PROJECT, TERMS

REPOSITORY = Path(__file__).resolve().parents[2]
Told = Callable[..., Mapping[str, str]]


def written(working: Path, seed: str, caches: Path, *arguments: str) -> dict[str, bytes]:
    """Check in a process of its own, and return every format."""
    folder = caches / f"{working.name}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    outputs = [f"--output={name}={folder / name}" for name in FORMATS]
    ran = subprocess.run(
        [sys.executable, "-m", "grapharc.cli", "check", *arguments, *outputs],
        cwd=working,
        env={"PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": seed, "GRAPHARC_CACHE_DIR": str(caches)},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, b"")
    return {name: (folder / name).read_bytes() for name in FORMATS}


def test_every_process_and_folder_says_the_same(tmp_path: Path) -> None:
    for name in ("one", "another place"):
        shutil.copytree(PROJECT, tmp_path / name)
    first = written(tmp_path / "one", "0", tmp_path / "caches", *TERMS)
    assert written(tmp_path / "one", "1", tmp_path / "caches", *TERMS) == first
    assert written(tmp_path / "another place", "2", tmp_path / "others", *TERMS) == first
    terms = [str(tmp_path / "one" / term) if term.endswith(".json") else term for term in TERMS]
    config = ("--config", str(tmp_path / "one" / "grapharc.toml"))
    assert written(tmp_path, "3", tmp_path / "caches", *config, *terms) == first


def test_files_are_told_the_same_together_alone_and_in_any_order(project: Path, told: Told) -> None:
    files = sorted(path.relative_to(project).as_posix() for path in (project / "graphs").iterdir())
    together = told(*TERMS, *files)
    assert told(*TERMS, *reversed(files), *files) == together

    def rows(said: Mapping[str, str], kind: str) -> list[str]:
        return [line for line in said["jsonl"].splitlines() if json.loads(line)["type"] == kind]

    alone = [told(*TERMS, file) for file in files]
    for kind in ("finding", "accepted"):
        apart = list(dict.fromkeys(row for said in alone for row in rows(said, kind)))
        assert sorted(apart) == sorted(rows(together, kind))
    for name in ("concise", "github"):
        apart = list(dict.fromkeys(line for said in alone for line in said[name].splitlines()))
        assert sorted(apart) == sorted(together[name].splitlines())


def test_a_fingerprint_survives_what_is_written_around_it_and_tells_twins_apart(project: Path, told: Told) -> None:
    graph = project / "graphs" / "accepted.toml"

    def marks() -> dict[str, str]:
        report = json.loads(told(*TERMS, "graphs/accepted.toml")["json"])
        found = (*report["findings"], *report["accepted"])
        return {f"{finding['code']} {finding['subject']}": finding["fingerprint"] for finding in found}

    before = marks()
    source = graph.read_text()
    assert len(set(before.values())) == len(before) > 6
    more = (
        '\n\n[[nodes]]\nname = "more"\nkind = "control.pass"\n\n[[edges]]\nchain = ["__start__", "more", "__end__"]\n'
    )
    graph.write_text(source.replace("\n\n[[nodes]]", f"{more}\n[[nodes]]", 1))
    after = marks()
    assert {name: mark for name, mark in after.items() if name in before} == before
    step = '[[nodes]]\nname = "step"\nkind = "control.pass"\n'
    chain = '[[edges]]\nchain = ["__start__", "nowhere", "step", "nowhere", "__end__"]\n'
    twins = project / "graphs" / "twins.toml"
    twins.write_text(step + chain)
    one, two = json.loads(told("graphs/twins.toml")["json"])["findings"]
    assert (one["code"], one["message"]) == (two["code"], two["message"])
    assert one["fingerprint"] != two["fingerprint"]
    twins.write_text(f"# moved\n\n{step}\n\n{chain}")
    moved = json.loads(told("graphs/twins.toml")["json"])["findings"]
    assert [each["fingerprint"] for each in moved] == [one["fingerprint"], two["fingerprint"]]


def test_any_number_of_processes_says_the_same(project: Path, told: Told) -> None:
    """Copies of the project's graphs, enough to be worth several processes."""
    for number in range(12):
        for path in sorted((PROJECT / "graphs").iterdir()):
            (project / "graphs" / f"copy{number:02}_{path.name}").write_bytes(path.read_bytes())
    alone = told(*TERMS, "--jobs", "1")
    for arguments in (("--jobs", "2"), ("--jobs", "3"), ()):
        assert told(*TERMS, *arguments) == alone
    assert told(*TERMS, "--jobs", "3", "graphs") == told(*TERMS, "--jobs", "1", "graphs")


def test_a_process_that_is_lost_is_made_up_for(project: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        (project / "graphs" / f"more{number}.toml").write_bytes((PROJECT / "graphs" / "loop.toml").read_bytes())
    alone = told(*TERMS, "--jobs", "1")
    monkeypatch.setattr("grapharc.project.processes._pickled", lambda _: 1 / 0)
    assert told(*TERMS, "--jobs", "2") == alone
