"""A secret is taken out of a text in whatever form it stands there."""

from __future__ import annotations

import json

import pytest

from grapharc.runtime.redact import MASK, Redactor

KEY = "-----BEGIN KEY-----\nab\"c'd\\é-first\nsecond-line-of-it\n"


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        repr(KEY),
        f"it was {KEY!r}",
        json.dumps({"key": KEY}),
        json.dumps({"key": KEY}, ensure_ascii=False),
        "second-line-of-it",
        "printed line by line:\nab\"c'd\\é-first\n",
    ],
)
def test_no_form_of_a_secret_is_left(text: str) -> None:
    shown = Redactor([KEY, "other-secret"]).text(text)
    assert MASK in shown
    assert "first" not in shown
    assert "second" not in shown


def test_what_is_short_stands_in_other_words() -> None:
    redactor = Redactor(["a\nbc\n    true,\nlong-enough", ""])
    assert redactor.text("abc     true, bc") == "abc     true, bc"
    assert redactor.text("x\nlong-enough\ny") == f"x\n{MASK}\ny"
    assert redactor.text("a\nbc\n    true,\nlong-enough") == MASK
