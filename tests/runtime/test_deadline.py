"""Deadlines interrupt what runs, wherever it runs, and leave the process as it was."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable

import pytest

from grapharc.runtime.clocks import Guard, Overtime, current
from grapharc.runtime.deadline import guarded, guarded_task, guarded_thread

OWNER = object()


def spin() -> None:
    while True:
        sum(range(100))


def stubborn() -> str:
    """Swallow the first two interruptions, as code with a bare except in a loop does."""
    swallowed = 0
    while swallowed < 2:
        try:
            spin()
        except BaseException:
            swallowed += 1
    spin()
    return "never"


def in_time(call: Callable[[], object], seconds: float = 0.1) -> float:
    """Run a call under a deadline that it overruns; return how long it really took."""
    token = current.set(OWNER)
    begin = time.monotonic()
    try:
        with pytest.raises(Overtime):
            guarded(call, OWNER, begin + seconds)
    finally:
        current.reset(token)
    return time.monotonic() - begin


def in_thread(work: Callable[[], object]) -> None:
    """Run something in another thread and let its failure be this one's."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def test_a_sleep_on_the_main_thread_is_cut_off() -> None:
    assert in_time(lambda: time.sleep(5)) < 1


def test_a_loop_in_another_thread_is_cut_off() -> None:
    in_thread(lambda: in_time(spin))


@pytest.mark.parametrize("where", [lambda work: work(), in_thread], ids=["main thread", "other thread"])
def test_code_that_swallows_an_interruption_gets_another(where: Callable[[Callable[[], object]], None]) -> None:
    where(lambda: in_time(stubborn))


@pytest.mark.parametrize("seconds", [float("inf"), 1e10, 1e308])
@pytest.mark.parametrize("where", [lambda work: work(), in_thread], ids=["main thread", "other thread"])
def test_a_moment_beyond_every_timer_is_only_far_away(
    seconds: float, where: Callable[[Callable[[], object]], None]
) -> None:
    def work() -> None:
        assert guarded(lambda: "done", OWNER, time.monotonic() + seconds) == "done"

    where(work)
    assert in_time(lambda: time.sleep(5)) < 1


def test_an_alarm_that_was_set_before_still_rings() -> None:
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        begin = time.monotonic()
        in_time(lambda: time.sleep(5), 0.1)
        assert not rung
        time.sleep(0.4)
        assert rung
        assert 0.25 < rung[0] - begin < 0.45
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_alarm_that_comes_first_rings_while_guarded() -> None:
    class Rung(Exception):
        pass

    def ring(*_: object) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Rung):
            guarded(lambda: time.sleep(5), OWNER, time.monotonic() + 3)
        assert signal.getsignal(signal.SIGALRM) is ring
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_nothing_is_left_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    in_time(lambda: time.sleep(5), 0.05)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_call_that_ends_close_to_its_deadline_is_never_hit_afterwards() -> None:
    """The race that asynchronous exceptions are known for: done, but the blow is already falling."""

    def work() -> None:
        for round_ in range(300):
            late = time.monotonic() + 0.0005 + (round_ % 10) * 0.0001
            with contextlib.suppress(Overtime):
                guarded(lambda late=late: _until(late), OWNER, late)
            for _ in range(200):
                time.monotonic()

    in_thread(work)


def test_a_blow_while_a_guard_is_set_up_stops_nobody_for_good() -> None:
    def work() -> None:
        for round_ in range(100_000):
            with contextlib.suppress(Overtime):
                guarded(lambda: None, OWNER, time.monotonic() + (round_ % 100) * 1e-6)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns anywhere
    try:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(60)
    finally:
        sys.setswitchinterval(before)
    assert not thread.is_alive()


def _until(moment: float) -> None:
    while time.monotonic() < moment:
        pass


def test_guards_nest_and_the_outer_one_is_kept() -> None:
    class Inner:
        outer = OWNER

    inner = Inner()

    def nested() -> None:
        token = current.set(inner)
        try:
            guarded(lambda: time.sleep(5), inner, time.monotonic() + 60)
        finally:
            current.reset(token)

    assert in_time(nested) < 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_coroutine_is_cancelled() -> None:
    cleaned: list[str] = []

    async def sleep() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            cleaned.append("up")

    async def run() -> None:
        with pytest.raises(Overtime):
            await guarded_task(sleep(), OWNER, time.monotonic() + 0.1)

    asyncio.run(run())
    assert cleaned == ["up"]


def test_a_coroutine_that_will_not_end_is_left_to_itself() -> None:
    async def stay() -> None:
        while True:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                if time.monotonic() > begin + 2:
                    raise

    async def run() -> None:
        with pytest.raises(Overtime):
            await guarded_task(stay(), OWNER, begin + 0.1)
        assert time.monotonic() - begin < 1
        await asyncio.sleep(begin + 2 - time.monotonic())

    begin = time.monotonic()
    asyncio.run(run())


def test_a_coroutine_that_blocks_the_loop_of_the_main_thread_is_cut_off() -> None:
    async def block() -> None:
        time.sleep(5)

    async def run() -> None:
        current.set(OWNER)
        with pytest.raises(Overtime):
            await guarded_task(block(), OWNER, time.monotonic() + 0.1)

    begin = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - begin < 2


@pytest.mark.untraced
def test_a_thread_that_cannot_be_reached_is_not_waited_for() -> None:
    async def run() -> float:
        begin = time.monotonic()
        with pytest.raises(Overtime):
            await guarded_thread(lambda: time.sleep(1.5), OWNER, begin + 0.1)
        return time.monotonic() - begin

    assert asyncio.run(run()) < 1.2


def test_a_coroutine_in_time_gives_its_result_and_its_failure() -> None:
    async def good() -> str:
        await asyncio.sleep(0)
        return "good"

    async def bad() -> str:
        raise ValueError("bad")

    async def run() -> None:
        late = time.monotonic() + 1e10
        assert await guarded_task(good(), OWNER, late) == "good"
        assert await guarded_thread(lambda: "good", OWNER, late) == "good"
        with pytest.raises(ValueError, match="bad"):
            await guarded_task(bad(), OWNER, late)

    asyncio.run(run())


class Someone:
    """An owner that can be watched."""


def test_what_ended_long_before_its_moment_is_not_kept_until_then() -> None:
    owners = [Someone() for _ in range(3_000)]
    seen = [weakref.ref(owner) for owner in owners]

    def work() -> None:
        while owners:
            owner = owners.pop()
            guarded(lambda: None, owner, time.monotonic() + 3_600)

    in_thread(work)
    in_thread(lambda: guarded(lambda: None, OWNER, time.monotonic() + 3_600))
    assert not any(owner() for owner in seen)
    for _ in range(100):
        if sum(isinstance(kept, Guard) for kept in gc.get_objects()) < 2_500:
            return
        time.sleep(0.05)
    pytest.fail("guards are kept until their moments come")
