"""The policy that holds where none is named."""

from __future__ import annotations

import pytest

from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.table import Table
from grapharc.spec.linked import START
from grapharc.spec.offers import CAPABILITIES, Capability
from tests.policy.offers import offer


def test_the_built_in_policy_has_no_fault() -> None:
    assert builtin_policy().findings == ()


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_it_denies_what_changes_files_runs_commands_or_reaches_the_network(capability: Capability) -> None:
    decision = Table(builtin_policy(), None).node(offer("x", capabilities=[capability]))
    denied = capability in {"write_files", "run_command", "network"}
    assert decision.effect == ("deny" if denied else "allow")


def test_it_allows_every_edge() -> None:
    assert Table(builtin_policy(), None).edge(START, offer("x", capabilities=["network"])).effect == "allow"
