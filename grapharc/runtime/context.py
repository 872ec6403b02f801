"""What a kind may touch, and nothing else: the ``ctx`` that its function receives when it has a parameter of that name.

A function gets its ports and arguments by keyword, each its own copy: templates are rendered, ``{ file = ... }`` is the
file's text, an argument whose format is ``expression`` is its value. Everything that is not a value comes by ``ctx``:

* ``ctx.node``, ``ctx.kind``, ``ctx.run_id``: whose activation this is; in a map ``ctx.index``, the item's from 0.
* ``ctx.output_types``: the type of each output port, type variables solved.
* ``ctx.role(name)``: a model role that this node's arguments name. Models report what they use to LangChain's
  callbacks, and the runtime charges it; there is nothing to charge by hand. A call that is made with
  ``config={"metadata": {"role": name}}`` is priced as that role; one without, as the dearest role of the node.
* ``ctx.workspace``: the folder that no path leaves, without the project's own files; for kinds that declare files or
  commands.
* ``ctx.store(path)``: where a store lies that this node's arguments name, beneath the project folder; for kinds that
  declare ``memory_read`` or ``memory_write``.
* ``ctx.env``: those environment variables that the kind's manifest lists and that are set.
* ``ctx.read_beside(document, reference)``: the bytes of a file that the registry names for a role of this node.
* ``ctx.run_store``: a dict that lives as long as the run and is shared by all of its nodes, in all of their threads.
  Keys begin with the family's name.
* ``ctx.decide_tool(kind, arguments)``: asks the policies whether a kind that this node holds may be used with these
  arguments, and returns the arguments to use it with. A kind that uses what it holds asks before each use.
* ``ctx.seconds_left()``: until this activation is interrupted, or None; for the timeouts of clients.

Nothing of it is to be kept for after the function has returned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import TypeAlias

from grapharc.runtime.errors import NotGranted
from grapharc.runtime.workspace import Workspace
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json
from grapharc.spec.loader import Loader
from grapharc.spec.offers import WORKSPACE_CAPABILITIES, Capability, Role
from grapharc.spec.types import Type

_NEEDS_STORE: tuple[Capability, ...] = ("memory_read", "memory_write")

Granting: TypeAlias = "Callable[[str, Mapping[str, object]], dict[str, Json]]"
"""What decides whether a held kind may be used with some arguments, and completes them."""


@frozen(slots=False)
class Grants:
    """What one node of a compiled graph may touch; the same in every run."""

    node: str
    kind: str
    capabilities: tuple[Capability, ...]
    roles: Mapping[str, Role]
    output_types: Mapping[str, Type]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    workspace: Workspace | None = None
    project: Workspace | None = None
    stores: tuple[str, ...] = ()
    loader: Loader | None = None


class Context:
    """The ``ctx`` of one activation."""

    def __init__(
        self,
        grants: Grants,
        run_id: str,
        run_store: MutableMapping[str, object],
        deadline: float | None,
        index: int | None = None,
        decide: Granting | None = None,
    ) -> None:
        self._grants = grants
        self._deadline = deadline
        self._decide = decide
        self.run_id = run_id
        self.run_store = run_store
        self.index = index

    @property
    def node(self) -> str:
        """The name of the node that runs."""
        return self._grants.node

    @property
    def kind(self) -> str:
        """The name of its kind, as the registry offers it."""
        return self._grants.kind

    @property
    def output_types(self) -> Mapping[str, Type]:
        """The types of the node's output ports, type variables solved."""
        return self._grants.output_types

    @property
    def env(self) -> Mapping[str, str]:
        """The environment variables that the kind's manifest lists and that are set."""
        return self._grants.env

    @property
    def workspace(self) -> Workspace:
        """The folder that no path leaves. Raises NotGranted for a kind that declares neither files nor commands."""
        if self._grants.workspace is None or not set(WORKSPACE_CAPABILITIES) & set(self._grants.capabilities):
            raise NotGranted(self.kind, "the workspace", " or ".join(WORKSPACE_CAPABILITIES))
        return self._grants.workspace

    def store(self, path: str) -> Path:
        """Return where a store lies that this node's arguments name. Raises NotGranted, WorkspaceEscape and OSError.

        The file need not be there. A kind that writes is given the folder for it.
        """
        grants = self._grants
        if grants.project is None or not set(_NEEDS_STORE) & set(grants.capabilities):
            raise NotGranted(self.kind, "a store", " or ".join(_NEEDS_STORE))
        if path not in grants.stores:
            raise NotGranted(self.kind, f"store '{path}'", "an argument that names it")
        return grants.project.locate(path, make_folders="memory_write" in grants.capabilities)

    def role(self, name: str) -> Role:
        """Return a role that this node's arguments name. Raises NotGranted for any other."""
        if name not in self._grants.roles:
            raise NotGranted(self.kind, f"role '{name}'", "an argument that names it")
        return self._grants.roles[name]

    def read_beside(self, document: str, reference: str) -> bytes:
        """Return the bytes of a file that the registry names for a role of this node. Raises NotGranted, Unreadable."""
        loader = self._grants.loader
        files = {role.file for role in self._grants.roles.values()}
        if loader is None or (path := loader.resolve(reference, document)) not in files:
            raise NotGranted(self.kind, f"'{reference}'", "a role whose model is that file")
        return loader.load(path)

    def decide_tool(self, kind: str, arguments: Mapping[str, object]) -> dict[str, Json]:
        """Decide whether a kind that this node holds may be used, and return all that it is to be called with.

        ``arguments`` are arguments and inputs by name, as a model gives them; what is pinned and what has a default is
        added. Each decision is recorded. Where a policy says no the run ends, and no ``except Exception`` keeps it up.
        Raises NotGranted for a kind that the node does not hold, and for an argument that is pinned or unknown.
        """
        if self._decide is None:
            raise NotGranted(self.kind, f"kind '{kind}'", "an argument that lists it")
        return self._decide(kind, arguments)

    def seconds_left(self) -> float | None:
        """Return the seconds until this activation is interrupted, or None if it never is."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
