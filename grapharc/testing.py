"""The door for tests: a chat model that answers from a script."""

from grapharc.runtime.models.scripted import ScriptedChatModel, ScriptExhausted

__all__ = ["ScriptExhausted", "ScriptedChatModel"]
