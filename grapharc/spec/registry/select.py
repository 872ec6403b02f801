"""Uses and manifests go in; which kind is offered under which name, and by which use, comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grapharc.spec.finding import Related
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import matches
from grapharc.spec.offers import Kind
from grapharc.spec.registry.manifest import Manifest
from grapharc.spec.registry.uses import Use, Uses
from grapharc.spec.suggest import suggest


@frozen
class Selected:
    """One kind under the name that graphs know it by."""

    kind: Kind
    use: Use


@frozen
class Selection:
    """All that is offered, by name; ``missing`` are globs over the names of what could not be made out."""

    selected: Mapping[str, Selected]
    missing: tuple[str, ...]


def select(uses: Uses, shipped: tuple[Manifest, ...]) -> Selection:
    """Find the kinds that uses take. An exact use takes its kind out of every glob."""
    selected: dict[str, Selected] = {}
    missing = list(uses.missing)
    taken: set[tuple[str, str]] = set()
    for use in (use for use in uses.uses.values() if not use.is_glob):
        manifests = shipped if use.source is None else (use.source,)
        taken.update((manifest.path, use.pattern) for manifest in manifests)
        kind = next((manifest.kinds[use.pattern] for manifest in manifests if use.pattern in manifest.kinds), None)
        if kind is None:
            missing.append(use.name)
            _tell_unknown(use, manifests)
        else:
            _offer(use.name, Selected(kind, use), selected)
    for use in (use for use in uses.uses.values() if use.is_glob):
        manifests = shipped if use.source is None else (use.source,)
        missing += _missing_of(use, manifests)
        found = list(_matching(use, manifests))
        if not found and not missing:
            use.faults.add("use_takes_nothing", (*use.path, "kind"), {"pattern": use.pattern, "from": _from(use)})
        fresh = [kind for kind in found if (kind.manifest, kind.name) not in taken]
        _offer_all(fresh, use, selected)
    return Selection({name: selected[name] for name in sorted(selected)}, tuple(dict.fromkeys(missing)))


def _offer(name: str, offered: Selected, selected: dict[str, Selected]) -> bool:
    if name not in selected:
        selected[name] = offered
        return True
    use = offered.use
    related = (Related("first_here", selected[name].use.place),)
    use.faults.add("kind_offered_twice", (*use.path, "kind"), {"kind": name}, subject=name, related=related)
    return False


def _offer_all(kinds: Iterable[Kind], use: Use, selected: dict[str, Selected]) -> None:
    """Offer what a glob takes; that it overlaps with another use is told once."""
    rivals: set[str] = set()
    for kind in kinds:
        other = selected.get(kind.name)
        if other is None:
            selected[kind.name] = Selected(kind, use)
        elif other.use.name not in rivals:
            rivals.add(other.use.name)
            _offer(kind.name, Selected(kind, use), selected)


def _matching(use: Use, manifests: tuple[Manifest, ...]) -> Iterator[Kind]:
    for manifest in manifests:
        for name in sorted(manifest.kinds):
            if matches(use.pattern, name):
                yield manifest.kinds[name]


def _missing_of(use: Use, manifests: tuple[Manifest, ...]) -> list[str]:
    """Names that a glob would take if they could be made out."""
    broken = [name for manifest in manifests for name in sorted(manifest.broken) if matches(use.pattern, name)]
    return broken + [use.pattern for manifest in manifests if not manifest.all_named]


def _tell_unknown(use: Use, manifests: tuple[Manifest, ...]) -> None:
    if any(use.pattern in manifest.broken or not manifest.all_named for manifest in manifests):
        return
    known = [name for manifest in manifests for name in manifest.kinds]
    values = {"kind": use.pattern, "from": _from(use), "suggestion": suggest(use.pattern, known)}
    use.faults.add("unknown_kind", (*use.path, "kind"), values, subject=use.pattern)


def _from(use: Use) -> str:
    return "" if use.source is None else use.source.path
