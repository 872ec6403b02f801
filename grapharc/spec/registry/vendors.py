"""Model specifications go in; who trained the model that each reaches comes out."""

from __future__ import annotations

_VENDORS = {"claude-cli": "anthropic", "openai": "openai"}
"""Backends that reach one vendor's models; the others name it in the model, or are their own vendor."""
_DEFAULT_BACKEND = "claude-cli"


def vendor(spec: str) -> str:
    """Return the vendor of ``backend/model``: the model's author where the model names one, else the backend's own.

    A specification without a slash is a model of the default backend. A mock file is its own vendor, so that two
    scripts in one file count as one voice.
    """
    backend, slash, model = spec.partition("/")
    if not slash:
        backend, model = _DEFAULT_BACKEND, spec
    if backend == "mock":
        return spec
    author, slash, _ = model.partition("/")
    return author if slash else _VENDORS.get(backend, backend)


def different_providers(a: str, b: str) -> bool:
    """Tell whether two specifications reach models of different vendors: agreement follows training, not names."""
    return vendor(a) != vendor(b)
