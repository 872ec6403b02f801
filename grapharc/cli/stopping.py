"""A signal that ends the process comes in; what Ctrl-C does comes of it, and the exit code that belongs to it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator, Mapping
from types import FrameType

from grapharc.cli.answer import Terminated

_ENDING = ("SIGTERM", "SIGHUP")


@contextlib.contextmanager
def ended_in_order() -> Generator[None]:
    """Take what else ends a process for Ctrl-C, as what runs here knows how to end on that. Raises Terminated.

    A signal that is ignored, or that somebody else handles, stays so.
    """
    import signal  # a check does not wait for it

    came: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        came.append(number)
        handle = signal.getsignal(signal.SIGINT)
        if callable(handle):  # an event loop has a handler of its own, which cancels what runs on it
            handle(signal.SIGINT, frame)
        else:
            raise KeyboardInterrupt

    to_handle = _to_handle()
    before = {number: signal.signal(number, end) for number in to_handle}
    try:
        yield
    except KeyboardInterrupt:
        if came:
            raise Terminated(came[0], to_handle[came[0]]) from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _to_handle() -> Mapping[int, str]:
    """The signals that would end the process; only the main thread may ask to be told of one."""
    import signal

    if threading.current_thread() is not threading.main_thread():
        return {}
    known = {int(getattr(signal, name)): name for name in _ENDING if hasattr(signal, name)}
    return {number: name for number, name in known.items() if signal.getsignal(number) is signal.SIG_DFL}
