"""What is wrong with the name of an argument that a model gives: nothing takes it, or somebody else has set it."""

from __future__ import annotations


class NotTaken(KeyError):
    """A kind takes no argument and no input of that name."""


class Pinned(KeyError):
    """The registry has set an argument, so that nobody else can."""
