"""Arguments whose strings name roles and kinds go in; findings for those that name nothing come out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from grapharc.spec.arguments.prepare import Named, Prepared
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import frozen
from grapharc.spec.globs import matches
from grapharc.spec.json_value import Path
from grapharc.spec.offers import Kind, Role
from grapharc.spec.suggest import Vocabulary
from grapharc.spec.type_names import ANY


@frozen(slots=False)
class Known:
    """The roles and kinds there are, and what of them is written down but could not be made out."""

    roles: Mapping[str, Role]
    missing_roles: frozenset[str]
    kinds: Mapping[str, Kind]
    missing_kinds: tuple[str, ...]
    where_to_add: Mapping[str, str]
    """What a remedy says of where a kind or a role would be added."""

    @cached_property
    def role_names(self) -> Vocabulary:
        """The names of the roles, for suggestions."""
        return Vocabulary(self.roles)

    @cached_property
    def kind_names(self) -> Vocabulary:
        """The names of the kinds, for suggestions."""
        return Vocabulary(self.kinds)

    def may_have_kind(self, name: str) -> bool:
        """Tell whether a kind that is not there may be one that could not be made out."""
        return any(matches(pattern, name) for pattern in self.missing_kinds)


def check_names(prepared: Prepared, at: Path, known: Known, faults: Faults, subject: str) -> None:
    """Hold each role and each kind that arguments name to being there, and kinds to being tools."""
    for special in prepared.specials:
        match special:
            case Named(path, role, "role"):
                if role not in known.roles and known.missing_roles.isdisjoint((role, ANY)):
                    values = {"role": role, "suggestion": known.role_names.nearest(role), **known.where_to_add}
                    faults.add("unknown_role", (*at, *path), values, subject=subject)
            case Named(path, name, _):
                _check_kind(name, (*at, *path), known, faults, subject)
            case _:
                pass


def _check_kind(name: str, path: Path, known: Known, faults: Faults, subject: str) -> None:
    kind = known.kinds.get(name)
    if kind is not None and not kind.tool:
        faults.add("kind_not_a_tool", path, {"kind": name}, subject=subject)
    elif kind is None and not known.may_have_kind(name):
        values = {"kind": name, "suggestion": known.kind_names.nearest(name), **known.where_to_add}
        faults.add("unregistered_node", path, values, subject=subject)
