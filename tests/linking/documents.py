"""Documents with something of everything, for tests that change one thing in them."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from grapharc.spec.json_value import Json, Path

GRAPH: dict[str, Json] = {
    "name": "demo",
    "version": "3",
    "types": {
        "Box": {
            "level": {"type": '"low" | "high"', "default": "low"},
            "count": {"type": "integer", "minimum": 0, "maximum": 9},
        },
        "Boxes": "list[Box]",
    },
    "state": {
        "source": {"type": "string", "input": True, "labels": ["untrusted"], "maxLength": 400, "pattern": "."},
        "boxes": {"type": "Boxes", "default": [{"count": 1}], "reducer": "append", "maxItems": 5},
        "maybe": "integer | null",
        "level": {"type": '"low" | "high"', "default": "low"},
        "ticket": {"type": "Ticket", "input": True},
        "result": {"type": "string", "output": True, "minLength": 1},
    },
    "budget": {"max_tokens": 9000, "max_iterations": 7, "max_seconds": 60, "max_usd": 0.5, "max_concurrency": 2},
    "nodes": [
        {"name": "sum", "kind": "model.call", "writes": {"text": "result"}}
        | {"args": {"role": "writer", "prompt": {"file": "sum.md"}, "max_tokens": 500}},
        {"name": "look", "kind": "read_handbook", "reads": {"path": "source + '.md'"}, "writes": {"text": "result"}},
        {"name": "deep", "kind": "triage.deep", "reads": {"tickets": "[ticket]"}, "writes": {}}
        | {"args": {"role": "writer", "style": "In the style of {source}", "tools": ["tool.grep"]}},
    ],
    "edges": [
        {"source": "__start__", "target": "sum"},
        {"source": "sum", "target": "look"},
        {"source": "look", "target": "deep"},
        {"source": "deep", "target": "__end__"},
    ],
}
PROMPT = "Sum up {source}"

SELECTION: dict[str, Json] = {
    "name": "support",
    "version": "2",
    "use": [
        {"kind": "tool.*", "labels": ["shared"]},
        {"kind": "tool.read_file", "version": "1", "as": "read_handbook", "args": {"root": "handbook"}},
        {"kind": "triage", "from": "kinds.json", "cost": {"tokens": 800}, "capabilities": ["network"]}
        | {"labels": ["reviewed"], "endorses": ["untrusted"]},
    ],
    "models": {
        "writer": "openrouter/anthropic/claude-haiku-4.5",
        "reviewer": {"spec": "openai/gpt-4o-mini", "price": {"input": 0.15, "output": 0.6}, "max_tokens": 1024},
    },
    "types": {"Box": {"count": {"type": "integer", "default": 1, "minimum": 0}}},
    "state": {"goal": "string", "boxes": {"type": "list[Box]", "default": [], "reducer": "append", "labels": ["x"]}},
}
MANIFEST: dict[str, Json] = {
    "types": {"Ticket": {"title": "string", "level": '"low" | "high"'}},
    "kind": [
        {
            "name": "triage",
            "version": "3",
            "summary": "Sort out.",
            "entry": "kinds.py:sort_out",
            "capabilities": ["model"],
            "labels": ["internal"],
            "endorses": ["untrusted"],
            "idempotent": True,
            "tool": True,
            "env": ["TOKEN"],
            "reads": {
                "ticket": {"type": "Ticket"},
                "path": {"type": "string", "default": "a", "format": "workspace-path"},
            },
            "writes": {"level": '"low" | "high"'},
            "args": {
                "type": "object",
                "additionalProperties": False,
                "required": ["style"],
                "properties": {"style": {"type": "string"}, "max_tokens": {"type": "integer", "default": 10}},
            },
            "cost": {"tokens": "args.max_tokens", "seconds": 5, "usd": 0.1, "iterations": 2},
        }
    ],
}


def edits(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every value of a document with something else in its place, and every key and item with nothing."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), ...
            yield from edits(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield (*path, index), ...
            yield from edits(inner, (*path, index))
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int | float):
        yield path, value + 1
    elif isinstance(value, str):
        yield path, f"{value}2"
        yield path, value[:-1]


def edited(document: dict[str, Json], path: Path, value: Json) -> Json:
    changed = copy.deepcopy(document)
    holder: Json = changed
    for step in path[:-1]:
        holder = holder[step]  # pyright: ignore
    if value is ...:
        del holder[path[-1]]  # pyright: ignore
    else:
        holder[path[-1]] = value  # pyright: ignore
    return changed
