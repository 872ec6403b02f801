"""Documents into governed agent graphs: check them, compile them onto LangGraph, run them.

The public names, imported when they are first used, so that ``import grapharc`` costs nothing:

* the whole way over a file: :func:`check` and :func:`run`;
* the verbs one by one: :func:`read`, :func:`link`, :func:`admit`, :func:`compile`, each taking what the former gives;
* the values that go between them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grapharc.spec.document import Document, Text
    from grapharc.spec.finding import Finding, Place
    from grapharc.spec.linked import Budget, LinkedGraph, Registry
    from grapharc.spec.version import VERSION as __version__  # noqa: N811

__all__ = [
    "Budget",
    "Document",
    "Finding",
    "LinkedGraph",
    "Place",
    "Registry",
    "Text",
    "__version__",
]

_WHERE = {
    "Budget": "spec.linked:Budget",
    "Document": "spec.document:Document",
    "Finding": "spec.finding:Finding",
    "LinkedGraph": "spec.linked:LinkedGraph",
    "Place": "spec.finding:Place",
    "Registry": "spec.linked:Registry",
    "Text": "spec.document:Text",
    "__version__": "spec.version:VERSION",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'grapharc' has no attribute '{name}'")
    module, _, attribute = _WHERE[name].partition(":")
    value: object = getattr(import_module(f"grapharc.{module}"), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
