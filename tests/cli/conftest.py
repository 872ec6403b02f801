"""Running commands in this process, as a terminal would: arguments in, exit code and both streams out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from grapharc.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    exit: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def grapharc(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    for name in ("NO_COLOR", "GRAPHARC_TRACEBACK", "GRAPHARC_CONFIG", "GRAPHARC_POLICY", "GRAPHARC_REGISTRY"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return run
