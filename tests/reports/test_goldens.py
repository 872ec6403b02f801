"""Every format of one project with a fault of every family, byte for byte; ``make update`` rewrites them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grapharc.cli.rendering.formats import FORMATS
from grapharc.spec.reasons import reasons
from grapharc.spec.version import VERSION
from tests.reports.conftest import TERMS

GOLDENS = Path(__file__).parent / "goldens"
CATALOGUE = Path(__file__).parents[2] / "grapharc" / "spec" / "reasons.toml"

Told = Callable[..., Mapping[str, str]]


def lasting(said: str) -> str:
    """Leave out what every release changes: our version, and digests that cover the shipped kinds."""
    return re.sub(r"sha256:[0-9a-f]{64}", "sha256:...", said).replace(f'"version": "{VERSION}"', '"version": "..."')


def test_every_format_says_what_it_said(project: Path, told: Told) -> None:
    said = told(*TERMS)
    differ: list[str] = []
    for name in FORMATS:
        golden = GOLDENS / f"{name}.out"
        if os.environ.get("GRAPHARC_UPDATE"):
            golden.parent.mkdir(exist_ok=True)
            golden.write_bytes(lasting(said[name]).encode())
        if lasting(said[name]).encode() != golden.read_bytes():
            differ.append(name)
    assert differ == [], "make update rewrites what the formats say"


def test_the_project_has_a_fault_of_every_family(project: Path, told: Told) -> None:
    found = json.loads(told(*TERMS)["json"])["findings"]
    families: dict[str, str] = {}
    family = ""
    for line in CATALOGUE.read_text("utf-8").splitlines():
        if title := re.fullmatch(r"# ([a-z]+)", line):
            family = title[1]
        elif code := re.fullmatch(r"\[code\.(\w+)\]", line):
            families[code[1]] = family
    assert families.keys() == reasons().keys()
    assert {families[finding["code"]] for finding in found} == set(families.values())
    assert {finding["class"] for finding in found} == {"soundness", "authority", "lint"}
    assert {finding["severity"] for finding in found} == {"error", "warning", "note"}


@pytest.mark.parametrize("name", list(FORMATS))
def test_what_a_format_prints_is_what_it_writes(grapharc, project: Path, told: Told, name: str) -> None:
    ran = grapharc("check", "--format", name, *TERMS)
    assert ran.exit == 1
    assert ran.err == ""
    assert ran.out == told(*TERMS)[name]
