"""Arguments as written go in; they come out with files read and paths made normal, and with what their strings are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grapharc.spec.arguments.formats import Shape, file_of, formatted
from grapharc.spec.arguments.workspace_path import normal_path
from grapharc.spec.faults import Faults
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import TemplateArg
from grapharc.spec.loader import Loader
from grapharc.spec.named import text_named
from grapharc.spec.source import Span
from grapharc.spec.templates import parse_template


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text is written: at ``path`` of the document, or in another ``file`` that is named or implied there."""

    path: Path
    file: str = ""


@dataclass(slots=True)
class Prepared:
    """Arguments, and what their strings are, each with its path in them. Names are not looked up yet."""

    args: Mapping[str, Json]
    templates: list[tuple[TemplateArg, Origin]] = field(default_factory=list[tuple[TemplateArg, Origin]])
    expressions: list[tuple[Path, str, Origin]] = field(default_factory=list[tuple[Path, str, Origin]])
    roles: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])
    kinds: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])
    files: dict[str, str] = field(default_factory=dict[str, str])
    faulty: set[Path] = field(default_factory=set[Path])
    """Paths of values that were told to be wrong: what a schema says of them would only follow."""


def prepare(args: Mapping[str, Json], shape: Shape | None, at: Path, loader: Loader, faults: Faults) -> Prepared:
    """Look at each string that has a format. ``at`` is where the arguments stand in their document."""
    found = list(formatted(shape, args))
    prepared = Prepared(args)
    if found:
        copied = _copy(args)
        prepared.args = copied
        for path, format_, value in found:
            _prepare_one(path, format_, value, copied, prepared, at, loader, faults)
    return prepared


def _prepare_one(
    path: Path,
    format_: str,
    value: Json,
    args: dict[str, Json],
    prepared: Prepared,
    at: Path,
    loader: Loader,
    faults: Faults,
) -> None:
    where = (*at, *path)
    match format_, value:
        case "template", _:
            text, origin = _template_text(value, where, prepared, loader, faults)
            if text is None:
                prepared.faulty.add(path)
            else:
                _put(args, path, text)
                _add_template(path, text, origin, prepared, faults)
        case "workspace-path", str(written):
            normal, fault = normal_path(written)
            _put(args, path, normal)
            if fault is not None:
                faults.add(fault, where, {"path": written})
                prepared.faulty.add(path)
        case "document-path", str(written):
            loaded = text_named(written, where, loader, faults)
            if loaded is None:
                prepared.faulty.add(path)
            else:
                _put(args, path, loaded[0])
                prepared.files[loaded[0]] = loaded[1]
        case "expression", str(text):
            prepared.expressions.append((path, text, Origin(where)))
        case "role", str(name):
            prepared.roles.append((path, name))
        case "kind", str(name):
            prepared.kinds.append((path, name))
        case _:
            return


def _template_text(
    value: Json, where: Path, prepared: Prepared, loader: Loader, faults: Faults
) -> tuple[str | None, Origin]:
    file = file_of(value)
    if file is None:
        return (value if isinstance(value, str) else None), Origin(where)
    origin = Origin((*where, "file"), file)
    loaded = text_named(file, origin.path, loader, faults)
    if loaded is None:
        return None, origin
    prepared.files[loaded[0]] = loaded[1]
    return loaded[1], origin


def _add_template(path: Path, text: str, origin: Origin, prepared: Prepared, faults: Faults) -> None:
    template, found = parse_template(text)
    prepared.templates.append((TemplateArg(path, template), origin))
    for code, span in found:
        if origin.file:
            line = text.count("\n", 0, span.start) + 1
            column = span.start - text.rfind("\n", 0, span.start)
            faults.add(code, origin.path, {"file": origin.file, "line": line, "column": column})
        else:
            faults.add(code, origin.path, {"found": _short(text, span)}, within=span)


def _short(text: str, span: Span) -> str:
    found = text[span.start : span.end]
    return found if len(found) <= 40 and "\n" not in found else f"{found[:20].splitlines()[0]}..."


def _copy(args: Mapping[str, Json]) -> dict[str, Json]:
    return {key: _copied(value) for key, value in args.items()}


def _copied(value: Json) -> Json:
    if isinstance(value, Mapping):
        return _copy(value)
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _put(args: dict[str, Json], path: Path, value: Json) -> None:
    """Change one value of arguments that are nobody else's."""
    holder: Json = args
    for step in path[:-1]:
        holder = _step(holder, step)
    match holder, path[-1]:
        case dict(), str(key):
            holder[key] = value
        case list(), int(index):
            holder[index] = value
        case _:
            return


def _step(holder: Json, step: str | int) -> Json:
    if isinstance(holder, dict) and isinstance(step, str):
        return holder[step]
    return holder[step] if isinstance(holder, list) and isinstance(step, int) else None
