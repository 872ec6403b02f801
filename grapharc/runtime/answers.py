"""What policies answer to a request that a run makes: worked out elsewhere, held to here.

Whoever compiles a graph gives a node what judges its requests. Here nobody knows a rule or a document: an answer is
what it comes to, the words for it, and one record of each policy's decision for the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json


@frozen
class Answer:
    """What all policies together answer to one request about a ``kind``; ``policy`` and the rest are the strictest's.

    ``decisions`` are the records of all of them. ``reason`` and ``role`` are "" where there is none.
    """

    effect: Literal["deny", "ask", "allow"]
    resource: str
    kind: str
    policy: str
    rule: str | None
    reason: str
    role: str
    decisions: tuple[Mapping[str, Json], ...]


Judge: TypeAlias = Callable[[Mapping[str, object]], "tuple[Answer, ...]"]
"""Answers the requests of one activation, by the keyword arguments that its function is to get."""


@frozen(slots=False)
class Tool:
    """A kind that a node holds: what completes the arguments that a model gives it, and what judges using it.

    ``complete`` raises NotTaken for an argument that the kind has not, and Pinned for one that the registry has set.
    """

    complete: Callable[[Mapping[str, object]], dict[str, Json]]
    judge: Judge
