"""The kind manifest: what kinds there are, as data; nothing it names is imported here."""

from __future__ import annotations

from typing import TypeAlias

from grapharc.spec.documents.typed import Head, Inputs, Outputs, Suppression, Types
from grapharc.spec.documents.words import CLOSED, Amount, Arguments, Count, Filled, Name, Rows, Texts, table
from grapharc.spec.frozen import field, frozen
from grapharc.spec.offers import Capability

Worst: TypeAlias = Count | Amount | Filled
"""A number, or an expression over ``args``, ``timeout_seconds`` and ``size(port)``."""


@frozen(kw_only=True)
class CostModel:
    """The worst case of one activation."""

    __pydantic_config__ = CLOSED

    tokens: Worst | None = None
    """Tokens, prompts and replies together."""
    usd: Worst | None = None
    """US dollars beside those that tokens cost."""
    seconds: Worst | None = None
    """Seconds by the wall clock."""
    iterations: Worst | None = None
    """Turns, for kinds that take more than one."""


@frozen(kw_only=True)
class KindModel:
    """One kind of node."""

    __pydantic_config__ = CLOSED

    name: Name
    """The kind's name."""
    version: Filled = "1"
    """The owner's version of the code behind ``entry``; to be bumped when that changes."""
    summary: str = ""
    """One sentence on what it does."""
    description: str = ""
    """What else there is to say."""
    entry: Filled
    """``package.module:function`` of an installed distribution, or ``file.py:function`` beside the manifest."""
    capabilities: tuple[Capability, ...]
    """All that it may touch; ``[]`` says that it is pure."""
    labels: Texts = ()
    """Labels added to what it writes."""
    endorses: Texts = ()
    """Labels taken from what passes through."""
    idempotent: bool = False
    """Whether running it twice does no more than running it once."""
    tool: bool = False
    """Whether an agent may hold it."""
    env: Texts = ()
    """What it may read from the environment; the values, as they are, are redacted in records and on streams."""
    reads: Inputs = field(default_factory=table)
    """Input ports; a bare string is the port's type."""
    writes: Outputs = field(default_factory=table)
    """Output ports; a bare string is the port's type."""
    args: Arguments = field(default_factory=table)
    """The JSON Schema (2020-12) of its arguments; references are local, patterns are RE2."""
    cost: CostModel = field(default_factory=CostModel)
    """The worst case of one activation."""
    suppress: Rows[Suppression] = field(default_factory=table)
    """Lint findings about this that are accepted."""


@frozen(kw_only=True)
class ManifestModel(Head):
    """A kind manifest."""

    name: str = ""
    """What the manifest is called."""
    types: Types = field(default_factory=table)
    """Types that its kinds use and export."""
    kind: Rows[KindModel] = field(default_factory=table)
    """The kinds."""
