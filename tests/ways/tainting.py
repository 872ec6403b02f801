"""A node's inputs come in as LangGraph hands them over, what it writes goes out; each value says of what it was made.

A value is ``x`` or ``o``, which conditions ask for, and the tags of all that it was made from: ``x{n,l}``. A tag is a
promise that rules are held to, and is left behind where FORMATS says that it is.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from grapharc.runtime.context import Context

SOURCES = {"fetch": frozenset("nv"), "dirty": frozenset("lm")}
"""``n`` came from the network, ``v`` did so past no check; ``l`` has a label, ``m`` has it past no check."""
LEFT_BEHIND = {"check": frozenset("vm"), "clean": frozenset("lm")}
LABEL = frozenset("lm")
_TAGS = re.compile(r"\{([lmnv,]*)\}")


@dataclass
class Play:
    """How the nodes of one run behave: all is decided by what they are given and by ``salt``.

    ``secret`` is what sources find. Nodes in ``failing`` may fail, those in ``labelling`` write to a field with a
    label. With ``by_files`` what is put into files and stores comes back out of them.
    """

    salt: int
    secret: int
    failing: frozenset[str]
    labelling: frozenset[str]
    by_files: bool
    seen: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """What commands were given, by their nodes."""
    files: set[str] = field(default_factory=set[str])
    stores: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def chance(self, *about: object) -> int:
        return sha256(json.dumps([self.salt, *about], sort_keys=True).encode()).digest()[0]

    def act(self, ctx: Context, given: list[Any], store: str) -> dict[str, Any]:
        """Run a node once."""
        with self.lock:
            tags = tags_of(given) | self._found(ctx.kind, store)
            if ctx.kind == "run":
                self.seen.setdefault(ctx.node, []).append(json.dumps([given, sorted(tags)], sort_keys=True))
            self._put(ctx.kind, store, tags)
        tags |= SOURCES.get(ctx.kind, frozenset())
        if ctx.node in self.failing and self.chance("fails", ctx.node, given) % 3 == 0:
            raise RuntimeError(written("o", tags))
        tags -= LEFT_BEHIND.get(ctx.kind, frozenset())
        if ctx.node in self.labelling:
            tags |= LABEL
        found = self.secret if ctx.kind == "fetch" else 0
        return {"out": written("xo"[self.chance("writes", ctx.node, given, found) % 2], tags)}

    def _found(self, kind: str, store: str) -> frozenset[str]:
        """What lies in files and stores: each is a file, and of stores one knows its own."""
        if not self.by_files or kind not in ("load", "run", "recall"):
            return frozenset()
        stores = [self.stores.get(store, set[str]())] if kind == "recall" else self.stores.values()
        return frozenset(self.files.union(*stores))

    def _put(self, kind: str, store: str, tags: frozenset[str]) -> None:
        if kind in ("save", "run"):
            self.files |= tags
        elif kind == "note":
            self.stores.setdefault(store, set()).update(tags)


def written(what: str, tags: frozenset[str]) -> str:
    return f"{what}{{{','.join(sorted(tags))}}}"


def tags_of(value: Any) -> frozenset[str]:
    """Return the tags of all that stands anywhere in a value."""
    return frozenset(tag for found in _TAGS.findall(json.dumps(value)) for tag in found.split(",") if tag)


PLAYED: dict[str, Play] = {}
"""The play of each run that is going on, by the run's id."""


def act(ctx: Context, a: Any, b: Any, store: str) -> dict[str, Any]:
    """What every kind does."""
    return PLAYED[ctx.run_id].act(ctx, [a, b], store)
