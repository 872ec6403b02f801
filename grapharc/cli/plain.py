"""The arguments of a check go in; if they are plain, what each option was given comes out, as click would say it.

To import click and let it parse takes a seventh of a cold check. So what hooks and pipelines write is read here:
options that are known, in whole words. All else is left to click, which says what is wrong with it, or helps. A test
holds what is read here to what click reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grapharc.cli.answer import FAIL_ON
from grapharc.cli.rendering.formats import FORMATS
from grapharc.project.verdicts import Verdicts
from grapharc.spec.frozen import frozen

ONE = ("--config", "--registry", "--tenant", "--format", "--baseline", "--today")
SEVERAL = ("--policy", "--output", "--select", "--ignore", "--fail-on")
SWITCHES = ("--json", "--no-cache", "--ours-only")
_KNOWN: Mapping[str, Sequence[str]] = {"--format": tuple(FORMATS), "--fail-on": FAIL_ON}


@frozen
class Plain:
    """What was given: the values of options that take one, of those that may be repeated, switches, and paths."""

    one: Mapping[str, str]
    several: Mapping[str, tuple[str, ...]]
    switches: frozenset[str]
    paths: tuple[str, ...]


def read_plain(arguments: Sequence[str]) -> Plain | None:
    """Read the command line of a check; None where click has to look at it."""
    if not arguments or arguments[0] != "check":
        return None
    one: dict[str, str] = {}
    several: dict[str, tuple[str, ...]] = {}
    switches: set[str] = set()
    paths: list[str] = []
    words = iter(arguments[1:])
    for word in words:
        name, equals, joined = word.partition("=")
        if not word.startswith("-") or word == "-":
            paths.append(word)
        elif word in SWITCHES:
            switches.add(word)
        elif name in ONE or name in SEVERAL:
            value = joined if equals else _next(words)
            if not value or value not in _KNOWN.get(name, (value,)):
                return None
            if name in ONE:
                one[name] = value
            else:
                several[name] = (*several.get(name, ()), value)
        else:
            return None
    return (
        None if "--json" in switches and "--format" in one else Plain(one, several, frozenset(switches), tuple(paths))
    )


def check_plain(plain: Plain, verdicts: Verdicts | None) -> int:
    """Check what was asked for and return the exit code."""
    from grapharc.cli.checking import check
    from grapharc.cli.reporting import asked_for
    from grapharc.project.settings import Flags

    one, several, switches = plain.one, plain.several, plain.switches
    flags = Flags(
        config=one.get("--config"),
        registry=one.get("--registry"),
        policies=several.get("--policy", ()),
        tenant=one.get("--tenant"),
    )
    asked = asked_for(
        form=one.get("--format"),
        outputs=several.get("--output", ()),
        select=several.get("--select", ()),
        ignore=several.get("--ignore", ()),
        baseline=one.get("--baseline"),
        today=one.get("--today"),
        no_cache="--no-cache" in switches,
        as_json="--json" in switches,
        verdicts=verdicts,
    )
    fail_on = several.get("--fail-on", ())
    return check(flags, asked, plain.paths, fail_on=fail_on, ours_only="--ours-only" in switches)


def _next(words: Iterator[str]) -> str:
    """Return the word after an option, nothing where it is missing or looks like an option."""
    word = next(words, "")
    return "" if word.startswith("-") else word
