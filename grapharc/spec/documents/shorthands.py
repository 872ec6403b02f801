"""A document's value goes in as people write it; out come its shorthands written out, and the names it may not have.

``"string"`` becomes ``{"type": "string"}``, a list of tables a table by index, a single glob a list of one. The value
itself is not touched; every table in which something is written out is a copy.
"""

from __future__ import annotations

from grapharc.spec.documents.forms import Form
from grapharc.spec.documents.names import Naming, is_allowed
from grapharc.spec.json_value import Path, is_dict, is_list


def write_out(form: Form, value: object, path: Path, names: list[Naming]) -> object:
    """Return a value with its shorthands written out, and add the names in it that are not allowed to ``names``."""
    if form.idle:
        return value
    match form.type:
        case "table":
            return _write_out_table(form, value, path, names)
        case "map" if is_dict(value) and form.item is not None:
            return _write_out_map(form, form.item, value, path, names)
        case "rows" if form.item is not None:
            # A table where a list should be must not pass for the rows that a list becomes.
            item = form.item
            if not is_list(value):
                return [value]
            write = _write_out_table if item.type == "table" else write_out
            return {index: write(item, row, (*path, index), names) for index, row in enumerate(value)}
        case "list" if form.one and isinstance(value, str):
            return [value]
        case "str" if form.rule and isinstance(value, str) and not is_allowed(value, form.rule):
            names.append(Naming(path, value, form.rule, is_key=False))
        case "union":
            return write_out(form.arms[form.choose(value)], value, path, names)
        case _:
            pass
    return value


def _write_out_table(form: Form, value: object, path: Path, names: list[Naming]) -> object:
    if isinstance(value, str) and form.short:
        return dict.fromkeys(form.short, value)
    if not is_dict(value):
        return value
    written = value
    for key, inner in form.busy:
        if key not in value:
            continue
        item = value[key]
        if inner.type == "str" and isinstance(item, str):  # a name, or it would be idle: one in every table
            if not is_allowed(item, inner.rule):
                names.append(Naming((*path, key), item, inner.rule, is_key=False))
        elif (made := write_out(inner, item, (*path, key), names)) is not item:
            written = {**written, key: made}
    return written


def _write_out_map(form: Form, item: Form, value: dict[object, object], path: Path, names: list[Naming]) -> object:
    if form.arguments:
        names += _declared(value.get("properties"), (*path, "properties"), "port")
    if form.rule:
        names += _declared(value, path, form.rule)
    if item.idle:
        return value
    return {key: write_out(item, inner, (*path, str(key)), names) for key, inner in value.items()}


def _declared(table: object, path: Path, rule: str) -> list[Naming]:
    if not is_dict(table):
        return []
    keys = [key for key in table if isinstance(key, str) and not is_allowed(key, rule)]
    return [Naming((*path, key), key, rule, is_key=True) for key in keys]
