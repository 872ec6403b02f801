"""The registry as it was and as it is go in; what every graph under it may use more, less or otherwise comes out."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.diff.both import About, differing, direction_of_amounts, direction_of_paths, listed
from grapharc.policy.diff.change import Category, Change, Direction
from grapharc.policy.diff.touch import EFFECTS, GUARDED
from grapharc.spec.arguments.formats import ROOT, WORKSPACE_PATH, formatted, shape_of
from grapharc.spec.arguments.schema_walk import schemas_in
from grapharc.spec.finding import Place
from grapharc.spec.json_value import Json
from grapharc.spec.meaning import offer_meaning
from grapharc.spec.offers import Offer, Price, Registry, Role


def registry_changes(old: Registry, new: Registry) -> Iterator[Change]:
    """Yield what changed in what is offered, whether a graph uses it or not."""
    for name in sorted(old.offers.keys() | new.offers.keys()):
        if name not in new.offers:
            yield _about("offer", name, old.offers[name].place).change(
                "narrows", _touches(old.offers[name]), earlier=True
            )
        elif name not in old.offers:
            yield _about("offer", name, new.offers[name].place).change("widens", None, _touches(new.offers[name]))
        elif offer_meaning(old.offers[name]) != offer_meaning(new.offers[name]):
            yield from _offer(old.offers[name], new.offers[name])
    for name in sorted(old.roles.keys() | new.roles.keys()):
        if name not in new.roles:
            yield _about("role", name, old.roles[name].place).change("narrows", old.roles[name].spec, earlier=True)
        elif name not in old.roles:
            yield _about("role", name, new.roles[name].place).change("widens", None, new.roles[name].spec)
        else:
            yield from _role(old.roles[name], new.roles[name])


def _about(what: str, subject: str, place: Place, category: Category = "authority", **values: str) -> About:
    return About(what, category, subject, values, place)


def _touches(offer: Offer) -> str:
    return ", ".join(offer.capabilities) or "nothing"


def _offer(old: Offer, new: Offer) -> Iterator[Change]:
    """A kind that is offered on both sides, under the name in use."""
    name, place = new.name, new.place
    if old.kind.name != new.kind.name:
        yield _about("offer_kind", name, place).change("incomparable", old.kind.name, new.kind.name)
    if old.kind.entry != new.kind.entry:
        yield _about("offer_entry", name, place).change("incomparable", old.kind.entry, new.kind.entry)
    if old.kind.version != new.kind.version:
        yield _about("offer_version", name, place).change("neutral", old.kind.version, new.kind.version)
    yield from _members(old, new)
    yield from _pins(old, new)
    yield from _costs(old, new)
    if (one := _bars(old)) != (other := _bars(new)):
        about = _about("offer_args", name, place, how=_how(one, other))
        yield about.change("incomparable", one, other)
    if (one := _shape(old)) != (other := _shape(new)):
        about = _about("offer_shape", name, place, "state", how=_how(one, other))
        yield about.change("incomparable", one, other)


def _how(before: Json, after: Json) -> str:
    """Say in what two shapes differ; lists are a schema, or its paths, and the ports."""
    return listed(tuple(differing(_named(before), _named(after))))


def _named(bars: Json) -> Json:
    return {"args": bars[0], "ports": bars[1]} if isinstance(bars, list) else bars


def _members(old: Offer, new: Offer) -> Iterator[Change]:
    """What it may touch and read, what it takes away, and what it adds, of which less is the wider."""
    rows = (
        ("offer_capability", old.capabilities, new.capabilities),
        ("offer_endorses", old.endorses, new.endorses),
        ("offer_env", old.kind.env, new.kind.env),
        ("offer_label", old.labels, new.labels),
        ("offer_tool", ("tool",) if old.kind.tool else (), ("tool",) if new.kind.tool else ()),
    )
    for what, before, after in rows:
        for member in sorted(set(before) ^ set(after)):
            more: Direction = "widens" if (member in after) != (what == "offer_label") else "narrows"
            about = _about(what, f"{new.name}: {member}", new.place, kind=new.name, member=member)
            yield about.change(more, member in before, member in after)


def _pins(old: Offer, new: Offer) -> Iterator[Change]:
    formats = {str(path[0]): format_ for path, format_, _ in formatted(shape_of(new.kind.args), new.pins)}
    for name in sorted(old.pins.keys() | new.pins.keys()):
        before, after = old.pins.get(name), new.pins.get(name)
        about = _about("pin", f"{new.name}.{name}", new.place, kind=new.name, argument=name)
        if name not in new.pins:
            yield about.change("widens", before)
        elif name not in old.pins:
            yield about.change("narrows", None, after)
        elif before != after:
            path = formats.get(name) in (ROOT, WORKSPACE_PATH)
            yield about.change(direction_of_paths(before, after) if path else "incomparable", before, after)


def _costs(old: Offer, new: Offer) -> Iterator[Change]:
    for dimension in sorted(old.cost.keys() | new.cost.keys()):
        before, after = _amount(old, dimension), _amount(new, dimension)
        if before == after:
            continue
        way: Direction = "incomparable"
        if not (isinstance(before, str) or isinstance(after, str)):
            way = direction_of_amounts(before, after)
        about = _about("offer_cost", f"{new.name}: {dimension}", new.place, "cost", kind=new.name, member=dimension)
        yield about.change(way, before, after)


def _amount(offer: Offer, dimension: str) -> int | float | str | None:
    for name, amount in offer.cost.items():
        if name == dimension:
            return amount if isinstance(amount, int | float) else amount.text
    return None


def _shape(offer: Offer) -> Json:
    """What a graph must fit to: ports, arguments, and whether it may be tried twice."""
    said = offer_meaning(offer)["kind"]
    if not isinstance(said, dict):
        return None
    return {key: said[key] for key in ("reads", "writes", "args", "idempotent")}


def _bars(offer: Offer) -> Json:
    """What a node is held to whatever it is given: the schema of a kind with effects; of any, its paths and roles."""
    if EFFECTS.intersection(offer.capabilities):
        args: Json = dict(offer.kind.args)
    else:
        args = [
            [*path, inner["format"]] for path, inner in schemas_in(offer.kind.args) if inner.get("format") in GUARDED
        ]
    ports: dict[str, Json] = {name: port.format for name, port in offer.kind.reads.items() if port.format in GUARDED}
    return [args, ports]


def _role(old: Role, new: Role) -> Iterator[Change]:
    if (old.spec, old.file) != (new.spec, new.file):
        yield _about("role", new.name, new.place).change("incomparable", old.spec, new.spec)
    if old.price != new.price:
        yield _about("price", new.name, new.place).change(
            _price(old.price, new.price), _usd(old.price), _usd(new.price)
        )
    if old.max_tokens != new.max_tokens:
        about = _about("role_tokens", new.name, new.place, "cost")
        yield about.change(direction_of_amounts(old.max_tokens, new.max_tokens), old.max_tokens, new.max_tokens)


def _price(old: Price | None, new: Price | None) -> Direction:
    """A lower price lets more through beneath the same ceiling in dollars; without a price there is no such ceiling."""
    if old is None or new is None:
        return "widens" if new is None else "narrows"
    if new.input <= old.input and new.output <= old.output:
        return "widens"
    return "narrows" if new.input >= old.input and new.output >= old.output else "incomparable"


def _usd(price: Price | None) -> Json:
    return None if price is None else [price.input, price.output]
