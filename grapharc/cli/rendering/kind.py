"""A kind as a registry offers it goes in; its ports, arguments, capabilities and worst case come out, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.paint import paint
from grapharc.spec.canonical import canonical
from grapharc.spec.json_value import Json
from grapharc.spec.offers import Amount, Offer, Port
from grapharc.spec.types import Missing, show

_LIMITS = ("minimum", "maximum", "enum", "pattern")


def kinds_text(offers: Sequence[Offer], colour: bool) -> str:
    """Return one line for each kind."""
    widest = max((len(offer.name) for offer in offers), default=0)
    return "".join(
        f"{paint(f'{offer.name:<{widest}}', 'title', colour)}  {printable(offer.kind.summary)}\n" for offer in offers
    )


def kind_text(offer: Offer, colour: bool) -> str:
    """Return all that is known of a kind."""
    kind = offer.kind
    known_as = "" if offer.name == kind.name else f", here '{offer.name}'"
    head = f"{paint(kind.name, 'title', colour)} version {printable(kind.version)}{printable(known_as)}\n"
    parts = [
        f"{printable(kind.summary)}\n",
        _section("reads", (_port(port) for port in kind.reads.values()), colour),
        _section("writes", (_port(port) for port in kind.writes.values()), colour),
        _section("args", _arguments(offer), colour),
        _section("worst case", (f"{name}: {_amount(amount)}" for name, amount in sorted(offer.cost.items())), colour),
        _section("capabilities", [", ".join(offer.capabilities) or "none: it is pure"], colour),
        _section("adds labels", [", ".join(offer.labels)] if offer.labels else [], colour),
        _section("takes labels", [", ".join(offer.endorses)] if offer.endorses else [], colour),
    ]
    return head + "\n" + "\n".join(part for part in parts if part)


def kind_json(offer: Offer) -> dict[str, Json]:
    """Return all that is known of a kind, as JSON."""
    kind = offer.kind
    return {
        "name": offer.name,
        "kind": kind.name,
        "version": kind.version,
        "summary": kind.summary,
        "manifest": kind.manifest,
        "reads": {port.name: _port_json(port) for port in kind.reads.values()},
        "writes": {port.name: {"type": show(port.type)} for port in kind.writes.values()},
        "args": dict(kind.args),
        "pinned": dict(offer.pins),
        "cost": {name: _amount(amount) for name, amount in sorted(offer.cost.items())},
        "capabilities": list(offer.capabilities),
        "labels": list(offer.labels),
        "endorses": list(offer.endorses),
        "idempotent": kind.idempotent,
        "tool": kind.tool,
    }


def _section(title: str, lines: Iterable[str], colour: bool) -> str:
    shown = "".join(f"  {printable(line)}\n" for line in lines)
    return f"{paint(title, 'title', colour)}\n{shown}" if shown else ""


def _port(port: Port) -> str:
    default = "" if isinstance(port.default, Missing) else f" = {canonical(port.default)}"
    form = f", a {port.format}" if port.format else ""
    return f"{port.name}: {show(port.type)}{default}{form}"


def _port_json(port: Port) -> dict[str, Json]:
    default: dict[str, Json] = {} if isinstance(port.default, Missing) else {"default": port.default}
    return {"type": show(port.type), "format": port.format, **default}


def _arguments(offer: Offer) -> Iterable[str]:
    properties = offer.kind.args.get("properties")
    required = offer.kind.args.get("required")
    needed = required if isinstance(required, list) else []
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        if name in offer.pins:
            yield f"{name}: pinned to {canonical(offer.pins[name])}"
        else:
            yield f"{name}: {_shape(schema)}{', required' if name in needed else ''}"


def _shape(schema: Json) -> str:
    """What an argument's schema says, in a line."""
    if not isinstance(schema, Mapping):
        return "anything"
    words = [str(schema.get("type", "anything"))]
    words += [f"a {schema['format']}"] if "format" in schema else []
    words += [
        f"{word} {canonical(schema[word])}" for word in ("minimum", "maximum", "enum", "pattern") if word in schema
    ]
    default = f" = {canonical(schema['default'])}" if "default" in schema else ""
    return ", ".join(words) + default


def _amount(amount: Amount) -> Json:
    return amount if isinstance(amount, int | float) else amount.text
