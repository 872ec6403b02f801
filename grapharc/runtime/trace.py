"""What happens in a run goes in; one JSON object a line comes out, the record that everything else is read from.

Format 1. A file holds any number of runs, also of several processes at once; lines of one run are in the order of
``seq``. Nothing is ever changed, only appended, and each line is with the system before the run goes on. A process
that dies can leave a last line torn; :func:`read_trace` names it and goes on. Secrets of the environment are masked.

Every record has ``event``, ``run`` (the run's id), ``seq`` (from 0 in each run) and ``at`` (UTC, ISO 8601). Durations
are in milliseconds.

* ``run_start``: ``format`` ("1"), ``grapharc`` (our version), ``lowering``, ``graph`` (name and version),
  ``admission`` (digests), ``budget`` (ceilings that are set), ``inputs``, ``state`` (what each field starts from,
  inputs included) and ``reducers`` (of the fields whose reducer is not ``last``).
* ``decision``: what one policy answered to one request, with its ``policy``, ``version`` and ``digest``, the ``effect``
  (``allow``, ``ask``, ``deny``), and the ``rule`` and its ``reason``, both null where the policy's default answered.
  ``resource`` and ``kinds`` say what was asked for: one kind, or both ends. With ``stage`` ``admission`` they follow
  ``run_start``, one for each decision of the admission, with the ``nodes`` or ``edges`` that ask; ``decided_at_run``
  lists rules that the run decides. With ``stage`` ``run`` they are made before an activation, or before it uses a tool:
  ``node``, ``activation`` and ``index`` say which; of ``spend`` there is also what was ``spent`` or set aside before,
  and what the activation may cost at ``worst``. What is denied ends the run.
* ``start``: ``node``, ``kind`` and ``activation`` (from 1 in each run); of a node with retries ``attempt`` (from 1), of
  a map's item ``index`` (from 0). Nothing else is known yet.
* ``end``: the same, with ``duration``, ``writes`` (field to what was written, before the reducer), ``order`` (by which
  what unordered nodes write is folded: the lesser list first), and ``spent`` if a model was asked; where the node may
  go on in several ways, ``to`` (the targets). An item has ``gives`` instead: its share of its node's writes.
* ``error``: the same, with ``duration``, ``error`` (``code``, ``type``, ``message``, of one that is denied ``policy``
  and ``rule``) and ``spent``. Its writes never
  reached the state. If it is tried again, ``again`` (after how many seconds); if an error edge was taken, ``writes``
  (the failure), ``order`` and ``to``.
* ``map_start``: ``node``, ``kind`` and ``items`` (how many). ``map_end``: the same, with ``duration``, ``writes``,
  ``order``, ``to`` as above and ``failed`` (how many items are left out). ``map_error``: the same, as an ``error``.
* ``loop``: a loop was left: its ``header``, the ``node`` that left it, its ``rounds``, and the ``reason``:
  ``target_met`` (by an edge out of it), ``round_cap``, ``no_progress`` or ``failed`` (by an error edge, or the run
  failed).
* ``graph_start``: a subgraph was entered: its ``node``, ``state`` (what each of its fields starts from) and
  ``reducers``. Its nodes are called ``outer/inner``, and all records from inside have ``within``, the ``activation`` of
  the node that entered it; what they write reaches the subgraph's own fields, and ends with it.
* ``run_stop``: ``stop`` (why, see :data:`grapharc.runtime.result.Stop`), ``duration``, ``spent``, ``outputs`` of a run
  that came to its end, ``error`` of one that did not.

Whatever has ``writes`` reached the state, and nothing else did.

``spent`` has ``input_tokens``, ``output_tokens``, ``usd``, ``calls``, and where they are not 0 ``unmetered`` (calls
that reported no usage) and ``unpriced`` (tokens without a known price); in ``run_stop`` also ``iterations``,
``steps`` (supersteps, those within subgraphs included) and ``concurrency``.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from grapharc.runtime.errors import TraceLost
from grapharc.runtime.redact import NOTHING, Redactor
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Json
from grapharc.spec.types import JSON
from grapharc.spec.values import Misfit, conform, copy_value

FORMAT = "1"

Event: TypeAlias = Literal[
    "run_start",
    "decision",
    "start",
    "end",
    "error",
    "map_start",
    "map_end",
    "map_error",
    "loop",
    "graph_start",
    "run_stop",
]
Record: TypeAlias = "Mapping[str, Json]"
Listener: TypeAlias = Callable[[Record], None]

_BEGINNING = b'{"event":'
"""How the first line of a trace begins, as far as it was written."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Trace:
    """The record of one run: to a file, to listeners, or to both. Safe to use from many threads."""

    def __init__(
        self, run: str, path: Path | None, listeners: Sequence[Listener] = (), redactor: Redactor = NOTHING
    ) -> None:
        self._run, self._path = run, path
        self._listeners = tuple(listeners)
        self._redactor = redactor
        self._seq = 0
        self._lock = threading.Lock()
        self._file = None if path is None else _open(path)

    def write(self, event: Event, **values: Json) -> None:
        """Append one record. Raises TraceLost when the file cannot take it: a run is not to go on unrecorded.

        For a run that is only about to start it is OSError. Once the file is lost, listeners alone are told.
        """
        if self._redactor:
            values = {key: self._redactor.value(value) for key, value in values.items()}
        with self._lock:
            record = {"event": event, "run": self._run, "seq": self._seq, "at": _now(), **values}
            if self._file is not None:
                self._keep(self._file, record)
            self._seq += 1
        for listen in self._listeners:
            listen({key: copy_value(value) for key, value in record.items()})  # theirs to change, the state's not

    def inside(self, activation: int) -> InnerTrace:
        """Return what a subgraph records to."""
        return InnerTrace(self, activation)

    def close(self) -> None:
        """Let go of the file."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                os.close(file)

    def _keep(self, file: int, record: Record) -> None:
        try:
            _append(file, record)
            if record["event"] == "run_stop":
                _refuse_deleted(file)
        except OSError as error:
            self.close()
            if record["event"] == "run_start":
                raise OSError(error.errno, error.strerror, str(self._path)) from error
            raise TraceLost(str(self._path), (error.strerror or str(error)).lower()) from error


class InnerTrace:
    """The trace of a run for what happens in one entry of a subgraph."""

    def __init__(self, trace: Trace, activation: int) -> None:
        self._trace, self._activation = trace, activation

    def write(self, event: Event, **values: Json) -> None:
        """Append one record that says which entry it belongs to."""
        self._trace.write(event, within=self._activation, **values)

    def inside(self, activation: int) -> InnerTrace:
        """Return what a subgraph of the subgraph records to."""
        return InnerTrace(self._trace, activation)


Records: TypeAlias = Trace | InnerTrace


@frozen(slots=False)
class Traces:
    """What stands in a trace file: its records in order, and the numbers of lines that are torn."""

    records: tuple[Record, ...]
    torn: tuple[int, ...]


def read_trace(path: Path) -> Traces:
    """Read a trace file. A line that is no record was torn when its process died; its number is kept, from 1."""
    records: list[Record] = []
    torn: list[int] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line:
            continue
        record = _record(line)
        if record is None:
            torn.append(number)
        else:
            records.append(record)
    return Traces(tuple(records), tuple(torn))


def _record(line: bytes) -> Record | None:
    try:
        value = conform(JSON)(json.loads(line))
    except (ValueError, RecursionError, Misfit):
        return None
    return value if isinstance(value, Mapping) and "event" in value else None


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        if os.fstat(file).st_size:
            _go_on(file)
    except OSError as error:
        os.close(file)
        raise OSError(error.errno, error.strerror, str(path)) from error
    return file


def _go_on(file: int) -> None:
    """Get ready to append to what others wrote, which must be a trace: anything else would be spoilt by ours."""
    if not _BEGINNING.startswith(os.read(file, len(_BEGINNING)).partition(b"\n")[0]):
        raise FileExistsError(errno.EEXIST, "it is there already, and is no trace")
    os.lseek(file, -1, os.SEEK_END)
    if os.read(file, 1) != b"\n":
        os.write(file, b"\n")  # someone's last line is torn; ours is not to be torn with it


def _refuse_deleted(file: int) -> None:
    found = os.fstat(file)
    if stat.S_ISREG(found.st_mode) and not found.st_nlink:
        raise FileNotFoundError(errno.ENOENT, "it was deleted while the run went on")


def _append(file: int, record: Record) -> None:
    """Write a line at once, so that those of other processes stand before or after it and never within."""
    line = _line(record)
    while line:
        line = line[os.write(file, line) :]


def _line(record: Record) -> bytes:
    text = _encode(record) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, which JSON can only escape
        return (json.dumps(record, separators=(",", ":")) + "\n").encode("ascii")


def _now() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
