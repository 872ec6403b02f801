"""``draw`` and ``viz`` as people use them: files, exit codes, and what they say where something is missing."""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from grapharc.cli.main import main
from tests.drawing.conftest import EXAMPLES

REPOSITORY = EXAMPLES.parent


@pytest.fixture
def claims_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "claims loop"
    shutil.copytree(EXAMPLES / "claims_loop", folder)
    monkeypatch.chdir(folder)
    return folder


def test_draw_writes_what_names_end_in(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "graph.toml", "-o", "a.svg", "-o", "out/b.mmd"]) == 2
    assert capsys.readouterr().err.startswith("error: --output: there is no folder 'out'\n")
    assert not (claims_loop / "a.svg").exists()
    (claims_loop / "out").mkdir()
    assert main(["draw", "graph.toml", "-o", "a.svg", "-o", "out/b.mmd"]) == 0
    assert capsys.readouterr().out == "wrote a.svg (admitted)\nwrote out/b.mmd (admitted)\n"
    assert (claims_loop / "a.svg").read_text("utf-8").startswith("<svg")
    assert main(["draw", "graph.toml"]) == 0
    assert capsys.readouterr().out == (claims_loop / "out" / "b.mmd").read_text("utf-8")
    assert sorted(path.name for path in claims_loop.iterdir() if path.name.endswith("tmp")) == []


def test_draw_says_what_would_be_right(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "graph.toml", "-o", "graph.jpeg"]) == 2
    assert capsys.readouterr().err == (
        "error: 'graph.jpeg' ends in no format of diagrams\n  = one of .mmd, .dot, .svg, .png, .pdf, .html\n"
    )
    assert main(["draw", "graph.toml", "--view", "flow"]) == 2
    assert "'control', 'data', 'authority'" in capsys.readouterr().err
    assert main(["draw", "policy.toml"]) == 2
    assert capsys.readouterr().err == "error: 'policy.toml' is a policy, and only a graph can be drawn\n"


def test_what_can_be_read_of_a_broken_document_is_drawn(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (claims_loop / "broken.toml").write_text("nodes = [", "utf-8")
    assert main(["draw", "broken.toml"]) == 0
    assert "unclosed_bracket" in capsys.readouterr().out
    (claims_loop / "broken.toml").write_text("\x00", "utf-8")
    assert main(["draw", "broken.toml"]) == 1
    assert "broken.toml:1:1" in capsys.readouterr().out


def test_draw_as_json_has_the_diagram(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "graph.toml", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "admitted"
    assert document["mermaid"].startswith("---\ntitle:")


def test_without_a_dot_it_says_how_to_get_one_and_writes_the_others(claims_loop: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=False)
    [packages] = bare.glob("lib/python*/site-packages")
    paths = [*site.getsitepackages(), str(REPOSITORY)]
    (packages / "ours.pth").write_text("\n".join(paths) + "\n", "utf-8")
    python = bare / "bin" / "python"
    command = [str(python), "-m", "grapharc.cli", "draw", "graph.toml"]
    environment = {"PATH": str(bare / "bin"), "GRAPHARC_CACHE_DIR": str(tmp_path / "cache")}
    ran = subprocess.run([*command, "-o", "a.png"], capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: a .png needs Graphviz, and there is no 'dot' here\n  = pip install")
    ran = subprocess.run(
        [*command, "-o", "a.dot", "-o", "a.mmd"], capture_output=True, text=True, env=environment, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "wrote a.dot (admitted)\nwrote a.mmd (admitted)\n")


def test_viz_counts_what_a_run_did(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "graph.toml", "--run-id", "prose", "--trace", "runs.jsonl"]) == 1
    capsys.readouterr()
    assert main(["viz", "runs.jsonl", "prose"]) == 0
    chart = capsys.readouterr().out
    for said in (
        "run prose",
        "stopped because: capped",
        "failed 2 times: node_failed",
        "<b>extract</b><br/>model.extract<br/>may: model<br/><b>ran 3 times",
        "on error, into refused<br/><b>taken 2 times",
        "otherwise<br/>again, up to 3 rounds<br/><b>taken 2 times",
        "size#40;accepted#41; #62; 0<br/>not taken",
        "exhausted after 3 rounds<br/><b>taken once",
    ):
        assert said in chart, chart


def test_viz_finds_the_run_and_its_graph_or_says_what_is_missing(
    claims_loop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in ("one", "two"):
        main(["run", "graph.toml", "--run-id", run, "--trace", "runs.jsonl"])
    capsys.readouterr()
    assert main(["viz", "runs.jsonl"]) == 2
    assert "holds 2 runs" in capsys.readouterr().err
    assert main(["viz", "runs.jsonl", "tow"]) == 2
    assert "did you mean 'two'?" in capsys.readouterr().err
    assert main(["viz", "missing.jsonl"]) == 2
    assert "'missing.jsonl' cannot be read: no such file or directory" in capsys.readouterr().err
    graph = claims_loop / "graph.toml"
    graph.write_text(graph.read_text("utf-8").replace("max_rounds = 3", "max_rounds = 4"), "utf-8")
    assert main(["viz", "runs.jsonl", "one"]) == 2
    assert "no graph here is the one that ran" in capsys.readouterr().err
    assert main(["viz", "runs.jsonl", "one", "--graph", "graph.toml"]) == 0
    assert "the graph is another now than the one that ran" in capsys.readouterr().out


def test_viz_finds_the_project_of_a_run_elsewhere(
    claims_loop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", "graph.toml", "--run-id", "one", "--trace", "runs.jsonl"])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    graph, trace = str(claims_loop / "graph.toml"), str(claims_loop / "runs.jsonl")
    capsys.readouterr()
    assert main(["viz", trace, "one", "--graph", graph]) == 0
    out = capsys.readouterr().out
    assert 'note0["admitted"]' in out
    assert "not those of the run" not in out
    assert main(["viz", trace, "one", "--config", str(claims_loop / "grapharc.toml")]) == 0
    assert 'note0["admitted"]' in capsys.readouterr().out
    assert main(["viz", trace, "one"]) == 2
    assert "--config names its project" in capsys.readouterr().err
    (claims_loop / "grapharc.toml").unlink()
    assert main(["viz", trace, "one", "--graph", graph]) == 0
    assert "are not those of the run" in capsys.readouterr().out


def test_viz_takes_a_trace_whose_records_lack_something(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "graph.toml", "--run-id", "one", "--trace", "runs.jsonl"])
    records = [json.loads(line) for line in (claims_loop / "runs.jsonl").read_text("utf-8").splitlines()]
    shapes = {(record["event"], *record): number for number, record in enumerate(records)}
    for number in shapes.values():  # of records that have the same keys one will do
        record = records[number]
        for key, part in [(key, None) for key in record] + [("error", part) for part in record.get("error") or ()]:
            lacking = {name: value for name, value in record.items() if name != key}
            if part is not None:
                lacking["error"] = {name: value for name, value in record["error"].items() if name != part}
            lines = [*records[:number], lacking, *records[number + 1 :]]
            (claims_loop / "less.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
            capsys.readouterr()
            assert main(["viz", "less.jsonl", "--graph", "graph.toml"]) == 0, (number, key, capsys.readouterr().err)


def test_viz_takes_a_run_whose_id_is_a_number(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "graph.toml", "--run-id", "one", "--trace", "runs.jsonl"])
    text = (claims_loop / "runs.jsonl").read_text("utf-8")
    (claims_loop / "runs.jsonl").write_text(text.replace('"run":"one"', '"run":1'), "utf-8")
    capsys.readouterr()
    assert main(["viz", "runs.jsonl", "1"]) == 0
    assert "run 1" in capsys.readouterr().out


def test_viz_tells_of_a_run_that_was_killed(claims_loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "graph.toml", "--run-id", "one", "--trace", "runs.jsonl"])
    lines = (claims_loop / "runs.jsonl").read_text("utf-8").splitlines(keepends=True)
    (claims_loop / "runs.jsonl").write_text("".join(lines[:5]) + '{"event":', "utf-8")
    capsys.readouterr()
    assert main(["viz", "runs.jsonl"]) == 0
    chart = capsys.readouterr().out
    assert "the trace ends before the run did" in chart
    assert "did not run" in chart


def test_drawing_loads_no_runtime(tmp_path: Path) -> None:
    code = (
        "import sys; from grapharc.cli.main import main; "
        "code = main(['draw', 'graph.toml']); print(sorted({'langgraph', 'graphviz', 'pydantic'} & sys.modules.keys()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES / "cited_answer",
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "GRAPHARC_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.splitlines()[-1] == "[]", ran.stderr
