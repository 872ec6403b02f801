"""Arguments as written go in; they come out with files read and paths made normal, and with what their strings are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from grapharc.spec.arguments.formats import Shape, file_of, formatted
from grapharc.spec.arguments.opened import put
from grapharc.spec.arguments.workspace_path import normal_path
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.linked import TemplateArg
from grapharc.spec.loader import Loader
from grapharc.spec.named import resolve_named, text_named
from grapharc.spec.source import Span
from grapharc.spec.templates import parse_template


@frozen
class Origin:
    """Where a text is written: at ``path`` of the document, or in another ``file`` that is named or implied there."""

    path: Path
    file: str = ""


@frozen
class Filled:
    """A template among arguments."""

    arg: TemplateArg
    origin: Origin


@frozen
class Worked:
    """An expression among arguments, not yet checked."""

    path: Path
    text: str
    origin: Origin


@frozen
class Named:
    """The name of a role or a kind among arguments, not yet looked up."""

    path: Path
    name: str
    what: Literal["role", "kind"]


@frozen
class Bad:
    """A string that was told to be wrong: what a schema says of it would only follow."""

    path: Path


@frozen
class Read:
    """A file that is named among arguments."""

    file: str
    text: str


Special: TypeAlias = Filled | Worked | Named | Bad | Read
Change: TypeAlias = "tuple[Path, Json]"
"""What is put in the place of what was written."""


@frozen
class Prepared:
    """Arguments, and what is special about strings in them, in the order of the arguments."""

    args: Mapping[str, Json]
    specials: Sequence[Special]


def prepare(args: Mapping[str, Json], shape: Shape | None, at: Path, loader: Loader, faults: Faults) -> Prepared:
    """Look at each string that has a format. ``at`` is where the arguments stand in their document."""
    if shape is None:
        return Prepared(args, ())
    specials: list[Special] = []
    changes: list[Change] = []
    for path, format_, value in formatted(shape, args):
        where = (*at, *path)
        match format_, value:
            case "template", str(text):
                _add_template(path, text, Origin(where), specials, faults)
            case "template", _:
                _prepare_file(path, value, where, changes, specials, loader, faults)
            case "role" | "kind" as what, str(name):
                specials.append(Named(path, name, what))
            case "expression", str(text):
                specials.append(Worked(path, text, Origin(where)))
            case "workspace-path" | "workspace-root", str(written):
                _prepare_path(path, written, where, changes, specials, faults)
            case "document-path", str(written):
                loaded = text_named(written, where, loader, faults)
                specials.append(Bad(path) if loaded is None else Read(*loaded))
                if loaded is not None:
                    changes.append((path, loaded[0]))
            case "store-path", str(written):
                target = resolve_named(written, where, loader, faults)
                specials.extend([Bad(path)] if target is None else [])
                changes.append((path, written if target is None else target))
            case _:
                pass
    return Prepared(_changed(args, changes) if changes else args, specials)


def _changed(args: Mapping[str, Json], changes: Iterable[Change]) -> Mapping[str, Json]:
    own = dict(args)
    for path, value in changes:
        put(own, path, value)
    return own


def _prepare_path(
    path: Path, written: str, where: Path, changes: list[Change], specials: list[Special], faults: Faults
) -> None:
    normal, fault = normal_path(written)
    if fault is not None:
        faults.add(fault, where, {"path": written})
        specials.append(Bad(path))
    elif normal != written:
        changes.append((path, normal))


def _prepare_file(
    path: Path,
    value: Json,
    where: Path,
    changes: list[Change],
    specials: list[Special],
    loader: Loader,
    faults: Faults,
) -> None:
    if (file := file_of(value)) is not None:
        origin = Origin((*where, "file"), file)
        loaded = text_named(file, origin.path, loader, faults)
        if loaded is None:
            specials.append(Bad(path))
            return
        specials.append(Read(*loaded))
        changes.append((path, loaded[1]))
        _add_template(path, loaded[1], origin, specials, faults)


def _add_template(path: Path, text: str, origin: Origin, specials: list[Special], faults: Faults) -> None:
    template, found = parse_template(text)
    specials.append(Filled(TemplateArg(path, template), origin))
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
