"""A kind's entry goes in, the function it names comes out: imported, and held to the kind's ports and arguments.

This is the only place that runs code of kinds before a run. ``package.module:function`` is looked for where installed
distributions are, never in the working directory; ``file.py:function`` is a file beside the manifest.
"""

from __future__ import annotations

import importlib
import site
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from inspect import Parameter, iscoroutinefunction, signature
from pathlib import Path
from types import ModuleType

from grapharc.runtime.refusals import EntryError
from grapharc.spec.arguments.formats import store_args
from grapharc.spec.frozen import frozen
from grapharc.spec.loader import Loader, OutsideProject, Unreadable
from grapharc.spec.offers import Kind

CONTEXT = "ctx"

_importing = threading.Lock()


@frozen
class Entry:
    """A kind's function, and how it wants to be called."""

    function: Callable[..., object]
    asynchronous: bool
    wants_context: bool


def load_entry(kind: Kind, loader: Loader | None) -> Entry:
    """Import a kind's function. Raises EntryError."""
    module_name, _, name = kind.entry.rpartition(":")
    if not module_name or not name:
        raise EntryError(kind.name, kind.entry, "'package.module:function' or 'file.py:function' would be right")
    module = _file(kind, module_name, loader) if module_name.endswith(".py") else _installed(kind, module_name)
    function = getattr(module, name, None)
    if not callable(function):
        raise EntryError(kind.name, kind.entry, f"'{name}' is no function of that module")
    if (why := misfit(kind, function)) is not None:
        raise EntryError(kind.name, kind.entry, why)
    return Entry(function, iscoroutinefunction(function), CONTEXT in signature(function).parameters)


def misfit(kind: Kind, function: Callable[..., object]) -> str | None:
    """Say why a function cannot be called with a kind's ports and arguments, or None where it can."""
    try:
        parameters = signature(function).parameters
    except (TypeError, ValueError):
        return "its parameters cannot be told"
    given = _given(kind)
    for name, parameter in parameters.items():
        required = parameter.default is Parameter.empty
        match parameter.kind:
            case Parameter.POSITIONAL_ONLY if required:
                return f"parameter '{name}' cannot be given by keyword"
            case Parameter.POSITIONAL_OR_KEYWORD | Parameter.KEYWORD_ONLY if required and name != CONTEXT:
                if name not in given:
                    return f"parameter '{name}' is neither a port nor an argument of the kind, and has no default"
                if not given[name]:
                    return f"parameter '{name}' needs a default: the argument may be left out"
            case _:
                pass
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return None
    taken = {name for name, parameter in parameters.items() if parameter.kind is not Parameter.POSITIONAL_ONLY}
    missing = sorted(given.keys() - taken)
    return f"it has no parameter '{missing[0]}', which the kind gives it" if missing else None


def _given(kind: Kind) -> dict[str, bool]:
    """What the function is called with, and whether always."""
    given = dict.fromkeys(kind.reads, True)
    required = kind.args.get("required")
    always = set(required) if isinstance(required, list) else set[object]()
    always.update(store_args(kind.args))  # without a pin the graph is refused
    properties = kind.args.get("properties")
    if isinstance(properties, Mapping):
        for name, schema in properties.items():
            given[name] = name in always or (isinstance(schema, Mapping) and "default" in schema)
    return given


def _installed(kind: Kind, module_name: str) -> ModuleType:
    try:
        with _importing, _only_installed():
            return importlib.import_module(module_name)
    except Exception as raised:
        raise EntryError(kind.name, kind.entry, _why(raised)) from raised


@contextmanager
def _only_installed() -> Generator[None]:
    """Take the working directory off the import path, unless an installed distribution put it there."""
    before = list(sys.path)
    here = Path.cwd()
    installed = {Path(line).resolve() for line in _editable()}
    sys.path[:] = [entry for entry in before if entry and (Path(entry).resolve() != here or here in installed)]
    kept = set(sys.path)
    try:
        yield
    finally:
        sys.path[:] = [*before, *(entry for entry in sys.path if entry not in kept)]


def _editable() -> Iterator[str]:
    """Yield the folders that distributions installed in editable mode have put on the import path."""
    for folder in {*site.getsitepackages(), site.getusersitepackages()}:
        for file in sorted(Path(folder).glob("*.pth")):
            yield from (
                line for line in file.read_text("utf-8", "replace").splitlines() if not line.startswith(("#", "import"))
            )


def _file(kind: Kind, reference: str, loader: Loader | None) -> ModuleType:
    if loader is None:
        raise EntryError(kind.name, kind.entry, "a file can only be loaded through a loader, and there is none")
    try:
        path = loader.resolve(reference, kind.manifest)
        source = loader.load(path)
    except (OutsideProject, Unreadable) as error:
        raise EntryError(kind.name, kind.entry, str(error)) from error
    name = "grapharc_kind_" + sha256(path.encode() + b"\0" + source).hexdigest()[:16]
    with _importing:
        return sys.modules.get(name) or _execute(kind, name, path, source)


def _execute(kind: Kind, name: str, path: str, source: bytes) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        with _only_installed():
            exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 -- the owner's registry names this file
    except BaseException as raised:
        del sys.modules[name]
        if not isinstance(raised, Exception | SystemExit):
            raise
        raise EntryError(kind.name, kind.entry, _why(raised)) from raised
    return module


def _why(raised: BaseException) -> str:
    if isinstance(raised, ModuleNotFoundError):
        return f"module '{raised.name}' is not installed"
    return f"importing it raised {type(raised).__name__}: {raised}"
