"""Documents into governed agent graphs: check them, compile them onto LangGraph, run them.

The whole way over files, as the commands of the same name go it:

* :func:`check` documents: every fault of each, without running anything; :class:`Report`.
* :func:`run` a graph: check, compile, run; :class:`RunResult`, or :class:`Refused`.

The way step by step. Each verb takes what the former gives, and gives a new frozen value:

* :func:`read` (and :func:`read_graph`, :func:`read_registry`, :func:`read_policy`): bytes into a :class:`Document`.
* :func:`open_registry` and :func:`open_policy`: what exists here, and what may happen.
* :func:`link` a graph against a registry: a :class:`LinkedGraph`.
* :func:`admit` it under policies: an :class:`Admission`, with its :func:`record`.
* :func:`compile` an admission onto LangGraph: a :class:`CompiledGraph`, whose ``invoke`` and ``stream`` run it.

Names are imported when they are first used, so that ``import grapharc`` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes a third of the time of a check whose verdict is kept
if TYPE_CHECKING:
    from grapharc.compiler.compile import compile_graph as compile  # noqa: A004
    from grapharc.compiler.compiled import CompiledGraph
    from grapharc.policy.admission import Admission
    from grapharc.policy.admit import admit
    from grapharc.policy.owner.open_policy import open_policy
    from grapharc.policy.owner.policy import Policy
    from grapharc.policy.record import record
    from grapharc.project.check import check
    from grapharc.project.errors import CannotStart
    from grapharc.project.files import DiskLoader
    from grapharc.project.report import Report
    from grapharc.project.run import Refused, run
    from grapharc.project.settings import Flags
    from grapharc.runtime.errors import RunError
    from grapharc.runtime.refusals import Refusal
    from grapharc.runtime.result import RunResult
    from grapharc.runtime.workspace import Workspace
    from grapharc.spec.document import Document
    from grapharc.spec.finding import Finding, Place
    from grapharc.spec.link.link import link
    from grapharc.spec.linked import Budget, LinkedGraph
    from grapharc.spec.memo import Memo
    from grapharc.spec.offers import Registry
    from grapharc.spec.read import read, read_graph, read_policy, read_registry
    from grapharc.spec.reasons import message, remedy, severity
    from grapharc.spec.registry.open_registry import open_registry
    from grapharc.spec.version import VERSION as __version__  # noqa: N811

__all__ = [
    "Admission",
    "Budget",
    "CannotStart",
    "CompiledGraph",
    "DiskLoader",
    "Document",
    "Finding",
    "Flags",
    "LinkedGraph",
    "Memo",
    "Place",
    "Policy",
    "Refusal",
    "Refused",
    "Registry",
    "Report",
    "RunError",
    "RunResult",
    "Workspace",
    "__version__",
    "admit",
    "check",
    "compile",
    "link",
    "message",
    "open_policy",
    "open_registry",
    "read",
    "read_graph",
    "read_policy",
    "read_registry",
    "record",
    "remedy",
    "run",
    "severity",
]

_WHERE = {
    "Admission": "policy.admission",
    "Budget": "spec.linked",
    "CannotStart": "project.errors",
    "CompiledGraph": "compiler.compiled",
    "DiskLoader": "project.files",
    "Document": "spec.document",
    "Finding": "spec.finding",
    "Flags": "project.settings",
    "LinkedGraph": "spec.linked",
    "Memo": "spec.memo",
    "Place": "spec.finding",
    "Policy": "policy.owner.policy",
    "Refusal": "runtime.refusals",
    "Refused": "project.run",
    "Registry": "spec.offers",
    "Report": "project.report",
    "RunError": "runtime.errors",
    "RunResult": "runtime.result",
    "Workspace": "runtime.workspace",
    "__version__": "spec.version:VERSION",
    "admit": "policy.admit",
    "check": "project.check",
    "compile": "compiler.compile:compile_graph",
    "link": "spec.link.link",
    "message": "spec.reasons",
    "open_policy": "policy.owner.open_policy",
    "open_registry": "spec.registry.open_registry",
    "read": "spec.read",
    "read_graph": "spec.read",
    "read_policy": "spec.read",
    "read_registry": "spec.read",
    "record": "policy.record",
    "remedy": "spec.reasons",
    "run": "project.run",
    "severity": "spec.reasons",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'grapharc' has no attribute '{name}'")
    from importlib import import_module

    module, _, attribute = _WHERE[name].partition(":")
    value: object = getattr(import_module(f"grapharc.{module}"), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
