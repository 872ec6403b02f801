"""A node in; what one activation of it may cost at worst, out.

Amounts are numbers, or expressions over ``args``, ``timeout_seconds`` and ``size(port)``. A port is as large as its
type allows, or that of the field it is bound to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, isfinite

from grapharc.spec.expressions.bounds import highest
from grapharc.spec.expressions.checked import Checked
from grapharc.spec.expressions.evaluate import compile_expression
from grapharc.spec.expressions.evaluation import EvaluationError
from grapharc.spec.expressions.syntax import Name
from grapharc.spec.flow.amounts import Amounts, at_most, plus, times
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import LinkedGraph, Node
from grapharc.spec.offers import Amount, Dimension, Field, Offer, Registry
from grapharc.spec.types import NULL, Constrained, OneOf, Singleton, Type


def activations(graph: LinkedGraph, inside: Mapping[str, Amounts]) -> Mapping[str, Amounts]:
    """Compute the worst case of one activation of each node; ``inside`` is what those that are subgraphs run."""
    compiled: dict[int, Callable[[Mapping[str, object]], object]] = {}
    plain: dict[str, Amounts] = {}
    found: dict[str, Amounts] = {}
    for name, node in graph.nodes.items():
        offer = node.offer
        known = plain.get(offer.name)
        if known is None or node.held or node.roles or name in inside:
            known = _activation(node, graph, compiled, inside.get(name))
            if not (node.held or node.roles or name in inside or any(map(_is_checked, offer.cost.values()))):
                plain[offer.name] = known  # of such a node it depends on its kind alone
        found[name] = known
    return found


def _is_checked(amount: Amount) -> bool:
    return isinstance(amount, Checked)


def _activation(
    node: Node,
    graph: LinkedGraph,
    compiled: dict[int, Callable[[Mapping[str, object]], object]],
    inside: Amounts | None,
) -> Amounts:
    scope = _Scope(node, graph.fields, compiled)
    own = scope.of(node.offer)
    if inside is not None:
        # The node itself takes no time beside what it runs, unless its owner says so.
        own = Amounts(*(plus(mine or 0, theirs) for mine, theirs in zip(own, inside, strict=True)))
    turns = own.iterations
    tokens, usd, seconds = own.tokens, own.usd, own.seconds
    for offer in node.held:
        # In each turn an agent may use each kind it holds; what the kinds do is no turn of the agent.
        held = scope.of(offer)
        tokens = plus(tokens, times(turns, held.tokens))
        usd = plus(usd, times(turns, held.usd))
        seconds = plus(seconds, times(turns, held.seconds))
    usd = plus(usd, _price(node, graph.registry, tokens))
    return Amounts(*(None if amount is None else at_most(amount) for amount in (tokens, usd, seconds, turns)))


@frozen
class _Scope:
    node: Node
    fields: Mapping[str, Field]
    compiled: dict[int, Callable[[Mapping[str, object]], object]]

    def of(self, offer: Offer) -> Amounts:
        cost = offer.cost
        models = "model" in offer.capabilities
        tokens = self.amount(cost, "tokens", None if models else 0)
        return Amounts(
            tokens=None if tokens is None else ceil(tokens),
            usd=self.amount(cost, "usd", 0),
            seconds=self.amount(cost, "seconds", None),
            iterations=self.amount(cost, "iterations", 1),
        )

    def amount(self, cost: Mapping[Dimension, Amount], dimension: Dimension, absent: int | None) -> int | float | None:
        amount = cost.get(dimension, absent)
        if isinstance(amount, Checked):
            amount = self.evaluate(amount)
        return amount

    def evaluate(self, expression: Checked) -> int | float | None:
        known: dict[str, object] = {"args": self.node.args}
        if self.node.timeout_seconds is not None:
            known["timeout_seconds"] = self.node.timeout_seconds
        if not known.keys() >= set(expression.reads):
            ports = (name for name in expression.reads if name in self.node.offer.kind.reads)
            sizes = {name: size for name in ports if (size := self.size(name)) is not None}
            value = highest(expression, known, sizes)
            return None if value is None else max(value, 0)
        run = self.compiled.get(id(expression))
        if run is None:
            run = self.compiled[id(expression)] = compile_expression(expression)
        try:
            value = run(known)
        except EvaluationError:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            return None
        return max(value, 0)

    def size(self, port: str) -> int | None:
        """Say how large a port may be: of the limits that its type and its field's have, the least."""
        sizes = [_largest(self.node.offer.kind.reads[port].type)]
        for read in self.node.reads:
            if read.port == port:
                tree = read.expression.tree
                field = self.fields.get(tree.name) if isinstance(tree, Name) else None
                sizes.append(_largest(field.type if field else read.expression.type))
        return min((size for size in sizes if size is not None), default=None)


def _largest(type_: Type) -> int | None:
    """Give the largest size of a string, list or map of a type; None without a limit."""
    match type_:
        case Constrained(base, constraints):
            limits = [
                v
                for word, v in constraints
                if word in ("maxItems", "maxLength", "maxProperties") and isinstance(v, int)
            ]
            inner = _largest(base)
            return min([*limits, *([] if inner is None else [inner])], default=None)
        case Singleton(value):
            return len(value)
        case OneOf(options):
            sizes = [_largest(option) for option in options if option != NULL]
            known = [size for size in sizes if size is not None]
            return max(known) if known and len(known) == len(sizes) else None
        case _:
            return None


def _price(node: Node, registry: Registry, tokens: float | None) -> float | None:
    """Price all tokens at the dearer of a role's two prices, of several roles the dearest."""
    if tokens == 0:
        return 0.0
    prices = [role.price if (role := registry.roles.get(name)) else None for name in node.roles]
    dearest = max((max(price.input, price.output) for price in prices if price), default=0.0)
    return None if None in prices else times(tokens, dearest / 1_000_000)
