"""Each attempt of this folder at a sentence about flows and paths is refused, and the way of it is shown."""

from __future__ import annotations

import pytest

from tests.ways import (
    test_file_bypasses,
    test_flow_bypasses,
    test_label_bypasses,
    test_path_bypasses,
    test_reveal_bypasses,
)
from tests.ways.attempts import Attempt, is_refused_with_its_way

ATTEMPTS: list[tuple[str, Attempt]] = [
    attempt
    for module in (
        test_file_bypasses,
        test_flow_bypasses,
        test_label_bypasses,
        test_path_bypasses,
        test_reveal_bypasses,
    )
    for attempt in module.ATTEMPTS.items()
]


@pytest.mark.parametrize("attempt", [pytest.param(attempt, id=sentence) for sentence, attempt in ATTEMPTS])
def test_an_attempt_to_get_past_a_sentence_is_refused_with_its_way(attempt: Attempt) -> None:
    is_refused_with_its_way(attempt)
