"""Flags, the environment and the project document go in; every setting and the layer that gave it come out.

A flag beats the environment, that beats the project document, that beats what is built in. Policies add up, so that a
flag can only narrow; of each ceiling the least holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Generic, TypeAlias, TypeVar

from grapharc.project.environment import Environment
from grapharc.project.errors import CannotStart
from grapharc.project.severities import Levels, levels_of
from grapharc.spec.documents.graph import ceilings_by_name
from grapharc.spec.documents.project import ProjectModel
from grapharc.spec.frozen import field, frozen
from grapharc.spec.linked import Budget

ValueT = TypeVar("ValueT", covariant=True)
Ceilings: TypeAlias = "dict[str, int | float | None]"

PROJECT_FILE = "grapharc.toml"
BUILT_IN = "built-in"


@frozen
class Setting(Generic[ValueT]):
    """A value and the layer that gave it: a flag, a variable, the project document's path, or ``built-in``."""

    value: ValueT
    layer: str


@frozen
class Named:
    """A file or folder that a setting names, relative to the project document, or to the working directory."""

    path: str
    in_project: bool


@frozen
class Flags:
    """What was asked for in so many words, on the command line or by a caller in Python."""

    config: str | None = None
    registry: str | None = None
    policies: tuple[str, ...] = ()
    tenant: str | None = None
    workspace: str | None = None
    trace: str | None = None
    budget: Budget = field(default=Budget())


NO_FLAGS = Flags()


@frozen
class Settings:
    """Every setting of a project, with its layer. A ceiling that no layer sets is not in ``ceilings``."""

    registry: Setting[Named | None]
    policies: tuple[Setting[Named], ...]
    tenant: Setting[str | None]
    graphs: Setting[tuple[str, ...]]
    workspace: Setting[Named | None]
    trace: Setting[str | None]
    ceilings: Mapping[str, Setting[int | float]]
    levels: Levels
    approvers: Mapping[str, tuple[str, ...]]

    @property
    def limits(self) -> Budget:
        """The ceilings that the layers set together."""
        return to_budget({name: setting.value for name, setting in self.ceilings.items()})


def resolve(flags: Flags, environment: Environment, project: ProjectModel | None, path: str = PROJECT_FILE) -> Settings:
    """Resolve every setting; ``path`` is what the project document is shown under.

    Raises CannotStart for a ceiling that is no finite number of at least 0.
    """
    model = project or ProjectModel()
    file = model.grapharc
    return Settings(
        registry=_named(flags.registry, "--registry", environment.registry, "GRAPHARC_REGISTRY", file.registry, path),
        policies=(
            *(Setting(Named(policy, False), "--policy") for policy in flags.policies),
            *(Setting(Named(policy, False), "GRAPHARC_POLICY") for policy in environment.policies),
            *(Setting(Named(policy, True), path) for policy in file.policy),
        ),
        tenant=_first((flags.tenant, "--tenant"), (environment.tenant, "GRAPHARC_TENANT"), (file.tenant, path)),
        graphs=Setting(file.graphs, path if file.graphs else BUILT_IN),
        workspace=_named(
            flags.workspace, "--workspace", environment.workspace, "GRAPHARC_WORKSPACE", file.workspace, path
        ),
        trace=_first((flags.trace, "--trace"), (environment.trace, "GRAPHARC_TRACE")),
        ceilings=_least(
            ("--max-*", ceilings_by_name(flags.budget)),
            ("GRAPHARC_MAX_*", ceilings_by_name(environment.budget)),
            (path, ceilings_by_name(model.budget)),
        ),
        levels=levels_of(model),
        approvers=model.approvers,
    )


def to_budget(ceilings: Mapping[str, int | float]) -> Budget:
    """Return ceilings by name as a budget."""

    def whole(name: str) -> int | None:
        return int(ceilings[name]) if name in ceilings else None

    return Budget(
        max_tokens=whole("max_tokens"),
        max_iterations=whole("max_iterations"),
        max_seconds=ceilings.get("max_seconds"),
        max_usd=ceilings.get("max_usd"),
        max_concurrency=whole("max_concurrency"),
    )


def _first(*layers: tuple[str | None, str]) -> Setting[str | None]:
    for value, layer in layers:
        if value:
            return Setting(value, layer)
    return Setting(None, BUILT_IN)


def _named(
    flag: str | None, flag_name: str, variable: str | None, variable_name: str, written: str | None, path: str
) -> Setting[Named | None]:
    found = _first((flag, flag_name), (variable, variable_name), (written, path))
    if found.value is None:
        return Setting(None, found.layer)
    return Setting(Named(found.value, in_project=not (flag or variable)), found.layer)


def _least(*layers: tuple[str, Ceilings]) -> dict[str, Setting[int | float]]:
    least: dict[str, Setting[int | float]] = {}
    for layer, ceilings in layers:
        for name, value in ceilings.items():
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise CannotStart(f"{_spelt(layer, name)} is {value}, but must be a number of at least 0")
            if value is not None and (name not in least or value < least[name].value):
                least[name] = Setting(value, _spelt(layer, name))
    return least


def _spelt(layer: str, name: str) -> str:
    """``--max-tokens`` for ``--max-*``, ``GRAPHARC_MAX_TOKENS`` for ``GRAPHARC_MAX_*``."""
    what = name.removeprefix("max_")
    return layer.replace("*", what.upper() if layer.isupper() else what)
