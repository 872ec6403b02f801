"""What is read without click is what click reads, whatever the command line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapharc.cli import check as click_check
from grapharc.cli.main import main
from grapharc.cli.plain import ONE, SEVERAL, SWITCHES, Plain, read_plain
from grapharc.spec.version import VERSION

OPTIONS = {option: parameter.name for parameter in click_check.command.params for option in parameter.opts}
VALUES = ["a.toml", "text", "sarif", "json", "note", "warning", "2027-03-01", "sarif=r", "-", "--", "", "7", "a=b"]
WORDS = st.sampled_from([*OPTIONS, *VALUES, "--regist", "-h", "--help", "-x", "--json=1"])
JOINED = st.builds("{}={}".format, st.sampled_from(list(OPTIONS)), st.sampled_from(VALUES))


def by_click(arguments: list[str]) -> dict[str, object]:
    return dict(click_check.command.make_context("check", list(arguments)).params)


def as_click(plain: Plain) -> dict[str, object]:
    found: dict[str, object] = {"paths": plain.paths}
    found |= {str(OPTIONS[name]): plain.one.get(name) for name in ONE}
    found |= {str(OPTIONS[name]): plain.several.get(name, ()) for name in SEVERAL}
    return found | {str(OPTIONS[name]): name in plain.switches for name in SWITCHES}


@given(st.lists(WORDS | JOINED, max_size=8))
def test_what_is_read_is_what_click_reads(arguments: list[str]) -> None:
    plain = read_plain(["check", *arguments])
    if plain is None:
        return
    clicked = by_click(arguments)
    ours = as_click(plain)
    assert {name: clicked[name] for name in ours} == ours
    nothing = by_click([])
    assert {name: value for name, value in clicked.items() if name not in ours} == {
        name: value for name, value in nothing.items() if name not in ours
    }


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["."],
        ["graph.toml", "--registry", "registry.toml"],
        ["--registry=registry.toml", "a.toml", "--policy", "p.toml", "--policy=q.toml", "b.toml", "-"],
        ["--json", "--fail-on", "warning", "--no-cache"],
        ["--format", "github", "--output", "sarif=report.sarif", "--baseline", "b.toml", "--today", "2027-03-01"],
        [
            "--select",
            "lint",
            "--ignore",
            "cycle,field_*",
            "--tenant",
            "acme",
            "--config",
            "grapharc.toml",
            "--ours-only",
        ],
    ],
)
def test_what_hooks_and_pipelines_write_is_plain(arguments: list[str]) -> None:
    plain = read_plain(["check", *arguments])
    assert plain is not None
    clicked = by_click(arguments)
    assert {name: clicked[name] for name in as_click(plain)} == as_click(plain)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--fix"],
        ["--watch"],
        ["--jobs", "2"],
        ["--registry"],
        ["--registry", ""],
        ["--registry", "--json"],
        ["--format", "yaml"],
        ["--json", "--format", "text"],
        ["--", "--json"],
        ["--regist", "a.toml"],
    ],
)
def test_all_else_is_left_to_click(arguments: list[str]) -> None:
    assert read_plain(["check", *arguments]) is None
    assert read_plain(["run", *arguments]) is None


def test_the_version_is_said_as_click_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    from grapharc.cli.commands import grapharc

    assert main(["--version"]) == 0
    said = capsys.readouterr().out
    grapharc.main(["--version"], prog_name="grapharc", standalone_mode=False)
    assert capsys.readouterr().out == said == f"grapharc {VERSION}\n"
