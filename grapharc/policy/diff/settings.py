"""A project document as it was and as it is go in; what it says otherwise of authority and cost comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import About, direction_of_amounts, direction_of_paths
from grapharc.policy.diff.change import Change
from grapharc.spec.documents.graph import CEILINGS, ceilings_by_name
from grapharc.spec.documents.project import Level, OverrideModel, ProjectModel
from grapharc.spec.finding import Place


def settings_changes(old: ProjectModel, new: ProjectModel, path: str) -> Iterator[Change]:
    """Yield what changed; what the documents that it names say is told of them."""
    before, after = old.grapharc, new.grapharc
    if old.name != new.name:
        yield _about("setting", path, "name").change("neutral", old.name or None, new.name or None)
    if before.tenant != after.tenant:
        yield _about("tenant", path, "grapharc", "tenant").change("incomparable", before.tenant, after.tenant)
    if before.workspace != after.workspace:
        way = direction_of_paths(before.workspace, after.workspace)
        yield _about("workspace", path, "grapharc", "workspace").change(way, before.workspace, after.workspace)
    for key, one, other in (
        ("registry", before.registry, after.registry),
        ("policy", list(before.policy), list(after.policy)),
        ("graphs", list(before.graphs), list(after.graphs)),
    ):
        if one != other:
            yield _about("setting", path, "grapharc", key).change("neutral", one, other)
    yield from _approvers(old, new, path)
    for code in sorted(old.severity.keys() | new.severity.keys()):
        one, other = old.severity.get(code), new.severity.get(code)
        if one != other:
            yield _about("severity", path, "severity", code).change("neutral", one, other)
    yield from _overrides(old, new, path)
    budget, later = ceilings_by_name(old.budget), ceilings_by_name(new.budget)
    for name in CEILINGS:
        one, other = budget[name], later[name]
        if one != other:
            about = About("project_budget", "cost", name, {}, Place(path, ("budget", name)))
            yield about.change(direction_of_amounts(one, other), one, other)


def _about(what: str, path: str, *keys: str) -> About:
    return About(what, "authority", keys[-1], {}, Place(path, keys))


def _approvers(old: ProjectModel, new: ProjectModel, path: str) -> Iterator[Change]:
    """Whoever may say yes, for each role."""
    for role in sorted(old.approvers.keys() | new.approvers.keys()):
        before, after = set(old.approvers.get(role, ())), set(new.approvers.get(role, ()))
        for person in sorted(before ^ after):
            values = {"role": role, "person": person}
            about = About("approvers", "authority", f"{role}: {person}", values, Place(path, ("approvers", role)))
            yield about.change("widens" if person in after else "narrows", person in before, person in after)


def _overrides(old: ProjectModel, new: ProjectModel, path: str) -> Iterator[Change]:
    """Levels for some documents only; where the same ones hold in another order, another one may be the last."""
    before, after = ([_override(row) for _, row in sorted(side.overrides.items())] for side in (old, new))
    one, other = ({key: level for row in rows for key, level in row} for rows in (before, after))
    for key in sorted(one.keys() | other.keys()):
        if one.get(key) != other.get(key):
            about = About("override", "authority", " in ".join(key), {"code": key[0], "paths": key[1]}, Place(path))
            yield about.change("neutral", one.get(key), other.get(key))
    if one == other and before != after:
        yield _about("override_order", path, "overrides").change("neutral", True, True)


def _override(row: OverrideModel) -> list[tuple[tuple[str, str], Level]]:
    paths = ", ".join(row.paths)
    return [((code, paths), level) for code, level in sorted(row.severity.items())]
