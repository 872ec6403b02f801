"""``sha256`` and ``blake2b`` as in ``hashlib``, without OpenSSL, whose loading takes a third of a Python's start."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b

        try:
            from _sha2 import sha256  # since Python 3.12
        except ImportError:
            from _sha256 import sha256
    except ImportError:  # an interpreter that is built otherwise
        from hashlib import blake2b, sha256

__all__ = ["blake2b", "sha256"]
