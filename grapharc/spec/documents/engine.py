"""pydantic-core's validator, without the modules for writing its schemas by hand that its package loads as well.

Loading those takes a fifth of the time that passes before a first document can be read. Where the package is laid out
in another way than we know it, it is imported whole.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator, ValidationError
    from pydantic_core import __version__ as VERSION  # noqa: N812 - a constant, whatever it is called there

_PACKAGE, _ENGINE = "pydantic_core", "pydantic_core._pydantic_core"


def _load() -> ModuleType:
    if _PACKAGE not in sys.modules and _ENGINE not in sys.modules and (spec := _find()) and spec.loader:
        # Under its own name, so that whoever imports the package later meets the same classes.
        sys.modules[_ENGINE] = engine = module_from_spec(spec)
        spec.loader.exec_module(engine)
    return sys.modules.get(_ENGINE) or __import__(_PACKAGE)


def _find() -> ModuleSpec | None:
    package = PathFinder.find_spec(_PACKAGE)
    places = package.submodule_search_locations if package else None
    return PathFinder.find_spec(_ENGINE, places) if places else None


if not TYPE_CHECKING:
    _engine = _load()
    SchemaValidator, ValidationError, VERSION = _engine.SchemaValidator, _engine.ValidationError, _engine.__version__

__all__ = ["VERSION", "SchemaValidator", "ValidationError"]
