"""The registry selection: which kinds, models and shared fields exist here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from grapharc.spec.documents.manifest import CostModel
from grapharc.spec.documents.typed import Head, Remarks, State, Types
from grapharc.spec.documents.words import (
    CLOSED,
    Amount,
    Anything,
    FieldName,
    Filled,
    Name,
    Positive,
    Rows,
    Texts,
    table,
)
from grapharc.spec.frozen import field, frozen
from grapharc.spec.offers import Capability


@frozen(kw_only=True)
class UseModel(Remarks):
    """Kinds taken into the registry."""

    kind: Filled
    """A kind's name, or a glob over the shipped kinds or those of ``from``."""
    from_: Filled | None = None
    """The manifest that states the kind; a shipped one when left out."""
    version: str | None = None
    """The version that the kind must have."""
    as_: FieldName | None = None
    """The name under which graphs use the kind."""
    args: Mapping[str, Anything] = field(default_factory=table)
    """Arguments that no graph can set any more."""
    cost: CostModel = field(default_factory=CostModel)
    """The owner's worst case, which beats the manifest's."""
    capabilities: tuple[Capability, ...] = ()
    """Capabilities to add; none can be taken away."""
    labels: Texts = ()
    """Labels to add to what the kind writes."""
    endorses: Texts = ()
    """Labels that an own kind is trusted to take away."""


@frozen(kw_only=True)
class PriceModel:
    """US dollars for a million tokens."""

    __pydantic_config__ = CLOSED

    input: Amount
    """For tokens that go in."""
    output: Amount
    """For tokens that come out."""


@frozen(kw_only=True)
class RoleModel:
    """A model behind a role."""

    __pydantic_config__ = CLOSED
    __short__: ClassVar[str] = "spec"

    spec: Filled
    """Backend and model, as in ``openai/gpt-4o-mini``; ``mock/FILE`` answers from a file."""
    price: PriceModel | None = None
    """What the model costs; without it no ceiling in dollars can be kept."""
    max_tokens: Positive | None = None
    """The most tokens of one call, prompt and reply together."""


@frozen(kw_only=True)
class RegistryModel(Head):
    """A registry selection."""

    name: str = ""
    """What the registry is called in records."""
    extends: Filled | None = None
    """Another registry that this one takes over, roles and pins overridden by name."""
    use: Rows[UseModel] = field(default_factory=table)
    """The kinds that exist here."""
    models: Mapping[Name, RoleModel] = field(default_factory=table)
    """The roles; a bare string is the role's ``spec``."""
    state: State = field(default_factory=table)
    """Fields shared by every graph under this registry."""
    types: Types = field(default_factory=table)
    """Types shared by every graph under this registry."""
