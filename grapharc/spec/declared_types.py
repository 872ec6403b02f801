"""A document's table of types goes in; what each of its names means comes out, whatever order they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from grapharc.spec.document import Document
from grapharc.spec.documents.typed import MemberModel, TypeModel
from grapharc.spec.faults import Faults
from grapharc.spec.json_value import Json
from grapharc.spec.memo import Memo
from grapharc.spec.type_names import ANY, Reader, TypeNames
from grapharc.spec.type_text import TypeFault, type_tree
from grapharc.spec.types import Constrained, ListOf, MapOf, Member, OneOf, Record, Type

MOST_PARTS = 5_000
"""The most parts of one type, names written out: a few short lines could otherwise mean more than memory holds."""
MOST_DEPTH = 64
"""The most types in each other."""


def declare_types(
    declared: Mapping[str, TypeModel], outer: TypeNames, document: Document[object], memo: Memo, faults: Faults
) -> TypeNames:
    """Return what names mean in a document: those of its ``types`` table first, then those of ``outer``."""
    damaged = {str(hole[1]) for hole in document.damaged if len(hole) > 1 and hole[0] == "types"}
    needs = {name: _names_in(model, memo) & declared.keys() for name, model in declared.items()}
    order, circular = _in_order(needs)
    for name in circular:
        faults.add("recursive_type", ("types", name), {"name": name}, part="key", subject=name)
    known: dict[str, Type] = {}
    missing = {*damaged, *declared}
    sizes: _Sizes = {}
    if not document.damaged.isdisjoint(((), ("types",))):
        missing.add(ANY)
    names = TypeNames(known, {}, frozenset(missing), outer)
    reader = Reader(document, names, memo, faults)
    for name in order:
        if name in circular or name in damaged or (type_ := _declared(name, declared[name], reader)) is None:
            continue
        if _is_too_large(type_, sizes):
            faults.add("type_too_large", ("types", name), {"name": name, "most": MOST_PARTS}, part="key", subject=name)
        else:
            known[name] = type_
    return names


def _declared(name: str, model: TypeModel, reader: Reader) -> Type | None:
    path = ("types", name)
    if isinstance(model, str):
        return reader.closed(reader.expression(model, path), model, path)
    members = [_member(name, key, member, reader) for key, member in model.items()]
    whole = tuple(member for member in members if member is not None)
    return Record(name, whole) if len(whole) == len(members) else None


def _member(record: str, name: str, model: MemberModel, reader: Reader) -> Member | None:
    path = ("types", record, name)
    type_ = reader.closed(reader.typed(model, path), model.type, path)
    return None if type_ is None else Member(name, type_, reader.default(model.default, type_, path, name))


def _names_in(model: TypeModel, memo: Memo) -> frozenset[str]:
    texts = (model,) if isinstance(model, str) else tuple(member.type for member in model.values())
    return frozenset(name for text in texts for name in _names_of(type_tree(text, memo)))


def _names_of(tree: Json | TypeFault) -> Iterator[str]:
    match tree:
        case ["name", str(name), *_]:
            yield name
        case [str(), *inner]:
            for part in inner:
                yield from _names_of(part)
        case _:
            return


def _in_order(needs: Mapping[str, frozenset[str]]) -> tuple[list[str], frozenset[str]]:
    """Names, each after those it needs as far as that can be; and those that need themselves by way of others."""
    users: dict[str, list[str]] = {name: [] for name in needs}
    for name, wanted in needs.items():
        for other in wanted:
            users[other].append(name)
    order = _peel({name: len(wanted) for name, wanted in needs.items()}, users)
    placed = set(order)
    left = {name: sorted(wanted - placed) for name, wanted in needs.items() if name not in placed}
    unused = _peel({name: sum(user in left for user in users[name]) for name in left}, left)
    return order + unused[::-1], frozenset(left.keys() - set(unused))


def _peel(waiting: dict[str, int], then: Mapping[str, list[str]]) -> list[str]:
    """Take away what waits for nothing, over and over; what is left waits in a circle."""
    order = [name for name, count in waiting.items() if not count]
    for name in order:
        for other in then[name]:
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    return order


_Sizes: TypeAlias = "dict[int, tuple[Type, int, int]]"
"""By identity: the type itself, so that it stays what it is; its parts; its depth."""


def _is_too_large(type_: Type, sizes: _Sizes) -> bool:
    parts, depth = _measure(type_, sizes)
    return parts > MOST_PARTS or depth > MOST_DEPTH


def _measure(type_: Type, sizes: _Sizes) -> tuple[int, int]:
    if (known := sizes.get(id(type_))) is not None:
        return known[1:]
    match type_:
        case ListOf(inner) | MapOf(inner) | Constrained(inner, _):
            inside = [_measure(inner, sizes)]
        case OneOf(options):
            inside = [_measure(option, sizes) for option in options]
        case Record(_, members):
            inside = [_measure(member.type, sizes) for member in members]
        case _:
            return 1, 1
    size = 1 + sum(parts for parts, _ in inside), 1 + max((depth for _, depth in inside), default=0)
    sizes[id(type_)] = type_, *size
    return size
