"""Profiles of the property tests, and the way to the test data that others wrote."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent

for name in ("SIGINT", "SIGHUP"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        # A shell that starts the tests in the background lets nobody below hear these; some tests send them.
        signal.signal(number, signal.SIG_DFL)

settings.register_profile(
    "fast", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what coverage itself makes late.

    Before Python 3.12 a traced thread goes round in circles while an exception waits for another thread to take it: one
    that sleeps in C then holds up all others until it wakes. ``make test`` runs these tests once more without coverage.
    """
    if item.get_closest_marker("untraced") and sys.gettrace() is not None and sys.version_info < (3, 12):
        pytest.skip("a deadline is kept late under a tracer; run without coverage")


@pytest.fixture(scope="session")
def conformance() -> Path:
    """The folder of test data that others wrote; absent on a user's machine, never in CI."""
    folder = REPOSITORY.parent / "shared" / "conformance"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail("../shared/conformance is absent, and CI must have it")
        pytest.skip("../shared/conformance is absent")
    return folder


COUNTED = {
    "ways": "rules over paths and flows, over generated graphs and all their runs",
    "observed": "flows of data that runs on LangGraph showed, of those that are claimed",
    "law": "the law, over generated graphs",
    "harm": "refused graphs whose harm raw LangGraph showed, by code",
}
"""Properties of tests that hold counts, and what is counted there."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted, added up over all of them, in whatever process they ran."""
    for name, title in COUNTED.items():
        total: Counter[str] = Counter()
        for report in terminalreporter.getreports("passed"):
            for key, counts in report.user_properties:
                if key == name and isinstance(counts, dict):
                    total.update(counts)
        if total:
            terminalreporter.section(title)
            for what, count in sorted(total.items(), key=lambda pair: (pair[0].startswith("refused"), -pair[1])):
                terminalreporter.write_line(f"{count:8}  {what}")
