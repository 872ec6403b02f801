"""Secrets go in; while a run goes on, what its kinds print goes to standard error and comes out without them."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Generator, Mapping
from typing import TextIO

from grapharc.cli.descriptors import descriptors_aside
from grapharc.policy.admission import Admission
from grapharc.runtime.redact import Redactor


@contextlib.contextmanager
def kinds_print_aside(admission: Admission, environ: Mapping[str, str]) -> Generator[None]:
    """Send what is printed meanwhile to standard error: with ``--json``, standard output is one document.

    Secrets are the variables that a kind's manifest lists. They are masked as they are: what a kind makes of one, by
    encoding it for instance, is out of reach, and so is what it opens itself, a terminal for instance.
    """
    offers = admission.graph.registry.offers.values()
    redactor = Redactor(environ[name] for offer in offers for name in offer.kind.env if name in environ)
    aside = _Masked(sys.stderr, redactor) if redactor else sys.stderr
    with descriptors_aside(redactor), contextlib.redirect_stdout(aside), contextlib.redirect_stderr(aside):
        try:
            yield
        finally:
            with contextlib.suppress(OSError, ValueError):  # a kind can have closed it
                aside.flush()


class _Masked(io.TextIOBase):
    """A stream that passes on whole lines, so that no secret slips through in two halves."""

    def __init__(self, stream: TextIO, redactor: Redactor) -> None:
        self._stream, self._redactor = stream, redactor
        self.buffer = stream.buffer
        self._begun = ""
        self._lock = threading.RLock()

    def write(self, text: str) -> int:
        with self._lock:
            lines, newline, self._begun = (self._begun + text).rpartition("\n")
            self._stream.write(self._masked(lines) + newline)
        return len(text)

    def flush(self) -> None:
        with self._lock:
            begun, self._begun = self._begun, ""
            self._stream.write(self._masked(begun))
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    def _masked(self, lines: str) -> str:
        return "\n".join(map(self._redactor.text, lines.split("\n")))
