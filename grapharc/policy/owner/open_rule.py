"""One rule of a policy document goes in; the rule with its selectors read comes out, with every fault in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from grapharc.policy.owner.conditions import checked_alone
from grapharc.policy.owner.policy import BETWEEN_ENDS, ONLY_RESTRICTS, Rule
from grapharc.policy.owner.selectors import EdgeSelector, Fault, Selector, parse_ends, parse_kind
from grapharc.spec.document import Document
from grapharc.spec.documents.policy import PolicyModel, Resource, RuleModel
from grapharc.spec.expressions.parse import parse_expression
from grapharc.spec.expressions.syntax import Expression
from grapharc.spec.finding import Finding, Place
from grapharc.spec.frozen import replace
from grapharc.spec.json_value import Path, item_path
from grapharc.spec.memo import Memo

SelectorT = TypeVar("SelectorT", Selector, EdgeSelector)

APPLIES: Mapping[str, tuple[Resource, ...]] = {
    "unless_via": ("flow", "path"),
    "implicit": ("flow",),
    "over_usd": ("spend",),
    "basis": ("spend",),
}
"""Keys that say something in rules over some resources only."""


def open_rule(document: Document[PolicyModel], index: int, model: RuleModel, memo: Memo, faults: list[Finding]) -> Rule:
    """Read a rule, its faults noted where they stand; what could not be read selects nothing."""
    path: Path = ("rule", index)
    faults.extend(_senseless(document, path, model))
    nodes: tuple[Selector, ...] = ()
    edges: tuple[EdgeSelector, ...] = ()
    if model.resource in BETWEEN_ENDS:
        edges = tuple(_read(document, (*path, "match"), model, faults, lambda text: parse_ends(text, model.resource)))
    else:
        subject, roles = f"a rule over {model.resource}s", model.resource == "spend"
        subject = "a rule over spend" if roles else subject
        match = (*path, "match")
        nodes = tuple(_read(document, match, model, faults, lambda text: parse_kind(text, subject, roles=roles)))
    via = tuple(_read(document, (*path, "unless_via"), model, faults, lambda text: parse_kind(text, "`unless_via`")))
    rule = Rule(
        model.id,
        model.effect,
        model.resource,
        nodes,
        edges,
        model.tenant or (),
        model.reason,
        model.approver_role or "",
        Place(document.path, (*path, "id")),
        via,
        model.implicit is not False,
        model.over_usd or 0.0,
        model.basis or "cumulative",
        model.when or "",
        _condition(model, Place(document.path, (*path, "when")), memo, faults),
    )
    if rule.condition is not None:
        faults.extend(checked_alone(rule, document.model.tenants))
    return rule


def _condition(model: RuleModel, place: Place, memo: Memo, faults: list[Finding]) -> Expression | None:
    if model.when is None:
        return None
    tree, found = parse_expression(model.when, memo)
    for fault in found:
        faults.append(Finding(fault.code, replace(place, within=fault.span), fault.values, subject=model.id))
    return tree


def _read(
    document: Document[PolicyModel],
    path: Path,
    model: RuleModel,
    faults: list[Finding],
    parse: Callable[[str], SelectorT | Fault],
) -> Iterator[SelectorT]:
    texts = model.match if path[-1] == "match" else model.unless_via or ()
    for number, text in enumerate(texts):
        selector = parse(text)
        if isinstance(selector, Fault):
            place = Place(document.path, item_path(document.text.value, path, number), within=selector.span)
            faults.append(Finding(selector.code, place, selector.values, subject=model.id))
        else:
            yield selector


def _senseless(document: Document[PolicyModel], path: Path, model: RuleModel) -> Iterator[Finding]:
    """Yield what makes no sense together: a key that says nothing of the resource, an effect that it does not have."""
    resource = model.resource
    written = {
        "unless_via": model.unless_via,
        "implicit": model.implicit,
        "over_usd": model.over_usd,
        "basis": model.basis,
    }
    for key, value in written.items():
        if value is not None and resource not in APPLIES[key]:
            values = {"key": key, "resource": resource, "known": APPLIES[key]}
            yield Finding("key_does_not_apply", Place(document.path, (*path, key), "key"), values, subject=model.id)
    if model.effect == "allow" and resource in ONLY_RESTRICTS:
        place = Place(document.path, (*path, "effect"))
        yield Finding("nothing_to_allow", place, {"resource": resource}, subject=model.id)
    if resource == "spend" and model.over_usd is None and not document.is_damaged((*path, "over_usd")):
        yield Finding("missing_key", Place(document.path, path), {"key": "over_usd"}, subject=model.id)
