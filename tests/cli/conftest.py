"""Running commands in this process, as a terminal would: arguments in, exit code and both streams out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grapharc.cli.main import main
from grapharc.cli.rendering.report_schema import report_schema

REPORTS = Draft202012Validator(report_schema())


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    exit: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The document that was printed; a report is what the published schema says that it is."""
        document = json.loads(self.out)
        if "findings" in document or "error" in document:
            REPORTS.validate(document)
        return document


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
