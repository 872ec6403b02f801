"""Whatever changed is told with what it was and what it is, however long both are and however alike they begin."""

from __future__ import annotations

import pytest

from grapharc.policy.diff.both import SHOWN, briefly, differing
from tests.gate.conftest import GRAPH, REGISTRY, Repository

LONG = "question != 'a question that is so long that nobody reads all of it' && question != '"
BRANCH = (
    GRAPH.replace('chain = ["__start__", "draft", "__end__"]', 'chain = ["__start__", "draft"]')
    + f"""
[[edges]]
source = "draft"
target = "__end__"
when = "{LONG}a'"
[[edges]]
source = "draft"
target = "more"
otherwise = true
[[edges]]
chain = ["more", "__end__"]
[[nodes]]
name = "more"
kind = "control.pass"
"""
)
MANIFEST = """
[[kind]]
name = "own"
version = "1"
entry = "own.py:own"
capabilities = ["{capability}"]
[kind.args]
type = "object"
properties.limit = {{ type = "integer", default = {limit} }}
"""


def test_a_long_condition_is_shown_where_it_differs(repository: Repository) -> None:
    repository.commit({"graphs/answer.toml": BRANCH})
    repository.write({"graphs/answer.toml": BRANCH.replace(f"{LONG}a'", f"{LONG}b'")})
    words = "the edge draft -> __end__ is taken when …it' && question != 'b', and was when …it' && question != 'a'"
    assert words in repository.gate().out
    assert words in [one["message"] for one in repository.gate("--json").json["changes"]]
    assert "question != 'b', and was when" in repository.gate("--format", "markdown").out


def test_arms_in_another_order_are_named_in_both(repository: Repository) -> None:
    arms = [f'[[edges]]\nsource = "draft"\ntarget = "__end__"\nwhen = "text == \'{each}\'"\n' for each in "ab"]
    one, other = (
        BRANCH.replace("[[edges]]\nsource", f"{''.join(each)}[[edges]]\nsource", 1) for each in (arms, arms[::-1])
    )
    repository.commit({"graphs/answer.toml": one})
    repository.write({"graphs/answer.toml": other})
    out = repository.gate().out
    assert "are tried in the order [text == 'b', text == 'a', " in out
    assert "and were in [text == 'a', text == 'b', " in out


@pytest.mark.parametrize("capability", ["clock", "network"])
def test_a_kind_with_other_arguments_says_which(repository: Repository, capability: str) -> None:
    registry = REGISTRY + '[[use]]\nfrom = "own.toml"\nkind = "own"\n'
    repository.commit({"registry.toml": registry, "own.toml": MANIFEST.format(limit=3, capability=capability)})
    repository.write({"own.toml": MANIFEST.format(limit=5, capability=capability)})
    out = repository.gate().out
    assert "kind 'own' has other ports or arguments: args.properties.limit.default: 3 -> 5" in out
    bars = "holds the strings or arguments of its nodes to something else: args.properties.limit.default: 3 -> 5"
    assert (bars in out) == (capability == "network")


def test_two_values_in_a_few_words_differ_where_the_values_do() -> None:
    for one, other in (("a" * 99, "a" * 98 + "b"), ("a" * 70, "a" * 71), (["x" * 80, 1], ["x" * 80, 2]), ("a", "b")):
        words = briefly(one, other)
        assert words[0] != words[1]
        assert max(map(len, words)) <= SHOWN
    assert briefly(None, "a") == ("", "a")
    assert list(differing({"a": {}}, {"a": {"default": None}})) == ["a.default: none -> null"]
    assert list(differing({"a": "", "b": None}, {"b": ""})) == ['a: "" -> none', 'b: null -> ""']
    assert list(differing({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "d": 3}})) == ["a.c: 2 -> none", "a.d: none -> 3"]
