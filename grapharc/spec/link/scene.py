"""What a node is linked against: the graph's document and fields, the registry, and what was found out before."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from grapharc.spec.arguments.names import Known
from grapharc.spec.document import Document
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.expressions.check import Outcome
from grapharc.spec.expressions.checked import Checked, whole_field
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Related, Value
from grapharc.spec.frozen import field, frozen, replace
from grapharc.spec.json_value import Path
from grapharc.spec.link.nest import Nest
from grapharc.spec.link.offered import Offered, look_at_offer
from grapharc.spec.loader import Loader
from grapharc.spec.memo import Memo
from grapharc.spec.offers import Field, Offer, Registry
from grapharc.spec.source import Span
from grapharc.spec.subtype import without_null
from grapharc.spec.suggest import Vocabulary
from grapharc.spec.type_names import ANY
from grapharc.spec.types import Type

if TYPE_CHECKING:
    from grapharc.spec.link.arguments import Arguments


Asked: TypeAlias = "tuple[str, tuple[str, ...]]"
"""The text of an expression, and the names that mean something else in it than in the whole graph."""


@frozen(slots=False)
class Scene:
    """One graph in the middle of being linked."""

    document: Document[GraphModel]
    registry: Registry
    fields: Mapping[str, Field]
    missing_fields: frozenset[str]
    loader: Loader
    memo: Memo
    faults: Faults
    nest: Nest
    files: dict[str, str] = field(default_factory=dict[str, str])
    bare: dict[str, Arguments] = field(default_factory=dict[str, "Arguments"])
    """By offer, the arguments of nodes that are given none, where nothing is wrong or special about them."""
    unbound: set[str] = field(default_factory=set[str])
    """Nodes of which something could not be linked, whether that was told or follows from what was told."""
    sure: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """By node, fields that surely are not null there."""
    narrowed: Mapping[str, Type] = field(default_factory=dict[str, Type])
    """Types of fields that are narrower for the node at hand than they are declared."""
    item: Mapping[str, Type] = field(default_factory=dict[str, Type])
    """What an item is called within a mapped node, and its type."""
    whole: Scene | None = None
    """The scene of the whole graph, where this is that of one node."""
    expressions: dict[Asked, tuple[Type | None, Mapping[str, Type], Outcome]] = field(
        default_factory=dict["Asked", "tuple[Type | None, Mapping[str, Type], Outcome]"]
    )
    """What expressions came out as for which expected type and meaning of names, the last time they were met."""

    def at(self, node: str) -> Scene:
        """Return the scene of one node's expressions, with what is surely no null there."""
        if node not in self.sure:
            return self
        names = (name for name in self.sure[node] if name in self.fields)
        narrowed = {name: without_null(self.fields[name].type) for name in names}
        return replace(self, narrowed=narrowed, whole=self.whole or self)

    def within_map(self, name: str, type_: Type) -> Scene:
        """Return the scene of a mapped node's own expressions, in which an item has a name."""
        return replace(self, item={name: type_}, whole=self.whole or self)

    @cached_property
    def own(self) -> dict[str, Type]:
        """What names mean for the node at hand alone."""
        return {**self.narrowed, **self.item}

    @cached_property
    def types(self) -> Mapping[str, Type]:
        """The scope of expressions: each field's type, and an item's."""
        return self._declared if self.whole is None else ChainMap(self.own, self.whole._declared)

    @cached_property
    def _declared(self) -> dict[str, Type]:
        return {name: found.type for name, found in self.fields.items()}

    def fields_of(self, checked: Checked) -> tuple[str, ...]:
        """Return the state fields that an expression reads, sorted."""
        if not self.item:
            return checked.reads
        return tuple(name for name in checked.reads if name not in self.item)

    @cached_property
    def known(self) -> Known:
        """What arguments may name."""
        if self.whole is not None:
            return self.whole.known
        kinds = {name: offer.kind for name, offer in self.registry.offers.items()}
        here = self.registry
        return Known(here.roles, here.missing_roles, kinds, here.missing_offers, here.where_to_add)

    @cached_property
    def field_names(self) -> Vocabulary:
        """The names of the fields, for suggestions."""
        return Vocabulary(self.fields) if self.whole is None else self.whole.field_names

    def may_have_field(self, name: str) -> bool:
        """Tell whether a field that is not there may be one that could not be made out."""
        return name in self.missing_fields or ANY in self.missing_fields

    def tell(
        self,
        code: str,
        path: Path,
        values: Mapping[str, Value],
        node: str,
        *,
        part: Literal["value", "key"] = "value",
        within: Span | None = None,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note a fault of a node, which is then unbound."""
        self.unbound.add(node)
        self.faults.add(code, path, values, part=part, within=within, subject=node, related=related)

    def read_field(self, name: str) -> Checked | None:
        """Return what a port reads that is bound to the field of its name; None where there is no such field."""
        if self.whole is not None and name not in self.own:
            return self.whole.read_field(name)
        known = self._reads.get(name)
        if known is None and (type_ := self.types.get(name)) is not None:
            known = self._reads[name] = whole_field(name, type_)
        return known

    @cached_property
    def _reads(self) -> dict[str, Checked]:
        return {}

    def offered(self, offer: Offer) -> Offered:
        """Return what all nodes of an offer have in common."""
        known = self._offered.get(offer.name)
        if known is None:
            known = self._offered[offer.name] = look_at_offer(offer, self.loader)
        return known

    @cached_property
    def _offered(self) -> dict[str, Offered]:
        return {}
