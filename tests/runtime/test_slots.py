"""Slots are handed on in the order in which they were asked for, and none is lost."""

from __future__ import annotations

import asyncio
import threading
import time

from grapharc.runtime.slots import Slots


def test_who_comes_first_is_served_first() -> None:
    slots, served = Slots(1), list[int]()
    slots.take(9)
    threads: list[threading.Thread] = []
    for number in range(5):

        def wait(number: int = number) -> None:
            slots.take(9)
            served.append(number)
            slots.give_back()

        threads.append(threading.Thread(target=wait))
        threads[-1].start()
        time.sleep(0.02)
    slots.give_back()
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_who_gives_up_loses_no_slot() -> None:
    slots = Slots(1)
    assert slots.take(0)
    assert not slots.take(0.01)
    slots.give_back()
    assert slots.take(0)


def test_a_task_that_is_cancelled_while_it_waits_loses_no_slot() -> None:
    async def run() -> None:
        slots = Slots(1)
        assert await slots.take_async(0)
        waiting = asyncio.create_task(slots.take_async(9))
        await asyncio.sleep(0.01)
        waiting.cancel()
        slots.give_back()  # it is called while it is being cancelled, or not at all
        await asyncio.wait({waiting})
        assert await slots.take_async(0.1)
        assert not await slots.take_async(0.01)

    asyncio.run(run())


def test_threads_and_tasks_stand_in_one_line() -> None:
    async def run() -> list[str]:
        slots, served = Slots(1), list[str]()
        await slots.take_async(9)

        def in_thread() -> None:
            slots.take(9)
            served.append("thread")
            slots.give_back()

        async def in_task() -> None:
            await slots.take_async(9)
            served.append("task")
            slots.give_back()

        thread = asyncio.create_task(asyncio.to_thread(in_thread))
        await asyncio.sleep(0.05)
        task = asyncio.create_task(in_task())
        await asyncio.sleep(0.05)
        slots.give_back()
        await asyncio.gather(thread, task)
        return served

    assert asyncio.run(run()) == ["thread", "task"]
