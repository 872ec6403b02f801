"""What a kind is given goes in; it comes out with each path of the workspace as it is in the end opened.

A kind may take a folder to begin at, an argument or input of the format ``workspace-root``: whatever else it takes of
the format ``workspace-path`` is then a path from there. A path is opened one step at a time and no link is followed, so
that what is said here of a path holds of the file that is opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.spec.arguments.formats import ROOT, WORKSPACE_PATH, Shape, formatted, shape_of
from grapharc.spec.arguments.schema_walk import properties_of
from grapharc.spec.arguments.workspace_path import beneath, normal_path
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json, Path
from grapharc.spec.offers import Kind


@frozen
class Paths:
    """Where a kind takes paths of the workspace: in ``ports`` and, by ``shape``, in arguments; all from ``root`` on."""

    root: str | None
    inputs: frozenset[str]
    ports: frozenset[str]
    shape: Shape | None

    def within(self, values: Mapping[str, Json]) -> Iterator[tuple[Path, str, str]]:
        """Yield place, format and text of each path in some arguments and inputs."""
        args = {name: value for name, value in values.items() if name not in self.inputs}
        for path, format_, value in formatted(self.shape, args):
            if format_ in (ROOT, WORKSPACE_PATH) and isinstance(value, str):
                yield path, format_, value
        for name in sorted(self.ports & values.keys()):
            if isinstance(value := values[name], str):
                yield (name,), ROOT if name == self.root else WORKSPACE_PATH, value

    def normal(self, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return values with each path in its one normal form, where it has one, as the kind is to be called."""
        found = dict(values)
        for place, _, written in list(self.within(values)):
            path, fault = normal_path(written)
            if fault is None:
                put(found, place, path)
        return found

    def opened(self, values: Mapping[str, Json]) -> tuple[dict[str, Json], frozenset[str]]:
        """Return values with paths as they are opened, and the names of those in which one leads nowhere."""
        found, broken = dict(values), set[str]()
        root, lost = self._root(values)
        for place, format_, written in list(self.within(values)):
            path, fault = normal_path(written)
            if fault is not None or (lost and format_ == WORKSPACE_PATH):
                broken.add(str(place[0]))
            else:
                put(found, place, path if format_ == ROOT else beneath(root, path))
        return found, frozenset(broken)

    def _root(self, values: Mapping[str, Json]) -> tuple[str, bool]:
        written = values.get(self.root) if self.root is not None else None
        if written is None:
            return ".", False
        path, fault = normal_path(written) if isinstance(written, str) else ("", "workspace_path_leads_out")
        return path, fault is not None


NO_PATHS = Paths(None, frozenset(), frozenset(), None)


def paths_of(kind: Kind) -> Paths:
    """Return where a kind takes paths of the workspace."""
    ports = frozenset(name for name, port in kind.reads.items() if port.format in (ROOT, WORKSPACE_PATH))
    shape = shape_of(kind.args)
    if shape is None and not ports:
        return NO_PATHS
    roots = [name for name in sorted(ports) if kind.reads[name].format == ROOT]
    roots += [name for name, one in properties_of(kind.args).items() if _says(one) == ROOT]
    return Paths(min(roots, default=None), frozenset(kind.reads), ports, shape)


def put(values: dict[str, Json], path: Path, value: Json) -> None:
    """Change one value. The table is nobody else's; what lies deeper is copied on the way."""
    first = str(path[0])
    values[first] = _changed(values[first], path[1:], value)


def _changed(holder: Json, path: Path, value: Json) -> Json:
    if not path:
        return value
    match holder, path[0]:
        case Mapping(), str(key):
            return {**holder, key: _changed(holder[key], path[1:], value)}
        case list(), int(index):
            return [*holder[:index], _changed(holder[index], path[1:], value), *holder[index + 1 :]]
        case _:
            return holder


def _says(schema: Json) -> Json:
    return schema.get("format") if isinstance(schema, Mapping) else None
