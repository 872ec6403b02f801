"""A request in one line, ``edge: model.call -> deploy``, goes in; the same as a test would write it comes out."""

from __future__ import annotations

import re

from grapharc.policy.owner.policy import BETWEEN_ENDS, RESOURCES
from grapharc.policy.owner.selectors import ARROW
from grapharc.spec.documents.policy import Resource
from grapharc.spec.documents.test import RequestModel
from grapharc.spec.suggest import suggest

_AS = re.compile(r"\s+as\s+")


class NoRequest(Exception):
    """The line is no request; the message says what would be one."""


def read_request(line: str, *, tenant: str | None = None, usd: float | None = None) -> RequestModel:
    """Read one line. Raises NoRequest."""
    word, colon, rest = (part.strip() for part in line.partition(":"))
    if not colon or word not in RESOURCES:
        near = suggest(word, RESOURCES)
        hint = f", did you mean '{near}'?" if near and colon else ""
        if not colon:
            hint = f", as in '{'edge' if ARROW in line else 'node'}: {line}'"
        known = ", ".join(sorted(RESOURCES))
        raise NoRequest(f"'{line}' is no request: it begins with one of {known} and a colon{hint}")
    resource = RESOURCES[word]
    if resource in BETWEEN_ENDS:
        return _between(line, resource, rest, tenant)
    kind, *role = _AS.split(rest)
    if not kind or ARROW in rest or len(role) > (resource == "spend"):
        raise NoRequest(f"'{line}' is no request, '{resource}: KIND' would be one")
    return RequestModel(
        resource=resource,
        kind=kind,
        role=role[0] if role else None,
        usd=usd if resource == "spend" else None,
        tenant=tenant,
    )


def _between(line: str, resource: Resource, rest: str, tenant: str | None) -> RequestModel:
    source, *via = (part.strip() for part in rest.split(ARROW))
    if not via or not all((source, *via)) or (resource == "edge" and len(via) > 1):
        form = "SOURCE -> TARGET" if resource == "edge" else "SOURCE -> BETWEEN -> TARGET"
        raise NoRequest(f"'{line}' is no request, '{resource}: {form}' would be one")
    return RequestModel(resource=resource, source=source, target=via[-1], via=tuple(via[:-1]), tenant=tenant)
