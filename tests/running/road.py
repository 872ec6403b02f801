"""The whole road in memory: a graph as text and kinds as functions go in, it is read, linked, admitted and compiled."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from types import ModuleType
from typing import Any

from grapharc.compiler.compile import compile_graph
from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.engine import Checkpointer
from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.open_policy import open_policy
from grapharc.project.files import DiskLoader
from grapharc.runtime.errors import RunError
from grapharc.runtime.result import RunResult
from grapharc.runtime.trace import Record
from grapharc.spec.link.link import link
from grapharc.spec.memo import Memo
from grapharc.spec.read import read_graph, read_policy, read_registry
from grapharc.spec.registry.open_registry import open_registry
from tests.linking.project import Folder, said

MODULE = "kinds.on_the_road"
MEMO = Memo()
SHIPPED = '[[use]]\nkind = "control.*"\n[[use]]\nkind = "graph"\n'
REGISTRY = SHIPPED + '[[use]]\nfrom = "kinds.toml"\nkind = "*"\n'


class InMemory(Folder):
    """Texts by path, beside the manifests that are really shipped."""

    def shipped(self) -> Iterator[tuple[str, bytes]]:
        yield from DiskLoader(".").shipped()


class Road:
    """Kinds, and graphs that use them; run synchronously, with functions in threads, or with coroutines."""

    def __init__(self, mode: str = "sync") -> None:
        self.mode = mode
        self.ran: list[str] = []
        """Which nodes ran, as :meth:`note` was told."""
        self.files: dict[str, str] = {}
        """Other graphs, by path."""
        self.policies: list[str] = []
        """The texts of the owner's policies; without one the built-in policy stands."""
        self.models = ""
        """The registry's models."""
        self._manifest: list[str] = []

    def kind(
        self,
        name: str,
        function: Callable[..., Any],
        reads: Mapping[str, str] | None = None,
        writes: Mapping[str, str] | None = None,
        args: Sequence[str] = (),
        more: str = "",
        schema: str = "",
        capabilities: Sequence[str] = (),
    ) -> None:
        """Add a kind of the owner's; ``args`` are strings, and ``schema`` is more of the schema of its arguments."""
        sys.modules.setdefault("kinds", ModuleType("kinds"))
        module = sys.modules.setdefault(MODULE, ModuleType(MODULE))
        # The same names in each test, so that what is remembered of a manifest's text serves all of them.
        attribute = name.replace(".", "_")
        setattr(module, attribute, _coroutine(function) if self.mode == "coroutines" else function)
        lines = [
            "[[kind]]",
            f'name = "{name}"',
            f'entry = "{MODULE}:{attribute}"',
            f"capabilities = {list(capabilities)}",
            more,
        ]
        for which, ports in (("reads", reads or {}), ("writes", writes or {})):
            lines += [f"{which}.{port} = '{type_}'" for port, type_ in ports.items()]
        lines += ["[kind.args]", 'type = "object"', "additionalProperties = false"]
        if args:
            lines += [f"required = {list(args)}", *(f'properties.{arg} = {{ type = "string" }}' for arg in args)]
        self._manifest.append("\n".join([*lines, schema]))

    def note(self, name: str) -> None:
        """Remember that a node ran."""
        self.ran.append(name)

    def notes(self, *names: str) -> None:
        """Add kinds that do nothing but say that they ran."""
        for name in names:
            self.kind(name, lambda name=name: self.note(name))

    def admission(self, graph: str, syntax: str = "toml") -> Admission:
        """Read, link and judge a graph."""
        selection = (REGISTRY if self._manifest else SHIPPED) + self.models
        folder = InMemory({**self.files, "kinds.toml": "\n".join(self._manifest), "registry.toml": selection})
        registry, _ = open_registry(read_registry(selection.encode(), "registry.toml")[0], folder, MEMO)
        document, _ = read_graph(graph.encode(), f"graph.{syntax}")
        policies = [
            open_policy(read_policy(text.encode(), f"policy{number}.toml")[0], MEMO)
            for number, text in enumerate(self.policies)
        ]
        return admit(link(document, registry, folder, MEMO)[0], policies, today=date(2027, 1, 1))

    def compile(self, graph: str, checkpointer: Checkpointer | None = None) -> CompiledGraph:
        """Compile a graph, which must be admitted."""
        admission = self.admission(graph)
        assert admission.verdict == "admitted", said(admission.findings, admission.texts)
        folder = InMemory({"kinds.toml": "\n".join(self._manifest)})
        return compile_graph(admission, loader=folder, checkpointer=checkpointer)

    def run(self, graph: str | CompiledGraph, inputs: Mapping[str, object] | None = None, **how: Any) -> RunResult:
        """Run a graph to its end."""
        compiled = self.compile(graph) if isinstance(graph, str) else graph
        if self.mode == "sync":
            return compiled.invoke(inputs or {}, **how)
        return asyncio.run(compiled.ainvoke(inputs or {}, **how))

    def records(self, graph: str | CompiledGraph, inputs: Mapping[str, object] | None = None) -> list[Record]:
        """Run a graph, to its end or not, and return its trace."""
        compiled = self.compile(graph) if isinstance(graph, str) else graph
        found: list[Record] = []
        with contextlib.suppress(RunError):
            self.run(compiled, inputs, listeners=[found.append])
        return found


def _coroutine(function: Callable[..., Any]) -> Callable[..., Any]:
    if asyncio.iscoroutinefunction(function):
        return function

    @functools.wraps(function)
    async def wrapped(**arguments: Any) -> Any:
        await asyncio.sleep(0)
        return function(**arguments)

    return wrapped


def loops(records: Sequence[Record]) -> list[tuple[object, object, object]]:
    """Return the loops that a trace says were left."""
    return [(r["header"], r["rounds"], r["reason"]) for r in records if r["event"] == "loop"]
