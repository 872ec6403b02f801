"""Keeps a LangGraph run that is started inside another one apart from it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from langchain_core.runnables.config import var_child_runnable_config


@contextmanager
def apart() -> Generator[None]:
    """Let LangGraph see no run around the one that begins here: that is for us to know."""
    token = var_child_runnable_config.set(None)
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)
