"""The policy test document: what policies are asked, and what they are expected to answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from grapharc.spec.documents.policy import Resource
from grapharc.spec.documents.typed import Head
from grapharc.spec.documents.words import CLOSED, Amount, Anything, Filled, Name, Rows, Texts, table
from grapharc.spec.frozen import field, frozen

Expected: TypeAlias = Literal["admitted", "allow", "ask", "deny", "needs_approval", "refused"]


@frozen(kw_only=True)
class RequestModel:
    """One request, as a node, a tool call, an edge, a way between kinds, or what is spent would make it."""

    __pydantic_config__ = CLOSED

    resource: Resource
    """What the request is about."""
    kind: Filled | None = None
    """Of a node, a tool or what spends: its kind, by the name in use."""
    source: Filled | None = None
    """Of an edge, a path or a flow: the kind it leaves, or ``__start__``."""
    target: Filled | None = None
    """Of an edge, a path or a flow: the kind it leads to, or ``__end__``."""
    via: Texts = ()
    """Of a path or a flow: the kinds that stand in between, or pass the data on."""
    labels: Texts = ()
    """Of a flow: labels that the data carries beside those of its source."""
    args: Mapping[str, Anything] = field(default_factory=table)
    """The arguments; what is pinned and what has a default need not be given."""
    inputs: Mapping[str, Anything] = field(default_factory=table)
    """The values of the input ports."""
    role: Filled | None = None
    """Of what spends: the model's role."""
    usd: Amount | None = None
    """Of what spends: what this call may cost at worst."""
    spent: Amount | None = None
    """Of what spends: what the run has spent before."""
    node: Mapping[str, Anything] = field(default_factory=table)
    """What conditions read of the node: ``roles``, ``in_loop``, ``in_map``, ``timeout_seconds``; of a tool, as its
    ``kind``, that of the agent that holds it."""
    graph: Mapping[str, Anything] = field(default_factory=table)
    """What conditions read of the graph: ``capabilities``, ``labels``, ``node_count``, ``depth``."""
    tenant: Filled | None = None
    """For whom it would run; nobody in particular when left out."""


@frozen(kw_only=True)
class ExpectedFindingModel:
    """A finding that a graph is expected to get."""

    __pydantic_config__ = CLOSED
    __short__: ClassVar[str] = "code"

    code: Filled
    """Its code."""
    rule: Name | None = None
    """The rule of a policy that it names."""


@frozen(kw_only=True)
class CaseModel:
    """One question to the policies, and the answer that is right."""

    __pydantic_config__ = CLOSED

    name: Filled
    """What the case shows, in words."""
    expect: Expected
    """The answer: ``deny``, ``ask`` or ``allow`` to a request; ``refused``, ``needs_approval`` or ``admitted`` of a
    graph."""
    request: RequestModel | None = None
    """The request that is made."""
    graph: Anything = None
    """The graph that is judged whole: the path of a document, or a graph written out in place."""
    tenant: Filled | None = None
    """For whom the graph would run; nobody in particular when left out."""
    rule: Name | None = None
    """The rule that is expected to decide."""
    default: bool | None = None
    """Whether the default is expected to decide, and no rule."""
    role: Name | None = None
    """The role whose people are expected to be asked."""
    findings: Rows[ExpectedFindingModel] = field(default_factory=table)
    """Of a graph: every error and everything that waits for a person, by code; lint only where it is listed."""


@frozen(kw_only=True)
class CasesModel(Head):
    """A policy test document."""

    policy: Texts = ()
    """The policies that are tested; those of the project when left out."""
    registry: Filled | None = None
    """The registry selection whose kinds are meant; that of the project when left out."""
    case: Rows[CaseModel] = field(default_factory=table)
    """The cases, in order."""
