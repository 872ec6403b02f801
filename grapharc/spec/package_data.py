"""The name of a file of this package goes in, its bytes come out, and no module is imported that a check lacks."""

from __future__ import annotations

import os

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def package_data(name: str) -> bytes:
    """Return the bytes of a file, by its posix path from the package's folder: ``spec/reasons.toml``."""
    with open(os.path.join(PACKAGE, *name.split("/")), "rb") as file:
        return file.read()
