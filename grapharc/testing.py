"""The door for tests: a chat model that answers from a script."""

from grapharc.stdlib_kinds.model.scripted import ScriptedChatModel, ScriptExhausted

__all__ = ["ScriptExhausted", "ScriptedChatModel"]
