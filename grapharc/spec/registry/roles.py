"""The ``models`` tables of registries go in; the roles that a graph may name come out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grapharc.spec.documents.registry import RoleModel
from grapharc.spec.json_value import value_at
from grapharc.spec.loader import Loader
from grapharc.spec.named import resolve_named
from grapharc.spec.offers import Kind, Price, Role
from grapharc.spec.registry.layers import Layer
from grapharc.spec.suggest import suggest

MOCK = "mock/"
"""A role whose ``spec`` begins so answers from the file that is named after it."""

BACKENDS = ("claude-cli", "mock", "ollama", "openai", "openrouter")
"""What may stand before the '/' of a model. A version need not have them all: documents outlive versions, so
which of them answer here is for a run to say."""

_SPEC = re.compile(r"[A-Za-z0-9_.-]+/\S+")


def read_roles(layers: Sequence[Layer], kinds: Iterable[Kind], loader: Loader) -> dict[str, Role]:
    """Return the roles by name; one of an extending registry takes the place of its base's.

    ``kinds`` are those on offer. Where none of them asks for a model by our backends, the owner's own kinds may know
    others, and nothing is said of any.
    """
    by_ours = any(kind.is_ours and "model" in kind.capabilities for kind in kinds)
    roles: dict[str, Role] = {}
    for layer in layers:
        for name, model in layer.model.models.items():
            roles[name] = _role(name, model, layer, loader, by_ours)
    return {name: roles[name] for name in sorted(roles)}


def missing_roles(layers: Sequence[Layer]) -> frozenset[str]:
    """Return the names of roles that are written down but could not be made out; ``*`` where the names could not."""
    holes = {hole for layer in layers for hole in layer.document.damaged if hole[:1] in ((), ("models",))}
    return frozenset(str(hole[1]) if len(hole) > 1 else "*" for hole in holes)


def _role(name: str, model: RoleModel, layer: Layer, loader: Loader, by_ours: bool) -> Role:
    path = ("models", name)
    is_short = isinstance(value_at(layer.document.text.value, path), str)
    where = path if is_short else (*path, "spec")
    file = None
    if _SPEC.fullmatch(model.spec) is None:
        layer.faults.add("malformed_model_spec", where, {"spec": model.spec, "role": name}, subject=name)
    elif model.spec.startswith(MOCK):
        file = resolve_named(model.spec.removeprefix(MOCK), where, loader, layer.faults)
    elif by_ours and (backend := model.spec.partition("/")[0]) not in BACKENDS:
        near = suggest(backend, BACKENDS)
        values = {"backend": backend, "role": name, "suggestion": near, "known": () if near else BACKENDS}
        layer.faults.add("unknown_backend", where, values, subject=name)
    price = None if model.price is None else Price(model.price.input, model.price.output)
    if price is None and model.spec.startswith(MOCK):
        price = Price(0.0, 0.0)
    return Role(name, model.spec, file, price, model.max_tokens, layer.faults.place(path, "key"))
