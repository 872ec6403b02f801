"""Documents, mangled at random, through the whole command: no traceback, and exit code 0, 1 or 2."""

from __future__ import annotations

import io
import json
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from grapharc.cli.rendering.formats import FORMATS

ROUNDS = 20_000 if os.environ.get("GRAPHARC_DEEP") else 300
LETTERS = "\"'\\[]{},:=.#\n\r\t -+_0123456789eExinfatrunlsTZé🎉\x00\x1b\u202e\ufeff"
DOCUMENTS = Path(__file__).parents[1] / "documents"
SOURCES = sorted(
    path
    for path in (
        *DOCUMENTS.glob("*/*.toml"),
        *DOCUMENTS.glob("*/*.json"),
        *(DOCUMENTS.parents[1] / "examples").rglob("*.toml"),
    )
    if path.stat().st_size < 6000
)


def mangle(chance: random.Random, text: str, other: str) -> str:
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.randint(1, 8))
        lines = text.split("\n")
        line = chance.randrange(len(lines))
        begin = chance.randint(0, len(other))
        text = chance.choice(
            [
                text[:start] + text[end:],
                text[:start] + chance.choice(LETTERS) + text[start:],
                text[:end] + text[start:],
                "\n".join([*lines[:line], *lines[line + 1 :]]),
                "\n".join([*lines[:line], lines[line], *lines[line:]]),
                text[:start] + other[begin : begin + chance.randint(1, 60)] + text[start:],
                text[:start]
                + chance.choice(["# grapharc: allow ", "suppress = ", "null", "1e999", "9" * 40])
                + text[start:],
            ]
        )
    return text


def test_no_text_makes_the_command_fail(grapharc, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(20261130)
    texts = [path.read_bytes().decode("utf-8", "replace") for path in SOURCES]
    codes: Counter[int] = Counter()
    for number in range(ROUNDS):
        index = chance.randrange(len(texts))
        document = mangle(chance, texts[index], chance.choice(texts))
        name = f"graph{SOURCES[index].suffix}"
        (here / name).write_bytes(document.encode("utf-8", "replace"))
        form = list(FORMATS)[number % len(FORMATS)]
        what = "run" if number % 5 == 0 else "check"
        only = ["--check-only"] if what == "run" else []
        arguments = [what, name, *only, "--format", form, "--today", "2027-01-01"]
        if number % 7 == 0:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(document.encode("utf-8", "replace"))))
            arguments[1] = "-"
        elif number % 11 == 0:
            arguments += ["--baseline", name]
        elif number % 13 == 0:
            arguments += ["--policy", name]
        ran = grapharc(*arguments)
        assert ran.exit in (0, 1, 2), (number, ran.err, document)
        assert "Traceback" not in ran.out + ran.err
        if form in ("json", "sarif", "gitlab", "rdjson") and ran.exit < 2:
            json.loads(ran.out)
        codes[ran.exit] += 1
    assert codes[0] > ROUNDS // 100
    assert codes[1] > ROUNDS // 2
