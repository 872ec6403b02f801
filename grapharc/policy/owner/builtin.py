"""The policy that holds where none is named; nothing goes in, and it comes out as any owner's would."""

from __future__ import annotations

from functools import cache

from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.spec.package_data import package_data
from grapharc.spec.read import read_policy

SHOWN_AS = "<grapharc>/policy/builtin.toml"
"""Its path in findings; no file of a project can be called so."""


@cache
def builtin_policy() -> Policy:
    """Return the policy that denies writing files, running commands and the network, and allows the rest."""
    document, _ = read_policy(package_data("policy/builtin.toml"), SHOWN_AS)
    return open_policy(document)
