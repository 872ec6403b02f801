"""Secrets go in; a function that takes them out of anything that is recorded or shown comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import dumps

from grapharc.spec.json_value import Json

MASK = "[redacted]"
SHORTEST = 4
"""A shorter secret is taken out only where it is a whole string: as a part of words it would stand everywhere."""
SHORTEST_LINE = 8
"""The same of one line of several, as a key has them; a bracket or a word may be a line by itself."""


class Redactor:
    """Takes the values of secrets out of texts and JSON values. False when there are none."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if secret}
        forms = {form for secret in known for form in _forms(secret)}
        # The longest first, so that a secret that contains another leaves nothing of itself.
        self._parts = sorted((form for form in forms if len(form) >= SHORTEST), key=lambda s: (-len(s), s))
        self._whole = known

    def __bool__(self) -> bool:
        return bool(self._whole)

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        if text in self._whole:
            return MASK
        for secret in self._parts:
            text = text.replace(secret, MASK)
        return text

    def begun(self, text: str) -> int:
        """Return how many characters at the end of a text may be the beginning of a secret."""
        return max((_overlap(text, secret) for secret in self._parts), default=0)

    def value(self, value: Json) -> Json:
        """Return a JSON value without secrets, in keys of maps as well."""
        if not self._whole:
            return value
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(item) for item in value]
            case dict():
                return {self.text(key): self.value(item) for key, item in value.items()}
            case _:
                return value


def _overlap(text: str, secret: str) -> int:
    most = min(len(text), len(secret) - 1)
    return next((length for length in range(most, 0, -1) if text.endswith(secret[:length])), 0)


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret as it may stand in a text: itself, quoted as Python and JSON do it, and line by line."""
    yield from (secret, repr(secret)[1:-1], dumps(secret)[1:-1], dumps(secret, ensure_ascii=False)[1:-1])
    yield from (line for line in map(str.strip, secret.splitlines()) if len(line) >= SHORTEST_LINE)


NOTHING = Redactor(())
