"""A number goes in; as many claims about 99 000 services and their like come out, the same ones each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import blake2b
from itertools import product

from grapharc.memory import Claim
from grapharc.stdlib_kinds.memory.times import iso

NAMES = 99_000
_SYLLABLES = [a + b for a, b in product("bdfgklmnprstvz", ("a", "e", "i", "o", "u", "ar", "en", "il", "or", "un"))]
_ROLES = ["service", "gateway", "worker", "api", "store", "proxy", "queue", "cache", "scheduler", "index"]
_RELATIONS = [
    "depends on", "is owned by", "is deployed to", "calls", "replaces", "is monitored by", "reads from", "writes to",
]  # fmt: skip
_FACTS = [
    "times out after", "listens on port", "runs version", "has known issue", "was decided because of", "is limited to",
    "was moved in", "retries after", "is documented in", "fails when",
]  # fmt: skip
_START = 1_700_000_000_000_000


def words(count: int, seed: int) -> list[str]:
    """Return made-up words of two to four syllables, all different."""
    rng = random.Random(seed)  # noqa: S311
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choices(_SYLLABLES, k=rng.choice((2, 3, 3, 4))))] = None
    return list(found)


def names() -> list[str]:
    """Return the names of what claims are about: two words and, for half of them, a role."""
    rng = random.Random(1)  # noqa: S311
    parts = words(2500, 2)
    found: dict[str, None] = {}
    while len(found) < NAMES:
        name = f"{rng.choice(parts)}-{rng.choice(parts)}"
        found[f"{name}-{rng.choice(_ROLES)}" if rng.random() < 0.5 else name] = None
    return list(found)


def claims(count: int) -> Iterator[Claim]:
    """Make claims: who is mentioned is distributed as in life, a few often and most of them seldom."""
    rng = random.Random(3)  # noqa: S311
    known, vocabulary = names(), words(20_000, 4)
    for number in range(count):
        subject = known[_skewed(rng, len(known))]
        if rng.random() < 0.5:
            predicate, what = rng.choice(_RELATIONS), known[_skewed(rng, len(known))]
        else:
            predicate, what = rng.choice(_FACTS), _value(rng, vocabulary)
        yield Claim(
            id=blake2b(str(number).encode(), digest_size=6).hexdigest(),
            subject=subject,
            predicate=predicate,
            object=what,
            source=f"docs/{number % 997}.md#L{number % 89}",
            run_id=f"run-{number // 50}",
            observed_at=_moment(number),
        )


def questions(count: int) -> list[str]:
    """Return what people ask: about a name, about a name and a relation, in whole sentences, in common words alone."""
    rng = random.Random(5)  # noqa: S311
    known, vocabulary = names(), words(20_000, 4)
    found: list[str] = []
    for number in range(count):
        name, other = known[_skewed(rng, len(known))], known[_skewed(rng, len(known))]
        relation = rng.choice(_RELATIONS + _FACTS)
        text = " ".join(vocabulary[_skewed(rng, len(vocabulary))] for _ in range(3))
        forms = (name, f"{relation} {name}", f"what {relation} {name} and {other}", text, f"who {relation} what",
                 f"{text} {relation}", f"why does {name} fail when {text}", rng.choice(_ROLES))  # fmt: skip
        found.append(forms[number % len(forms)])
    return found


def typos(count: int) -> list[tuple[str, str]]:
    """Return names with one letter left out, doubled, changed, or two changed round; and each one's right spelling."""
    rng = random.Random(6)  # noqa: S311
    return [(_misspelt(rng, name), name) for name in rng.sample(names(), count)]


def _skewed(rng: random.Random, length: int) -> int:
    return int(length * rng.random() ** 3)


def _value(rng: random.Random, vocabulary: list[str]) -> str:
    if rng.random() < 0.4:
        return f"{rng.randrange(1, 10_000)} {rng.choice(('ms', 'seconds', 'requests', 'connections'))}"
    return " ".join(vocabulary[_skewed(rng, len(vocabulary))] for _ in range(rng.randrange(2, 8)))


def _moment(number: int) -> str:
    return iso(_START + number * 1_000_003)


def _misspelt(rng: random.Random, name: str) -> str:
    while True:
        place, letter = rng.randrange(len(name) - 1), rng.choice("abcdefghijklmnopqrstuvwxyz")
        before, after = name[:place], name[place + 1 :]
        wrong = rng.choice(
            (before + after, before + letter + name[place:], before + letter + after,
             before + name[place + 1] + name[place] + name[place + 2 :])
        )  # fmt: skip
        if "-" not in (name[place], name[place + 1]) and wrong != name:
            return wrong
