"""The project document, ``grapharc.toml``: what a command uses when it is not told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from grapharc.spec.documents.graph import BudgetModel
from grapharc.spec.documents.typed import Head
from grapharc.spec.documents.words import CLOSED, Filled, Name, Rows, SomeTexts, Texts, table
from grapharc.spec.frozen import field, frozen

Level: TypeAlias = Literal["error", "note", "off", "warning"]


@frozen(kw_only=True)
class SettingsModel:
    """Where a project's documents are."""

    __pydantic_config__ = CLOSED

    registry: Filled | None = None
    """The registry selection."""
    policy: Texts = ()
    """The policies, all of which hold."""
    tenant: Filled | None = None
    """The tenant for whom graphs are run."""
    graphs: Texts = ()
    """Globs of the graphs that are checked when none is named."""
    workspace: Filled | None = None
    """The folder that kinds may touch; the project folder when left out."""


@frozen(kw_only=True)
class OverrideModel:
    """What holds for some documents only."""

    __pydantic_config__ = CLOSED

    paths: SomeTexts
    """Globs of the documents, as findings show their paths: `*` within a name, `**` for any number of folders."""
    severity: Mapping[str, Level] = field(default_factory=table)
    """Severities of lint codes in these documents; of several overrides the last one that names a code decides."""


@frozen(kw_only=True)
class ProjectModel(Head):
    """A project document."""

    name: str = ""
    """What the project is called."""
    grapharc: SettingsModel = field(default_factory=SettingsModel)
    """Where the project's documents are."""
    severity: Mapping[str, Level] = field(default_factory=table)
    """Severities of lint codes."""
    overrides: Rows[OverrideModel] = field(default_factory=table)
    """Severities for some documents, over those of all."""
    budget: BudgetModel = field(default_factory=BudgetModel)
    """Ceilings of every run in this project."""
    approvers: Mapping[Name, Texts] = field(default_factory=table)
    """The people of each role, as ``user:NAME`` or ``key:FILE``."""
