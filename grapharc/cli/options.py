"""The options that more than one command takes, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click

from grapharc.project.settings import Flags
from grapharc.spec.linked import Budget

ours_only_option = click.option(
    "--ours-only", is_flag=True, help="Pass over files that are no documents of ours, as hooks name all that changed."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document, failures included.")


class _Number(click.ParamType[int | float]):
    """A number from ``least`` to ``most``, which only a number outside is told of."""

    name = "number"

    def __init__(self, kind: type[int | float], least: int, most: int) -> None:
        self.kind, self.least, self.most = kind, least, most

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Return the number that a text is."""
        try:
            number = self.kind(value)
        except ValueError:
            number = None
        if number is None or not self.least <= number <= self.most:
            noun = "whole number" if self.kind is int else "number"
            self.fail(f"'{value}' is no {noun} from {self.least} to {self.most}", param, ctx)
        return number


_MOST_WHOLE = 2**53 - 1
_WHOLE = _Number(int, 0, _MOST_WHOLE)
WHOLE_POSITIVE = _Number(int, 1, _MOST_WHOLE)
AMOUNT = _Number(float, 0, 10**15)

_PROJECT = (
    click.option("--config", metavar="FILE", help="The project document.  [default: grapharc.toml, if there is one]"),
    click.option("--registry", metavar="FILE", help="The registry selection."),
    click.option("--policy", metavar="FILE", multiple=True, help="A policy that holds beside all others; repeatable."),
    click.option("--tenant", metavar="NAME", help="The tenant for whom it would run."),
    click.option("--max-tokens", type=_WHOLE, metavar="N", help="The most tokens of a run."),
    click.option("--max-iterations", type=_WHOLE, metavar="N", help="The most activations of nodes in a run."),
    click.option("--max-seconds", type=AMOUNT, metavar="S", help="The longest time of a run."),
    click.option("--max-usd", type=AMOUNT, metavar="USD", help="The most money of a run."),
    click.option("--max-concurrency", type=WHOLE_POSITIVE, metavar="N", help="The most nodes that run at one time."),
)


def project_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say what it works with; it takes them as ``flags``."""

    @wraps(command)
    def with_flags(
        *,
        config: str | None,
        registry: str | None,
        policy: tuple[str, ...],
        tenant: str | None,
        max_tokens: int | None,
        max_iterations: int | None,
        max_seconds: float | None,
        max_usd: float | None,
        max_concurrency: int | None,
        **rest: object,
    ) -> int:
        budget = Budget(max_tokens, max_iterations, max_seconds, max_usd, max_concurrency)
        flags = Flags(config=config, registry=registry, policies=policy, tenant=tenant, budget=budget)
        return command(flags=flags, **rest)

    decorated: Callable[..., int] = with_flags
    for option in reversed(_PROJECT):
        decorated = option(decorated)
    return decorated
