"""A script and what a node read go in; what it writes comes out, or an exception where the script says so."""

from __future__ import annotations

import json
import zlib
from collections import Counter, defaultdict

CALLS: dict[str, Counter[str]] = defaultdict(Counter)
"""How often each node, or each item of one, was called; by run."""


def step(script, first, second, item, weight, ctx):
    return play(script, ctx.node, item, (first, second), CALLS[ctx.run_id])


async def astep(script, first, second, item, weight, ctx):
    return play(script, ctx.node, item, (first, second), CALLS[ctx.run_id])


def play(script, node, item, seen, calls):
    """Do what the script says for this call: fail, or write a text that tells which call it was and what it read."""
    key = node if item < 0 else f"{node}/{item}"
    call = calls[key]
    calls[key] += 1
    said = script.get(key, [])
    if call >= len(said):
        raise AssertionError(f"'{key}' is called more often than tokens say")
    if said[call] == "!":
        raise RuntimeError("as the script says")
    mark = f"{key}.{call}:{digest(seen)}"
    return {"pick": said[call], "mark": mark, "note": [mark], "one": 1, "entry": {key: mark}}


def digest(seen):
    """A short text of what was read, in whose lists order does not matter."""
    return format(zlib.crc32(json.dumps([plain(value) for value in seen], sort_keys=True).encode()), "x")


def plain(value):
    if isinstance(value, list):
        return sorted(json.dumps(plain(item), sort_keys=True) for item in value)
    if isinstance(value, dict):
        return {key: inner for key, inner in value.items() if key not in ("message", "code", "kind")}
    return value
