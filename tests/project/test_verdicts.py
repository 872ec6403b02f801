"""A verdict that is kept holds for exactly what was checked, and nobody but its user can make one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from glob import glob
from pathlib import Path

import pytest

from grapharc.project.disk import Disk
from grapharc.project.verdicts import FOLDER, MOST_VERDICTS, Verdict, Verdicts, open_verdicts

REPOSITORY = Path(__file__).resolve().parents[2]

GRAPH = '[[nodes]]\nname = "step"\nkind = "control.pass"\n[[edges]]\nchain = ["__start__", "step", "__end__"]\n'
PROJECT = '[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graphs/**/*.toml"]\n'

PROGRAM = """
import sys
from grapharc.cli.entry import start
code = start()
print("made" if "grapharc.cli.main" in sys.modules else "kept", file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "graphs" / "inner").mkdir(parents=True)
    (folder / "grapharc.toml").write_text(PROJECT)
    (folder / "registry.toml").write_text('[[use]]\nkind = "*"\n[[use]]\nfrom = "own.toml"\nkind = "*"\n')
    (folder / "own.toml").write_text('[[kind]]\nname = "own"\nentry = "own.py:own"\ncapabilities = []\n')
    (folder / "policy.toml").write_text('default = "allow"\n')
    for name in ("a.toml", "inner/b.toml"):
        (folder / "graphs" / name).write_text(GRAPH)
    return folder


Asked = Callable[..., tuple[str, int, str]]


@pytest.fixture
def ask(project: Path, tmp_path: Path) -> Asked:
    """Check in a process of its own: whether the verdict was made or kept, the exit code, and what was said."""

    def check(*arguments: str, cwd: Path = project, **environ: str) -> tuple[str, int, str]:
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=cwd,
            env={"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(tmp_path / "caches"), **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        *complaints, how = ran.stderr.splitlines()
        assert ran.returncode == 2 or not complaints, ran.stderr
        return how, ran.returncode, ran.stdout

    return check


def test_a_check_that_was_made_is_kept_and_says_the_same(ask: Asked, project: Path) -> None:
    first = ask("check")
    assert (first[0], first[1]) == ("made", 0)
    assert first[2].endswith(" in 5 documents\n")
    assert ask("check") == ("kept", *first[1:])
    assert ask("check", "--json")[0] == "made"
    assert ask("check", "--json")[0] == "kept"
    assert ask("run", "graphs/a.toml", "--check-only")[0] == "made"
    kept = ask("run", "graphs/a.toml", "--check-only")
    assert (kept[0], kept[1]) == ("kept", 0)
    assert sorted(path.name for path in project.iterdir() if path.name.startswith(".")) == [FOLDER]
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    "change",
    [
        "graph",
        "new graph",
        "lost graph",
        "registry",
        "policy",
        "manifest",
        "config",
        "renamed folder",
        "linked file",
        "repository",
    ],
)
def test_whatever_was_read_or_was_not_there_makes_a_new_verdict(ask: Asked, project: Path, change: str) -> None:
    assert ask("check", "--format", "github")[0] == "made"
    assert ask("check", "--format", "github")[0] == "kept"
    if change == "graph":
        (project / "graphs" / "inner" / "b.toml").write_text(GRAPH.replace("control.pass", "control.pas"))
    elif change == "new graph":
        (project / "graphs" / "inner" / "c.toml").write_text(GRAPH)
    elif change == "lost graph":
        (project / "graphs" / "a.toml").unlink()
    elif change in ("registry", "policy"):
        with (project / f"{change}.toml").open("a") as file:
            file.write("# more\n")
    elif change == "manifest":
        (project / "own.toml").write_text('[[kind]]\nname = "own"\nentry = "own.py:own"\ncapabilities = ["netwrok"]\n')
    elif change == "config":
        (project / "grapharc.toml").write_text(PROJECT + "[severity]\nimplied_end = 'off'\n")
    elif change == "renamed folder":
        (project / "graphs" / "inner").rename(project / "graphs" / "outer")
    elif change == "linked file":
        (project / "graphs" / "a.toml").unlink()
        (project / "graphs" / "a.toml").symlink_to("inner/b.toml")
    else:
        (project.parent / ".git").mkdir()
    assert ask("check", "--format", "github")[0] == "made"


def test_all_that_is_no_file_is_part_of_it_too(ask: Asked, project: Path, tmp_path: Path) -> None:
    assert ask("check")[0] == "made"
    assert ask("check", GRAPHARC_MAX_TOKENS="5")[0] == "made"
    assert ask("check", NO_COLOR="1")[0] == "made"
    assert ask("check", PYTHONIOENCODING="ascii")[0] == "made"
    assert ask("check", "--today", "2020-01-01")[0] == "made"
    assert ask("check", cwd=project / "graphs")[1] == 2
    assert ask("check")[0] == "kept"
    assert ask("check", GRAPHARC_CACHE_DIR=str(tmp_path / "others"))[0] == "made"


def test_a_baseline_and_reports_in_files_are_part_of_it(ask: Asked, project: Path) -> None:
    (project / "known.json").write_text('{"baseline": "1", "findings": []}')
    arguments = ("check", "--baseline", "known.json", "--output", "sarif=report.sarif")
    assert ask(*arguments)[0] == "made"
    assert ask(*arguments)[0] == "kept"
    written = (project / "report.sarif").read_bytes()
    (project / "report.sarif").unlink()
    assert ask(*arguments)[0] == "made"
    assert (project / "report.sarif").read_bytes() == written
    (project / "known.json").write_text('{"baseline": "1", "findings": [] }')
    assert ask(*arguments)[0] == "made"


def test_what_asks_for_no_check_or_for_none_to_be_kept_is_not_kept(ask: Asked, project: Path) -> None:
    for arguments in (
        ("check", "--no-cache"),
        ("check", "absent.toml"),
        ("kinds",),
        ("check", "--fix", "graphs/a.toml"),
    ):
        assert [ask(*arguments)[0] for _ in range(2)] == ["made", "made"], arguments
    assert not (project / FOLDER).exists()
    caches = project.parent / "caches"
    assert [path.name for path in caches.iterdir() if path.name.endswith(".verdict")] == []


def test_where_there_is_no_project_nothing_is_written_beside_the_documents(ask: Asked, tmp_path: Path) -> None:
    (tmp_path / "graph.toml").write_text(GRAPH)
    assert [ask("check", "graph.toml", cwd=tmp_path)[0] for _ in range(2)] == ["made", "kept"]
    assert not (tmp_path / FOLDER).exists()


FORGERIES = ["a stranger's", "another command's", "cut", "flipped", "emptied", "another secret", "a pipe", "a link"]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_verdict_that_is_not_ours_is_none(ask: Asked, project: Path, tmp_path: Path, forgery: str) -> None:
    """A pull request may bring a folder of verdicts along."""
    (project / "graphs" / "a.toml").write_text(GRAPH.replace("control.pass", "control.pas"))
    assert ask("check")[:2] == ("made", 1)
    (entry,) = (project / FOLDER).glob("*.verdict")
    sealed = entry.read_bytes()
    if forgery == "a stranger's":
        shutil.rmtree(tmp_path / "caches")
    elif forgery == "another command's":
        assert ask("check", "--ignore", "lint")[:2] == ("made", 1)
        (other,) = (path for path in (project / FOLDER).glob("*.verdict") if path != entry)
        entry.write_bytes(other.read_bytes())
    elif forgery == "another secret":
        (tmp_path / "caches" / "secret").write_bytes(b"0" * 32)
    elif forgery == "a pipe":
        entry.unlink()
        os.mkfifo(entry)
    elif forgery == "a link":
        entry.rename(project / "elsewhere")
        entry.symlink_to(project / "elsewhere")
    else:
        entry.write_bytes(
            {
                "cut": sealed[:-3],
                "flipped": sealed[:-1] + bytes([sealed[-1] ^ 1]),
                "emptied": b"",
            }[forgery]
        )
    assert ask("check")[:2] == ("made", 1)


def test_a_damaged_secret_is_made_anew_and_a_folder_that_leads_elsewhere_is_not_written_to(
    ask: Asked, project: Path, tmp_path: Path
) -> None:
    assert ask("check")[0] == "made"
    (tmp_path / "caches" / "secret").write_bytes(b"short")
    assert [ask("check")[0] for _ in range(2)] == ["made", "kept"]
    assert (tmp_path / "caches" / "secret").stat().st_mode & 0o077 == 0
    shutil.rmtree(project / FOLDER)
    (tmp_path / "elsewhere").mkdir()
    (project / FOLDER).symlink_to(tmp_path / "elsewhere")
    assert [ask("check")[0] for _ in range(2)] == ["made", "made"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_secret_that_others_may_read_seals_nothing(ask: Asked, project: Path, tmp_path: Path, mode: int) -> None:
    """As one that came with a pull request, where the folder of caches stands in the project."""
    assert [ask("check")[0] for _ in range(2)] == ["made", "kept"]
    secret = tmp_path / "caches" / "secret"
    secret.chmod(mode)
    before = secret.read_bytes()
    assert [ask("check")[0] for _ in range(2)] == ["made", "made"]
    assert secret.read_bytes() == before


def test_what_changed_while_it_was_checked_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read before it changed, and perhaps after it: what was made of it holds for neither."""
    monkeypatch.chdir(tmp_path)
    document = tmp_path / "a.toml"
    for who in ("one", "two processes", "nobody"):
        verdicts = open_verdicts(["check", who], {"GRAPHARC_CACHE_DIR": str(tmp_path / "caches")})
        assert verdicts is not None
        document.write_text("before")
        verdicts.disk.read(str(document))
        if who != "nobody":
            document.write_text("after")
        child = Disk() if who == "two processes" else verdicts.disk
        child.read(str(document))
        verdicts.disk.take_over(dict(child.seen))
        verdicts.keep(Verdict(0, "fine"))
        assert (verdicts.find() is not None) == (who == "nobody"), who


def test_a_cache_that_cannot_be_written_fails_nothing(ask: Asked, project: Path) -> None:
    (project / FOLDER).write_text("taken")
    assert [ask("check")[:2] for _ in range(2)] == [("made", 0), ("made", 0)]
    (project.parent / "taken").write_text("")
    assert ask("check", GRAPHARC_CACHE_DIR=str(project.parent / "taken" / "below"))[:2] == ("made", 0)


def test_many_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {"GRAPHARC_CACHE_DIR": str(tmp_path / "caches")}
    wrong: list[object] = []

    def work(number: int) -> None:
        for turn in range(40):
            verdicts = open_verdicts(["check", f"{turn % 3}"], environ)
            assert verdicts is not None
            found = verdicts.find()
            if found is not None and found.text != f"{turn % 3}" * 5000:
                wrong.append(found.text)
            verdicts.keep(Verdict(0, f"{turn % 3}" * 5000))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    verdicts = open_verdicts(["check", "1"], environ)
    assert verdicts is not None
    found = verdicts.find()
    assert found is not None
    assert found.text == "1" * 5000
    assert [path.name for path in (tmp_path / "caches").rglob("*.tmp")] == []


def test_the_oldest_are_thrown_away(tmp_path: Path) -> None:
    for number in range(MOST_VERDICTS + 20):
        Verdicts(str(tmp_path), b"0" * 32, f"{number}".encode()).keep(Verdict(0, ""))
    assert len(list(tmp_path.glob("*.verdict"))) <= MOST_VERDICTS + 1
    assert Verdicts(str(tmp_path), b"0" * 32, f"{MOST_VERDICTS + 19}".encode()).find() is not None
    assert Verdicts(str(tmp_path), b"0" * 32, b"0").find() is None


WATCHED = """
import sys
before = set(sys.modules)
from grapharc.cli.entry import start
start()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def test_a_check_that_is_kept_imports_next_to_nothing(ask: Asked, project: Path, tmp_path: Path) -> None:
    ask("check", "--json")
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, "check", "--json"],
        cwd=project,
        env={"PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(tmp_path / "caches")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["report"] == "1"
    others = {name for name in ran.stderr.split() if not name.startswith("grapharc")}
    assert others <= {"__future__", "_blake2", "_sha2", "_sha256", "gc"}


def test_a_glob_matches_what_the_standard_library_says(project: Path) -> None:
    (project / "graphs" / ".hidden").mkdir()
    (project / "graphs" / ".hidden" / "c.toml").write_text("")
    (project / "graphs" / ".dot.toml").write_text("")
    (project / "graphs" / "loop").symlink_to("inner")
    patterns = ("*.toml", "graphs/*.toml", "graphs/**/*.toml", "**/*.toml", "**", "graphs/**", "*/*/b.toml", "./*.toml")
    for pattern in (*patterns, "graphs/?.toml", "graphs/[ab].toml", "graphs/.*", "graphs/inner", "nothing/*", "a/**/b"):
        found = glob(pattern, root_dir=project, recursive=True)  # noqa: PTH207 -- the very function
        expected = sorted({path for path in found if (project / path).is_file()})
        assert Disk().matching(pattern, str(project)) == expected, pattern


def test_a_link_that_leads_back_up_is_not_followed_round(project: Path) -> None:
    (project / "graphs" / "up").symlink_to("..")
    found = Disk().matching("**/*.toml", str(project))
    assert "graphs/a.toml" in found
    assert len(found) < 20
