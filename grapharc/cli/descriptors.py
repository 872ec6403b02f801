"""Secrets go in; what kinds and their processes write to the standard descriptors comes out without them."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Generator

from grapharc.runtime.redact import Redactor

_PAUSE = 0.05
"""Seconds between looks at what was written."""


@contextlib.contextmanager
def descriptors_aside(redactor: Redactor) -> Generator[None]:
    """Send to standard error what is meanwhile written past ``sys.stdout``: with ``--json``, that is one document.

    With secrets, both descriptors lead to memory, or a file without a name, that a thread reads behind the writers. A
    pipe would make them wait for it, and one that holds the interpreter's lock, for ever.
    """
    _flush()
    kept = os.dup(1), os.dup(2)
    reader = _Reader(redactor, kept[1]) if redactor else None
    aside = reader.file if reader is not None else 2
    os.dup2(aside, 1)
    os.dup2(aside, 2)
    try:
        yield
    finally:
        _flush()
        for number, descriptor in enumerate(kept, 1):
            os.dup2(descriptor, number)
        if reader is not None:
            reader.finish()
        for descriptor in kept:
            os.close(descriptor)


def _flush() -> None:
    """What was written before, and meanwhile, is not to go where what comes after it goes."""
    for stream in (sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(OSError, ValueError):  # a kind can have closed it
            if stream is not None:
                stream.flush()


class _Reader:
    """Reads what is written to ``file`` from another thread, and passes it on once it cannot hold half a secret."""

    def __init__(self, redactor: Redactor, out: int) -> None:
        self.file = os.memfd_create("output") if hasattr(os, "memfd_create") else _nameless()
        self._redactor, self._out = redactor, out
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._at = 0
        self._waiting = ""
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="masking", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Pass on what is left; what a process writes that outlives the run is not seen."""
        self._is_over.set()
        self._thread.join()
        os.close(self.file)

    def _follow(self) -> None:
        with contextlib.suppress(OSError):  # nobody reads standard error any more
            while not self._is_over.wait(_PAUSE):
                self._pass_on()
            self._pass_on()
            self._write(self._waiting)

    def _pass_on(self) -> None:
        while data := os.pread(self.file, 1 << 16, self._at):
            self._at += len(data)
            known = self._masked(self._waiting + self._decoder.decode(data))
            end = len(known) - self._redactor.begun(known)
            self._write(known[:end])
            self._waiting = known[end:]

    def _masked(self, text: str) -> str:
        return "\n".join(map(self._redactor.text, self._redactor.text(text).split("\n")))

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        while data:
            data = data[os.write(self._out, data) :]


def _nameless() -> int:
    with tempfile.TemporaryFile(buffering=0) as file:
        return os.dup(file.fileno())
