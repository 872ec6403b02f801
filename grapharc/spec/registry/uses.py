"""The ``use`` tables of registries go in; what each takes, under which name and with what added, comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from grapharc.spec.documents.registry import UseModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Place, Related
from grapharc.spec.frozen import field, frozen, record
from grapharc.spec.globs import forbidden_character
from grapharc.spec.json_value import Json, Path
from grapharc.spec.offers import Capability, Dimension
from grapharc.spec.registry.cost import Written, amounts_of
from grapharc.spec.registry.layers import Layer
from grapharc.spec.registry.manifest import Manifest
from grapharc.spec.registry.manifests import Manifests
from grapharc.spec.source import Span

SaidT = TypeVar("SaidT")


@frozen
class Said(Generic[SaidT]):
    """One thing that a use says, and where."""

    value: SaidT
    path: Path
    faults: Faults


@record
class Use:
    """What one or more registries of a chain say under one name: an alias, a kind's name, or a glob over names."""

    name: str
    pattern: str
    source: Manifest | None
    alias: str | None
    path: Path
    faults: Faults
    version: Said[str] | None = None
    pins: dict[str, Said[Json]] = field(default_factory=dict[str, Said[Json]])
    cost: dict[Dimension, Said[Written]] = field(default_factory=dict[Dimension, Said[Written]])
    capabilities: set[Capability] = field(default_factory=set[Capability])
    labels: set[str] = field(default_factory=set[str])
    endorses: dict[str, Said[str]] = field(default_factory=dict[str, Said[str]])

    @property
    def is_glob(self) -> bool:
        """Whether it may take more than one kind."""
        return is_glob(self.pattern)

    @property
    def place(self) -> Place:
        """Where it is written."""
        return self.faults.place((*self.path, "kind"))


@frozen
class Uses:
    """All uses of a chain, by name; ``missing`` are globs over the names of those that could not be made out."""

    uses: Mapping[str, Use]
    missing: tuple[str, ...]


def read_uses(layers: Sequence[Layer], manifests: Manifests) -> Uses:
    """Take the uses of a chain together; one of an extending registry changes its base's of the same name."""
    uses: dict[str, Use] = {}
    missing: list[str] = []
    for layer in layers:
        own: dict[str, Use] = {}
        for index, model in layer.model.use.items():
            path = ("use", index)
            if not _is_well_formed(model, path, layer.faults):
                missing.append("*" if model.as_ is None else model.as_)
            elif (use := _use(model, path, layer, uses, own, manifests)) is None:
                missing.append(model.as_ or model.kind)
            else:
                own[use.name] = use
        uses.update(own)
        missing += ["*" for hole in layer.document.damaged if hole[:1] in ((), ("use",)) and len(hole) < 3]
    return Uses(uses, tuple(dict.fromkeys(missing)))


def is_glob(pattern: str) -> bool:
    """Tell whether a kind is named by a pattern."""
    return "*" in pattern or "?" in pattern


def _is_well_formed(model: UseModel, path: Path, faults: Faults) -> bool:
    found = forbidden_character(model.kind)
    if found is not None:
        span, values = Span(found[0], found[0] + 1), {"pattern": model.kind, "character": found[1]}
        faults.add("inert_pattern", (*path, "kind"), values, within=span)
    elif model.as_ is not None and is_glob(model.kind):
        faults.add("alias_of_many", (*path, "as"), {"alias": model.as_, "pattern": model.kind})
    else:
        return True
    return False


def _use(
    model: UseModel,
    path: Path,
    layer: Layer,
    bases: Mapping[str, Use],
    own: Mapping[str, Use],
    manifests: Manifests,
) -> Use | None:
    faults = layer.faults
    source = None if model.from_ is None else manifests.named(model.from_, (*path, "from"), faults)
    if source is None and model.from_ is not None:
        return None
    name = _name(model, source)
    if name in own:
        related = (Related("first_here", own[name].place),)
        faults.add("kind_offered_twice", (*path, "kind"), {"kind": model.as_ or model.kind}, related=related)
        return None
    base = bases.get(name)
    if base is None:
        use = Use(name, model.kind, source, model.as_, path, faults)
    elif model.kind not in (base.pattern, base.alias) or (source is not None and source is not base.source):
        values = {"name": model.as_ or model.kind, "kind": base.pattern}
        faults.add("override_of_another_kind", path, values, related=(Related("first_here", base.place),))
        return None
    else:
        use = _copy(base, path, faults)
    _say(use, model, path, faults)
    return use


def _name(model: UseModel, source: Manifest | None) -> str:
    """What a use is known by: a glob by its text and its manifest, which no name of a kind can be taken for."""
    if is_glob(model.kind):
        return f"{model.kind} of {'' if source is None else source.path}"
    return model.as_ or model.kind


def _copy(base: Use, path: Path, faults: Faults) -> Use:
    return Use(
        base.name,
        base.pattern,
        base.source,
        base.alias,
        path,
        faults,
        base.version,
        dict(base.pins),
        dict(base.cost),
        set(base.capabilities),
        set(base.labels),
        dict(base.endorses),
    )


def _say(use: Use, model: UseModel, path: Path, faults: Faults) -> None:
    """Add what a registry says to what its bases said: it may override pins and costs, and only add the rest."""
    if model.version is not None:
        use.version = Said(model.version, (*path, "version"), faults)
    for name, value in model.args.items():
        use.pins[name] = Said(value, (*path, "args", name), faults)
    for dimension, amount in amounts_of(model.cost).items():
        use.cost[dimension] = Said(amount, (*path, "cost", dimension), faults)
    use.capabilities.update(model.capabilities)
    use.labels.update(model.labels)
    for number, label in enumerate(model.endorses):
        use.endorses[label] = Said(label, (*path, "endorses", number), faults)
