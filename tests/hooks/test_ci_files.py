"""The files for GitHub and GitLab fit the schemas that others wrote for them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from grapharc.cli.commands import grapharc

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PAGE = REPOSITORY / "docs" / "ci.md"


def fits(schema: str, path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_action_is_one() -> None:
    fits("vendor.github-actions", REPOSITORY / "action.yml")


@pytest.mark.parametrize(
    ("name", "schema"),
    [(".github/workflows/graphs.yml", "vendor.github-workflows"), (".gitlab-ci.yml", "vendor.gitlab-ci")],
)
def test_what_the_page_shows_to_copy_is_valid(name: str, schema: str, tmp_path: Path) -> None:
    shown = re.search(rf"`{re.escape(name)}`[^`]*```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown is not None
    path = tmp_path / Path(name).name
    path.write_text(shown[1], "utf-8")
    fits(schema, path)


def test_what_the_page_shows_of_pre_commit_names_all_hooks() -> None:
    offered = re.findall(r"^- id: (\S+)", (REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"- id: (grapharc-\S+)", PAGE.read_text("utf-8")) == offered


def test_every_option_that_the_files_use_exists() -> None:
    texts = [(REPOSITORY / name).read_text("utf-8") for name in ("action.yml", ".pre-commit-hooks.yaml", "docs/ci.md")]
    used = re.findall(r"grapharc (check|fmt|gate|policy check)\b([^\n|>]*)", "\n".join(texts))
    assert len(used) > 6
    for words, rest in used:
        command: click.Command | None = grapharc
        for word in words.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word)
        assert command is not None, words
        known = {name for parameter in command.params for name in parameter.opts}
        assert [name for name in re.findall(r"--[a-z-]+", rest) if name not in known] == [], words
