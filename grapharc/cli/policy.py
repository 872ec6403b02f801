"""``policy check|test|why|init``: the commands for those who own policies."""

from __future__ import annotations

from collections.abc import Mapping

import click

from grapharc.cli.groups import ImportedGroup

SUBCOMMANDS: Mapping[str, str] = {
    "check": "Find rules that are dead, shadowed or can be evaded, and try the project's policy tests.",
    "init": "Write a starting policy from a registry.",
    "test": "Try the cases of policy test documents.",
    "why": "Say which rule decides a request, and what it beat.",
}
"""Every command about policies and its line in the help."""


@click.command("policy", cls=ImportedGroup, lines=SUBCOMMANDS, files="grapharc.cli.policy_")
def command() -> None:
    """Test policies, ask them, or start one."""
