"""A role and the run's context go in; the chat model that plays it comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping, Sequence
from threading import Lock
from typing import Protocol

from langchain_core.language_models import BaseChatModel

from grapharc.runtime.models.scripted import ScriptedChatModel
from grapharc.spec.json_value import is_dict, is_list
from grapharc.spec.offers import Role
from grapharc.spec.types import Type

_opening = Lock()


class ModelContext(Protocol):
    """What the model kinds use of the run's context."""

    @property
    def node(self) -> str:
        """The name of the node that runs."""
        ...

    @property
    def index(self) -> int | None:
        """In a map, the index of the item that runs."""
        ...

    @property
    def output_types(self) -> Mapping[str, Type]:
        """The types of the node's output ports, type variables solved."""
        ...

    @property
    def run_store(self) -> MutableMapping[str, object]:
        """What kinds keep for the length of one run."""
        ...

    def role(self, name: str) -> Role:
        """Return a role of the registry."""
        ...

    def read_beside(self, document: str, reference: str) -> bytes:
        """Return the bytes of a file that a document of the registry names."""
        ...


class UnknownBackend(Exception):
    """No backend of this installation plays a role's model. ``spec`` as the registry has it."""

    def __init__(self, role: str, spec: str) -> None:
        super().__init__(role, spec)
        self.role, self.spec = role, spec

    def __str__(self) -> str:
        return f"role '{self.role}' is played by '{self.spec}', and this version has no backend but 'mock/FILE'"


class BadScript(Exception):
    """A mock file is no list of replies, and no object of such lists. ``spec`` names the file."""

    def __init__(self, spec: str, why: str) -> None:
        super().__init__(spec, why)
        self.spec, self.why = spec, why

    def __str__(self) -> str:
        return f"'{self.spec}': {self.why}"


def open_model(name: str, ctx: ModelContext) -> BaseChatModel:
    """Return the model of a role, the same one for the whole run. Raises UnknownBackend and BadScript."""
    role = ctx.role(name)
    backend, _, file = role.spec.partition("/")
    if backend != "mock" or not file:
        raise UnknownBackend(name, role.spec)
    with _opening:
        return _scripted(role, file, ctx)


def _scripted(role: Role, file: str, ctx: ModelContext) -> ScriptedChatModel:
    """One cursor for each role and run; a file that lists replies by node has one for each node.

    An item of a map is answered by its index there, however often it is tried: which item comes first is chance.
    """
    script = _script(role, ctx.read_beside(role.place.document, file))
    by_node = isinstance(script, Mapping)
    key = f"model:{role.name}:{ctx.node if by_node else ''}"
    known = ctx.run_store.get(key)
    if by_node and ctx.node not in script:
        raise BadScript(role.spec, f"there are no replies for node '{ctx.node}'")
    if by_node and ctx.index is not None:
        own = script[ctx.node][ctx.index : ctx.index + 1]
        return ScriptedChatModel(responses=list(own), on_exhausted="repeat")
    if isinstance(known, ScriptedChatModel):
        return known
    model = ScriptedChatModel(responses=list(script[ctx.node] if by_node else script))
    ctx.run_store[key] = model
    return model


def _script(role: Role, data: bytes) -> Sequence[str] | Mapping[str, Sequence[str]]:
    try:
        value: object = json.loads(data)
    except ValueError as error:
        raise BadScript(role.spec, f"not JSON: {error}") from error
    if is_list(value):
        return _replies(role, value)
    if is_dict(value):
        return {str(node): _replies(role, replies) for node, replies in value.items()}
    raise BadScript(role.spec, "a list of replies would be right, or an object from node names to such lists")


def _replies(role: Role, value: object) -> list[str]:
    """A reply is a text; any other value is answered as its JSON."""
    if not is_list(value):
        raise BadScript(role.spec, "a list of replies would be right")
    return [reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False) for reply in value]
