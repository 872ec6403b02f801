"""An operation as it was read back goes in; the fold follows it, or what keeps that from being done comes out."""

from __future__ import annotations

import json
import sqlite3

from grapharc.stdlib_kinds.memory.artifact import Artifact
from grapharc.stdlib_kinds.memory.citation import Citation
from grapharc.stdlib_kinds.memory.claim import Claim, require_text
from grapharc.stdlib_kinds.memory.fold import ASSERT, CITE, CLOSE, PUT, Body, Fold
from grapharc.stdlib_kinds.memory.log import Op
from grapharc.stdlib_kinds.memory.times import iso, micros

BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, sqlite3.Error)
"""What reading values that nobody here wrote can raise."""


def follow(fold: Fold, op: Op) -> str:
    """Follow an operation; return what is wrong with it, or nothing. Its hash is right, whoever wrote it."""
    try:
        body = json.loads(op.body)
        _require_recordable(op.verb, body)
        fold.apply(op.verb, op.n, op.hlc, body)
        fold.settle()
    except BROKEN as error:
        reason = f"it has no '{error.args[0]}'" if isinstance(error, KeyError) and error.args else str(error)
        return f"operation {op.n} says what cannot be recorded: {reason}"
    return ""


def _require_recordable(verb: str, body: Body) -> None:
    """Raise for what this store would not have recorded, so that nobody reads it as if it had."""
    match verb:
        case _ if not isinstance(body, dict):
            raise TypeError("its body is no object")
        case "assert":
            Claim(**body)
        case "close":
            require_text("an end", "the successor", body["successor"])
            iso(micros(body["valid_to"], "valid_to"))
        case "cite":
            Citation(**{name: value for name, value in body.items() if name != "claim"})
        case "put":
            Artifact(**body)
            iso(micros(body["created_at"], "created_at"))
        case _:
            raise ValueError(f"its verb '{verb}' is none of '{ASSERT}', '{CITE}', '{CLOSE}' and '{PUT}'")
