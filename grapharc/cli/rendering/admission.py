"""An admission goes in; what a person wants to know of it before a run comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import Role, paint
from grapharc.policy.admission import Admission
from grapharc.policy.owner.policy import DEFAULT_TENANT, Policy
from grapharc.project.settings import BUILT_IN
from grapharc.spec.linked import Budget
from grapharc.spec.offers import Dimension, Registry

_VERDICTS: dict[str, tuple[str, Role]] = {
    "admitted": ("admitted", "good"),
    "needs_approval": ("waits for approval", "warning"),
    "refused": ("refused", "error"),
}

_SHOWN: tuple[Dimension, ...] = ("iterations", "tokens", "usd", "seconds")


def admission_text(admission: Admission, layers: Mapping[str, str], *, colour: bool = False) -> str:
    """Return the verdict, whose rules gave it, and what the graph may touch and spend.

    ``layers`` says by path who named the registry and each policy.
    """
    words, role = _VERDICTS[admission.verdict]
    lines = [f"{paint(words, role, colour)}: {printable(_title(admission))}"]
    lines += [
        f"  {paint(f'{name:<12}', 'title', colour)} {printable(value)}" for name, value in _rows(admission, layers)
    ]
    return "".join(f"{line}\n" for line in lines)


def amount(dimension: str, value: float) -> str:
    """Return an amount with its unit: ``4096 tokens``, ``2.5 seconds``, ``0.15 usd``."""
    number = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"{number} {dimension[:-1] if value == 1 and dimension.endswith('s') else dimension}"


def _title(admission: Admission) -> str:
    graph = admission.graph
    name = f"graph '{graph.name}'" if graph.name else f"the graph in {graph.document.source.path}"
    version = f" version {graph.version}" if graph.version else ""
    return f"{name}{version}" + ("" if admission.tenant == DEFAULT_TENANT else f", for tenant '{admission.tenant}'")


def _rows(admission: Admission, layers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "registry", _registry(admission.graph.registry, layers)
    yield "policies", ", ".join(_policy(policy, layers) for policy in admission.policies)
    yield "may touch", ", ".join(admission.capabilities) or "nothing: every node is pure"
    yield "worst case", ", ".join(_worst(admission)) or "nothing"
    yield "budget", ", ".join(_budget(admission.budget)) or "none is set"
    for approval in admission.approvals:
        who = f"role '{approval.role}'" if approval.role else "a person"
        yield "asks", f"{who} before '{approval.before}'"
    for node, rules in _left(admission).items():
        yield "left to run", f"{', '.join(rules)} before '{node}'"


def _left(admission: Admission) -> Mapping[str, list[str]]:
    """The rules that are decided before each activation of a node, by the node."""
    found: dict[str, list[str]] = {}
    for ruling in admission.rulings:
        for _, rule in ruling.pending:
            for node in ruling.nodes:
                rules = found.setdefault(node.name, [])
                if f"rule '{rule.id}'" not in rules:
                    rules.append(f"rule '{rule.id}'")
    return dict(sorted(found.items()))


def _registry(registry: Registry, layers: Mapping[str, str]) -> str:
    named = [path for path in registry.texts if path in layers]
    return f"{named[0]} ({layers[named[0]]})" if named else "all shipped kinds (built-in)"


def _policy(policy: Policy, layers: Mapping[str, str]) -> str:
    version = f" version {policy.version}" if policy.version and policy.path in layers else ""
    return f"{policy.title}{version} ({layers.get(policy.path, BUILT_IN)})"


def _worst(admission: Admission) -> Iterator[str]:
    """What a run may cost at worst: a sum of what is known, and who is left out of it."""
    worst = admission.flow.worst
    for name in _SHOWN:
        unknown = worst.unknown.get(name, ())
        if worst.known.get(name) or (unknown and name != "seconds"):
            known = amount(name, worst.known.get(name, 0))
            yield f"{known} and what {', '.join(unknown)} may spend" if unknown else known


def _budget(budget: Budget) -> Iterator[str]:
    ceilings = {
        "iterations": budget.max_iterations,
        "tokens": budget.max_tokens,
        "usd": budget.max_usd,
        "seconds": budget.max_seconds,
    }
    yield from (amount(name, value) for name, value in ceilings.items() if value is not None)
    if budget.max_concurrency is not None:
        yield f"{budget.max_concurrency} at one time"
