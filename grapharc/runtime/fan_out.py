"""A node that runs once for each item of a list goes in, with its view and the run; what it has come to comes out.

Items run in lanes of our own, inside the one step of their node: as many as the map and the run allow. One that fails
or hangs keeps no other from its result.
"""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from threading import Semaphore

from grapharc.runtime import threads
from grapharc.runtime.activation import Plan, Run
from grapharc.runtime.attempts import attempts, attempts_async
from grapharc.runtime.contracts import View
from grapharc.runtime.errors import RunError, TooManyItems
from grapharc.runtime.fan import Fan
from grapharc.runtime.items import Items
from grapharc.runtime.records import MapRecord
from grapharc.runtime.settled import Settled, diverted, succeeded


def fan_out(plan: Plan, fan: Fan, view: View, run: Run) -> Settled:
    """Run all items of a node whose function is no coroutine. Raises RunError."""
    record = MapRecord(plan, run)
    try:
        items = _begin(plan, fan, view, record)
        _in_threads(_Lane(plan, fan, view, run, items), _lanes(fan, run, items))
        return _end(plan, fan, view, record, items)
    except BaseException as raised:
        return _fail(plan, view, run, record, raised)


async def fan_out_async(plan: Plan, fan: Fan, view: View, run: Run) -> Settled:
    """Run all items; a function that is no coroutine runs in other threads. Raises RunError."""
    record = MapRecord(plan, run)
    try:
        items = _begin(plan, fan, view, record)
        await _in_tasks(_Lane(plan, fan, view, run, items), _lanes(fan, run, items))
        return _end(plan, fan, view, record, items)
    except BaseException as raised:
        return _fail(plan, view, run, record, raised)


def _begin(plan: Plan, fan: Fan, view: View, record: MapRecord) -> Items:
    items = fan.items(view)
    record.start(len(items))
    if len(items) > fan.max_items:
        raise TooManyItems(plan.name, plan.kind, len(items), fan.max_items)
    return Items(fan, items)


def _lanes(fan: Fan, run: Run, items: Items) -> int:
    bounds = (len(items), fan.concurrency, run.meter.budget.max_concurrency)
    return min(bound for bound in bounds if bound is not None)


class _Lane:
    """Runs items one after the other, for as long as there is one that nobody has taken."""

    def __init__(self, plan: Plan, fan: Fan, view: View, run: Run, items: Items) -> None:
        self._plan, self._fan, self._view, self._run = plan, fan, view, run
        self.items = items

    def run(self) -> None:
        items = self.items
        while (index := items.take()) is not None:
            try:
                settled = attempts(self._plan, self._view_of(index), self._run, index, items.halted)
            except BaseException as raised:
                items.raised(index, raised)
            else:
                items.gave(index, settled.writes)

    async def run_async(self) -> None:
        items = self.items
        while (index := items.take()) is not None:
            try:
                settled = await attempts_async(self._plan, self._view_of(index), self._run, index)
            except BaseException as raised:
                items.raised(index, raised)
            else:
                items.gave(index, settled.writes)

    def _view_of(self, index: int) -> View:
        return {**self._view, self._fan.channel: self.items.item(index)}


def _in_threads(lane: _Lane, number: int) -> None:
    """Run lanes beside each other. A single one runs here, where a signal can interrupt it."""
    if number < 2:
        lane.run()
        return
    begun, ended = 0, Semaphore(0)
    try:
        while begun < number and not lane.items.is_taken:
            try:
                _start(lane, ended)
            except RuntimeError:  # the system has no other thread for us
                if not begun:
                    raise
                break
            begun += 1
        for _ in range(begun):
            ended.acquire()
    except BaseException:
        lane.items.halted.set()
        raise


def _start(lane: _Lane, ended: Semaphore) -> None:
    context = copy_context()

    def work() -> None:
        context.run(lane.run)
        ended.release()

    threads.start(work)


async def _in_tasks(lane: _Lane, number: int) -> None:
    """Run lanes beside each other. Once one has met what ends them all, the others are cancelled."""
    if number < 2:
        await lane.run_async()
        return
    pending = {asyncio.create_task(lane.run_async()) for _ in range(number)}
    try:
        while pending:
            _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            if lane.items.halted.is_set():
                break
    finally:
        lane.items.halted.set()
        for task in pending:
            task.cancel()
        if pending:
            await asyncio.wait(pending)


def _end(plan: Plan, fan: Fan, view: View, record: MapRecord, items: Items) -> Settled:
    gives, failures = items.results()
    settled = succeeded(plan, view, fan.assemble(gives, failures))
    record.end(view, settled, len(failures))
    return settled


def _fail(plan: Plan, view: View, run: Run, record: MapRecord, raised: BaseException) -> Settled:
    if isinstance(raised, RunError) and run.redactor:
        raised.mask(run.redactor.text)
    settled = diverted(plan, view, raised)
    record.error(view, raised, settled)
    if settled is None:
        raise raised
    return settled
