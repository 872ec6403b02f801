"""``make new-rule`` writes a rule that is found, worded and shown at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.new_rule import new_rule

ROOT = Path(__file__).parents[2]


def test_a_new_rule_passes_the_tests_of_rules(tmp_path: Path) -> None:
    unread = shutil.ignore_patterns("__pycache__", "documents")
    shutil.copytree(ROOT / "grapharc", tmp_path / "grapharc", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=unread)
    (tmp_path / "tests" / "documents").mkdir()
    written = new_rule("never_so_called", tmp_path)
    assert [path.name for path in written][:3] == ["never_so_called.py", "judge.py", "reasons.toml"]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path), "GRAPHARC_UPDATE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/test_documents.py"]
    command += ["tests/spec", "-k", "never_so_called or test_catalogue"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "never_so_called" in (tmp_path / "tests/documents/never_so_called/refused.out").read_text("utf-8")


def test_the_lists_of_the_judge_stay_sorted(tmp_path: Path) -> None:
    for folder in ("grapharc/policy/rules", "grapharc/spec", "tests/documents"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("grapharc/policy/judge.py", "grapharc/spec/reasons.toml"):
        shutil.copy(ROOT / file, tmp_path / file)
    new_rule("a_first_one", tmp_path)
    lines = (tmp_path / "grapharc/policy/judge.py").read_text("utf-8").splitlines()
    for suffix in (",", ".check,"):
        listed = [line for line in lines if line.startswith("    ") and line.endswith(suffix) and " = " not in line]
        listed = [line for line in listed if (".check" in line) == (suffix == ".check,")]
        assert listed == sorted(listed)
        assert f"    a_first_one{suffix}" in listed
