"""Reading a megabyte with the place of every key and value, beside Python's own readers, which keep none."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator

from benchmarks.bench import Bench, row
from grapharc.spec.reading.text import read_text

SIZE = 1_000_000


def benches() -> Iterator[Bench]:
    """Yield each shape of document in each syntax: graphs as people write them, and what strains a reader."""
    for shape, toml in {"a graph": graph, "long prompts": prompts, "dotted keys": dotted}.items():
        data = megabyte(toml)
        yield Bench(
            f"reading 1 MB of TOML, {shape}, beside tomllib",
            lambda data=data: read_text(data, "graph.toml"),
            lambda data=data: tomllib.loads(data.decode()),
            bar=1.6,
        )
    for shape, indent in (("a graph on many lines", 2), ("a graph on one line", None)):
        data = as_json(graph, indent)
        yield Bench(
            f"reading 1 MB of JSON, {shape}, beside 20 x json",
            lambda data=data: read_text(data, "graph.json"),
            lambda data=data: json.loads(data),
            bar=1.2,
            factor=20,
        )


def rows() -> list[tuple[str, str, str]]:
    """Return the table's rows: what, measured, bar."""
    return [row(bench) for bench in benches()]


def graph(number: int) -> str:
    """Return a node and its edge."""
    return f"""\
[[nodes]]
name = "draft_{number}"
kind = "model.extract"
description = "Draft claims about a source, keep those whose citation holds."
args = {{ role = "writer", prompt = "List the claims in {{source}} that answer {{question}}.", max_tokens = {number} }}
reads = {{ source_text = "source" }}       # input port -> expression over state
writes = {{ accepted = "accepted", verdicts = "verdicts" }}
timeout_seconds = 30

[[edges]]
chain = ["draft_{number}", "draft_{number + 1}"]

"""


def prompts(number: int) -> str:
    """Return a node with a prompt of several lines and one with escapes."""
    return f'''\
[[nodes]]
name = "ask_{number}"
args.prompt = """
List the claims in {{source}} that answer the question below, each with its "citation", word by word.
Größe zählt: {{question}}
"""
args.note = "first line\\nsecond line with \\"quotes\\", \\t a tab and caf\\u00e9 number {number}\\n"

'''


def dotted(number: int) -> str:
    """Return a manifest's argument."""
    return f"""\
[[kind]]
properties.reviewer_{number} = {{ type = "string", format = "role" }}
properties.max_claims.default = {number}
"x-{number}".note = true

"""


def megabyte(part: Callable[[int], str]) -> bytes:
    """Repeat a part of a TOML document until it has its size."""
    count = SIZE // len(part(5000).encode()) + 1
    return "".join(map(part, range(count))).encode()


def as_json(part: Callable[[int], str], indent: int | None) -> bytes:
    """Write the same document in JSON, cut to the same size."""
    count = SIZE // len(json.dumps(tomllib.loads(part(5000)), indent=indent)) + 1
    return json.dumps(tomllib.loads("".join(map(part, range(count)))), indent=indent).encode()
