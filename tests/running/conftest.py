"""Every road is driven synchronously, with functions in threads beside an event loop, and with coroutines."""

from __future__ import annotations

import pytest

from tests.running.road import Road


@pytest.fixture(params=["sync", "threads", "coroutines"])
def road(request: pytest.FixtureRequest) -> Road:
    """A road without kinds of its own."""
    return Road(request.param)
