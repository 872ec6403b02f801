"""Everything left of ``compile`` reads documents and nothing else, whatever a stranger's manifest names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

WATCH = """
import json, os, sys

seen = []
LIBRARIES = tuple(json.loads(sys.argv[2]))
FORBIDDEN = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "pty.", "ctypes.dlopen",
             "http.", "urllib.", "ftplib.", "smtplib.", "shutil.", "tempfile.", "webbrowser.", "os.putenv")

def watch(event, arguments):
    if event.startswith(FORBIDDEN):
        seen.append([event, repr(arguments)])
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        path = os.fsdecode(arguments[0])
        if not path.startswith(LIBRARIES):
            seen.append([event, path])
    elif event == "import" and arguments[0].partition(".")[0] in ("evil", "langgraph", "langchain_core"):
        seen.append([event, arguments[0]])

sys.addaudithook(watch)
from grapharc.cli.main import main
code = main(json.loads(sys.argv[1]))
print(json.dumps({"code": code, "seen": seen}), file=sys.stderr)
"""

EVIL = 'open("/tmp/evil-was-here", "w").close()\nraise SystemExit("a check imported user code")\n'

MANIFEST = """
[[kind]]
name = "beside"
entry = "evil.py:run"
capabilities = []

[[kind]]
name = "installed"
entry = "evil.kinds:run"
capabilities = ["network", "run_command"]
"""

REGISTRY = """
[[use]]
from = "kinds/evil.toml"
kind = "*"

[[use]]
kind = "model.*"

[models]
writer = "mock/replies.json"
"""

GRAPH = """
[state]
answer = { type = "string", output = true }

[[nodes]]
name = "beside"

[[nodes]]
name = "installed"

[[nodes]]
name = "ask"
kind = "model.call"
args = { role = "writer", prompt = { file = "prompt.md" } }
writes = { text = "answer" }

[[edges]]
chain = ["__start__", "beside", "installed", "ask", "__end__"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "grapharc.toml": '[grapharc]\nregistry = "registry.toml"\npolicy = ["policy.toml"]\ngraphs = ["graph.toml"]\n',
        "registry.toml": REGISTRY,
        "policy.toml": 'default = "allow"\n',
        "graph.toml": GRAPH,
        "prompt.md": "What is a graph?",
        "replies.json": '["a reply"]',
        "kinds/evil.toml": MANIFEST,
        "kinds/evil.py": EVIL,
        "evil/__init__.py": EVIL,
        "evil/kinds.py": EVIL,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "command", [["check"], ["check", "graph.toml"], ["run", "graph.toml", "--check-only"], ["kinds"]]
)
def test_nothing_is_touched_but_documents(
    project: Path, command: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    caches = tmp_path_factory.mktemp("caches")
    libraries = [str(REPOSITORY / "grapharc"), sys.prefix, sys.base_prefix, str(caches)]
    ran = subprocess.run(
        [sys.executable, "-c", WATCH, json.dumps(command), json.dumps(libraries)],
        cwd=project,
        env={"PYTHONPATH": f"{REPOSITORY}", "GRAPHARC_CACHE_DIR": str(caches), "HOME": str(caches)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(ran.stderr.splitlines()[-1])
    assert told["code"] == 0, ran.stdout
    documents = ("grapharc.toml", "registry.toml", "policy.toml", "graph.toml", "prompt.md", "kinds/evil.toml")
    allowed = [["open", str(project / name)] for name in documents]
    assert [event for event in told["seen"] if event not in allowed] == []
