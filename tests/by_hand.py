"""Graphs made by hand out of Python functions, for what no document can show: where a run meets the code of kinds."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from grapharc.compiler.assemble import Admitted, assemble
from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.engine import Checkpointer
from grapharc.compiler.plans import Surroundings
from grapharc.runtime.budget import Declared
from grapharc.spec.document import Layout, Text
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.syntax import Name
from grapharc.spec.finding import Place
from grapharc.spec.flow.facts import facts
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import Budget, Edge, LinkedGraph, Node, Read, Write
from grapharc.spec.offers import Capability, Field, Kind, Offer, Port, Reducer, Registry, Role
from grapharc.spec.source import Source, Span
from grapharc.spec.types import INTEGER, MISSING, Missing, Type

HERE = Place("by_hand.py")
MODULE = "kinds_made_by_hand"


class _NoLayout:
    """The layout of a text that was never written."""

    def span(self, path: Path, part: str = "value") -> Span:
        return Span(0, 0)

    def inner(self, path: Path, within: Span) -> Span:
        return Span(0, 0)


LAYOUT: Layout = _NoLayout()
NO_TEXT = Text(Source("by_hand.py", ""), "json", None, LAYOUT, True)


def field(
    name: str,
    type_: Type = INTEGER,
    default: Json | Missing = MISSING,
    *,
    given: bool = False,
    output: bool = False,
    reducer: Reducer = "last",
) -> Field:
    """Make a field of the state; ``given`` is what documents call an input."""
    return Field(name, type_, default, given, output, (), reducer, HERE)


def name_expression(field_: Field) -> Checked:
    """Make the expression that is a field's name."""
    tree = Name(field_.name, Span(0, len(field_.name)))
    return Checked(field_.name, tree, field_.type, (field_.name,), ((field_.name,),), {tree.span: field_.type}, 1)


def node(
    name: str,
    function: Callable[..., object],
    reads: Mapping[str, Field] | Sequence[Field] = (),
    writes: Mapping[str, Field] | Sequence[Field] = (),
    *,
    args: Mapping[str, Json] | None = None,
    schema: Mapping[str, Json] | None = None,
    roles: tuple[str, ...] = (),
    capabilities: tuple[Capability, ...] = (),
    env: tuple[str, ...] = (),
    kind: str = "",
    entry: str = "",
) -> Node:
    """Make a node whose kind is a function; ports are named like fields where only fields are given."""
    into = {f.name: f for f in writes} if isinstance(writes, Sequence) else dict(writes)
    from_ = {f.name: f for f in reads} if isinstance(reads, Sequence) else dict(reads)
    args = args or {}
    properties: Json = {key: {} for key in args}
    made = Kind(
        name=kind or f"own.{name}",
        version="1",
        summary="",
        entry=entry or f"{MODULE}:{_register(name, function)}",
        manifest="kinds.toml",
        capabilities=capabilities,
        labels=(),
        endorses=(),
        idempotent=True,
        tool=False,
        reads={port: Port(port, f.type, MISSING, None, HERE) for port, f in from_.items()},
        writes={port: Port(port, f.type, MISSING, None, HERE) for port, f in into.items()},
        args=schema or {"type": "object", "properties": properties, "required": sorted(args)},
        cost={},
        env=env,
        place=HERE,
    )
    return Node(
        name=name,
        offer=Offer(made.name, made, {}, capabilities, (), (), {}, HERE),
        args=args,
        templates=(),
        expressions=(),
        held=(),
        reads=tuple(Read(port, name_expression(f), (f.name,), False, HERE) for port, f in from_.items()),
        writes=tuple(Write(port, f.name, False, HERE) for port, f in into.items()),
        variables={},
        roles=roles,
        map=None,
        retry=None,
        timeout_seconds=None,
        spot=HERE,
    )


def _register(name: str, function: Callable[..., object]) -> str:
    """Put a function where its entry says it is."""
    module = sys.modules.setdefault(MODULE, ModuleType(MODULE))
    attribute = f"{name}_{id(function)}"
    setattr(module, attribute, function)
    return attribute


def linked(
    fields: Sequence[Field],
    nodes: Sequence[Node],
    edges: Sequence[tuple[str, str]] | None = None,
    roles: Sequence[Role] = (),
) -> LinkedGraph:
    """Make a linked graph; without edges its nodes are a chain."""
    chain = ["__start__", *(n.name for n in nodes), "__end__"]
    pairs = list(itertools.pairwise(chain)) if edges is None else edges
    registry = Registry(
        name="by hand",
        version="",
        offers={n.offer.name: n.offer for n in nodes},
        roles={role.name: role for role in roles},
        fields={},
        types={},
        ambiguous={},
        texts={},
        findings=(),
        missing_offers=(),
        missing_roles=frozenset(),
        missing_fields=frozenset(),
        missing_types=frozenset(),
    )
    return LinkedGraph(
        name="by-hand",
        version="1",
        document=NO_TEXT,
        registry=registry,
        fields={f.name: f for f in fields},
        types={},
        nodes={n.name: n for n in nodes},
        edges=tuple(Edge(source, target, HERE) for source, target in pairs),
        budget=Budget(),
        files={},
        texts={},
        unlinked=frozenset(),
        unbound=frozenset(),
        missing_fields=frozenset(),
        missing_edges=False,
        findings=(),
    )


def graph(
    fields: Sequence[Field],
    nodes: Sequence[Node],
    edges: Sequence[tuple[str, str]] | None = None,
    *,
    budget: Budget | None = None,
    declared: Mapping[str, Declared] | None = None,
    roles: Sequence[Role] = (),
    around: Surroundings | None = None,
    checkpointer: Checkpointer | None = None,
    fingerprint: str = "by hand",
) -> CompiledGraph:
    """Compile a graph that is made by hand, as if it had been admitted; nodes may spend what they like."""
    made = linked(fields, nodes, edges, roles)
    free = Declared()
    admitted = Admitted(
        graph=made,
        flow=facts(made),
        budget=budget or Budget(),
        declared={n.name: (declared or {}).get(n.name, free) for n in nodes},
        record={},
        fingerprint=fingerprint,
    )
    return assemble(admitted, around or Surroundings(), checkpointer)


def raw(state: type[Any], nodes: Mapping[str, Callable[..., object]]) -> Any:
    """Build the same chain on LangGraph alone, to show what it lets happen."""
    from langgraph.graph import END, START, StateGraph

    builder: Any = StateGraph(state)
    names = [START, *nodes, END]
    for name, function in nodes.items():
        builder.add_node(name, function)
    for source, target in itertools.pairwise(names):
        builder.add_edge(source, target)
    return builder.compile()
