"""The environment goes in, the folder of the user's caches comes out; every check comes by, so it imports little."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def cache_folder(environ: Mapping[str, str]) -> str | None:
    """Return the folder of all caches: GRAPHARC_CACHE_DIR, else ours in the user's; None where there is no user."""
    named = environ.get("GRAPHARC_CACHE_DIR")
    if named:
        return os.path.abspath(named)
    home = os.path.expanduser("~")
    if home == "~":
        return None
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "grapharc")
    if sys.platform == "win32":
        return os.path.join(environ.get("LOCALAPPDATA") or home, "grapharc", "cache")
    named = environ.get("XDG_CACHE_HOME", "")
    # A relative one could be the project's, and counts for nothing (https://specifications.freedesktop.org/basedir-spec).
    return os.path.join(named if os.path.isabs(named) else os.path.join(home, ".cache"), "grapharc")
