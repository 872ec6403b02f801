"""The process's environment goes in, the settings that ``GRAPHARC_*`` variables give come out."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from grapharc.project.errors import CannotStart
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import Budget
from grapharc.spec.suggest import suggest

VARIABLES: Mapping[str, str] = {
    "GRAPHARC_CACHE_DIR": "the folder of the caches",
    "GRAPHARC_CONFIG": "the project document, grapharc.toml of the working directory if it is not set",
    "GRAPHARC_MAX_CONCURRENCY": "the most nodes that run at one time",
    "GRAPHARC_MAX_ITERATIONS": "the most activations of nodes in a run",
    "GRAPHARC_MAX_SECONDS": "the longest time of a run",
    "GRAPHARC_MAX_TOKENS": "the most tokens of a run",
    "GRAPHARC_MAX_USD": "the most money of a run",
    "GRAPHARC_POLICY": f"policies that hold beside all others, separated by '{os.pathsep}'",
    "GRAPHARC_REGISTRY": "the registry selection",
    "GRAPHARC_TENANT": "the tenant for whom graphs are run",
    "GRAPHARC_TRACE": "the file that a run's trace is appended to",
    "GRAPHARC_TRACEBACK": "set, a bug of ours is shown with its traceback",
    "GRAPHARC_WORKSPACE": "the folder that kinds may touch",
}
"""Every variable that is read, and what it says."""


_PREFIX = "GRAPHARC_"


@frozen
class Environment:
    """What the environment says; an empty variable says nothing."""

    config: str | None = None
    registry: str | None = None
    policies: tuple[str, ...] = ()
    tenant: str | None = None
    workspace: str | None = None
    trace: str | None = None
    budget: Budget = field(default=Budget())


def read_environment(environ: Mapping[str, str]) -> Environment:
    """Read the variables. Raises CannotStart for a value that is none, and for a name that was probably misspelt.

    A misspelt ``GRAPHARC_POLICY`` would silently leave a policy out, so a near miss is not let through.
    """
    for name in sorted(environ):
        if name.upper().startswith(_PREFIX) and name not in VARIABLES and (near := _near(name)):
            raise CannotStart(f"the environment variable '{name}' is none that is read, did you mean '{near}'?")
    return Environment(
        config=environ.get("GRAPHARC_CONFIG") or None,
        registry=environ.get("GRAPHARC_REGISTRY") or None,
        policies=tuple(part for part in environ.get("GRAPHARC_POLICY", "").split(os.pathsep) if part),
        tenant=environ.get("GRAPHARC_TENANT") or None,
        workspace=environ.get("GRAPHARC_WORKSPACE") or None,
        trace=environ.get("GRAPHARC_TRACE") or None,
        budget=Budget(
            max_tokens=_whole(environ, "GRAPHARC_MAX_TOKENS", 0),
            max_iterations=_whole(environ, "GRAPHARC_MAX_ITERATIONS", 0),
            max_seconds=_number(environ, "GRAPHARC_MAX_SECONDS"),
            max_usd=_number(environ, "GRAPHARC_MAX_USD"),
            max_concurrency=_whole(environ, "GRAPHARC_MAX_CONCURRENCY", 1),
        ),
    )


def _near(name: str) -> str:
    known = (variable.removeprefix(_PREFIX) for variable in VARIABLES)
    near = suggest(name[len(_PREFIX) :].upper(), known) or _within(name)
    return near and f"{_PREFIX}{near}"


def _within(name: str) -> str:
    """Return POLICY for GRAPHARC_POLICY_FILE: a known name whose words are all there."""
    words = set(name.upper().split("_"))
    known = (variable.removeprefix(_PREFIX) for variable in VARIABLES)
    return next((short for short in known if words.issuperset(short.split("_"))), "")


def _whole(environ: Mapping[str, str], name: str, least: int) -> int | None:
    text = environ.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17 and int(text) >= least):
        raise CannotStart(f"{name} is '{text}', but must be a whole number of at least {least}")
    return int(text)


def _number(environ: Mapping[str, str], name: str) -> float | None:
    text = environ.get(name)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (math.isfinite(number) and number >= 0):
        raise CannotStart(f"{name} is '{text}', but must be a number of at least 0")
    return number
