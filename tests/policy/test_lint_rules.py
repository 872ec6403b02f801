"""What is said of policies as people write them, misspelt and overlapping, with a registry and without one."""

from __future__ import annotations

import pytest

from grapharc.policy.lint.lint import lint
from grapharc.policy.owner.open_policy import open_policy
from grapharc.spec.finding import Finding
from grapharc.spec.read import read_policy
from grapharc.spec.reasons import message, severity
from tests.policy.offers import offer
from tests.policy.registries import registry

OFFERED = registry([offer("model.call", capabilities=["model"]), offer("deploy", capabilities=["network"])])

RULE = """
[[rule]]
id = "{id}"
effect = "{effect}"
resource = "{resource}"
match = {match}
approver_role = "sre"
{more}
"""


def rule(match: str, *, effect: str = "deny", resource: str = "", name: str = "r", more: str = "") -> str:
    resource = resource or ("edge" if "->" in match else "node")
    written = match if match.startswith("[") else f'"{match}"'
    return RULE.format(id=name, effect=effect, resource=resource, match=written, more=more)


def found(*rules: str, default: str = "allow", registry: object = None) -> list[Finding]:
    """All that is said of a policy, read from its text."""
    text = f'default = "{default}"\n' + "".join(rules)
    policy = open_policy(read_policy(text.encode(), "policy.toml")[0])
    return [*policy.findings, *lint(policy, registry)]  # type: ignore[arg-type]


def codes(*rules: str, default: str = "allow", registry: object = None) -> set[str]:
    return {finding.code for finding in found(*rules, default=default, registry=registry)}


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ("*->delpoy", "did you mean 'deploy'?"),
        ("* -> Deploy", "did you mean 'deploy'?"),
        ("*->END", "did you mean '__end__'?"),
        ("start -> deploy", "did you mean '__start__'?"),
        (" deploy ", "' ' in pattern ' deploy ' can match nothing"),
        ("a->b->c", "does not have one arrow"),
        ("dep[loy", "'[' in pattern 'dep[loy' can match nothing"),
        ("model.cal", "did you mean 'model.call'?"),
    ],
)
def test_a_pattern_that_is_inert_is_told_with_what_was_meant(match: str, said: str) -> None:
    messages = [message(finding) for finding in found(rule(match), registry=OFFERED)]
    assert any(said in each for each in messages), messages


def test_of_a_rule_with_a_damaged_key_its_pattern_is_looked_at_too() -> None:
    damaged = rule("dep[loy", effect="denny")
    assert codes(damaged) == {"unknown_value", "inert_pattern"}
    misspelt = rule("dep[loy").replace("approver_role", "aprover_role")
    assert codes(misspelt) == {"unknown_key", "inert_pattern"}
    assert codes(rule("dep[loy -> a").replace('id = "r"\n', "")) == {"missing_key", "inert_pattern"}


def test_rules_for_rule_is_told() -> None:
    (finding,) = found(rule("deploy").replace("[[rule]]", "[[rules]]"))
    assert (finding.code, finding.values["suggestion"]) == ("unknown_key", "rule")


@pytest.mark.parametrize("amount", ["nan", "inf", "-inf", "-1.0"])
def test_no_amount_of_money_is_no_number_endless_or_negative(amount: str) -> None:
    limits = f"[limits]\nmax_usd = {amount}\n"
    spend = rule("*", resource="spend", effect="deny", more=f"over_usd = {amount}").replace('approver_role = "sre"', "")
    for text in (limits, spend):
        told = {(finding.code, severity(finding)) for finding in found(text)}
        assert told in ({("not_a_number", "error")}, {("out_of_range", "error")})


def test_a_flow_that_is_kept_from_the_network_needs_its_twin_for_models() -> None:
    network, models = "label:pii -> capability:network", "label:pii -> capability:model"
    assert codes(rule(network, resource="flow")) == {"flow_spares_models"}
    assert codes(rule(network, resource="flow"), rule(models, resource="flow", name="m")) == set()
    asks = rule(models, resource="flow", name="m", effect="ask")
    assert codes(rule(network, resource="flow"), asks) == {"flow_spares_models"}
    assert (
        codes(rule(network, resource="flow"), registry=registry([offer("deploy", capabilities=["network"])])) == set()
    )


def test_a_path_twin_closes_the_way_round_an_edge_rule() -> None:
    edge, path = rule("deploy -> model.call"), rule("deploy -> model.call", resource="path", name="p")
    assert codes(edge) == {"edge_rule_evadable"}
    assert codes(edge, path) == set()
    assert codes(edge, rule("deploy -> model.call", resource="path", name="p", effect="ask")) == {"edge_rule_evadable"}
    assert codes(rule("deploy -> model.call", effect="ask"), path) == set()


def test_a_kind_that_may_be_no_node_leads_round_nothing() -> None:
    three = registry([*OFFERED.offers.values(), offer("relay")])
    edge, relay = rule("deploy -> model.call"), rule("relay", name="no-relay")
    (finding,) = found(edge, registry=three)
    assert [step.text for step in finding.witness] == ["deploy -> relay -> model.call"]
    assert codes(edge, relay, registry=three) == set()


def test_conditions_shadow_only_where_they_are_written_alike() -> None:
    above = rule("deploy", name="above", more="when = \"args.to == 'prod'\"")
    below = rule("deploy", name="below", effect="allow")
    alike = rule("deploy", name="below", effect="allow", more="when = \"args.to == 'prod'\"")
    assert codes(above, below, default="deny") == {"shadowing_undecided"}
    assert codes(above, alike, default="deny") == {"rule_shadowed"}
    assert codes(rule("deploy", name="above"), alike, default="deny") >= {"rule_shadowed"}


def test_a_union_shadows_and_each_rule_of_it_is_shown() -> None:
    rules = [rule("model.*", name="one"), rule("dep*", name="two"), rule("*", name="all", effect="allow")]
    (finding,) = [each for each in found(*rules, default="deny", registry=OFFERED) if each.code == "rule_shadowed"]
    assert message(finding) == (
        "rule 'all' never decides: whatever it matches among the kinds of the registry is decided first by 'one', 'two'"
    )
    assert [related.place.path for related in finding.related] == [("rule", 0, "id"), ("rule", 1, "id")]
    assert "rule_shadowed" not in codes(*rules, default="deny")


def test_a_rule_over_ways_shadows_one_that_asks_for_no_less_on_them() -> None:
    def path(name: str, via: str, match: str = "model.call -> deploy") -> str:
        return rule(match, resource="path", name=name, more=f"unless_via = {via}" if via else "")

    assert codes(path("all", '"check"'), path("some", '["check", "human"]')) == {"rule_shadowed"}
    assert codes(path("some", '["check", "human"]'), path("all", '"check"')) == {"rule_redundant"}
    assert codes(path("one", '"check"'), path("other", '"human"')) == set()
    assert codes(path("wide", "", "* -> deploy"), path("narrow", '"check"')) == {"rule_shadowed"}
    # What is asked for is never missing where it is an end itself.
    assert codes(path("none", '"deploy"')) == set()


def test_a_rule_over_flows_shadows_one_that_sees_no_more() -> None:
    def flow(name: str, implicit: str) -> str:
        more = f"implicit = {implicit}"
        return rule("label:pii -> deploy", resource="flow", name=name, more=more)

    assert codes(flow("all", "true"), flow("plain", "false")) == {"rule_shadowed"}
    assert "rule_shadowed" not in codes(flow("plain", "false"), flow("all", "true"))


def test_a_bound_shadows_a_higher_one_of_the_same_basis() -> None:
    def bound(name: str, usd: float, basis: str = "call", match: str = "*") -> str:
        return rule(match, resource="spend", name=name, more=f'over_usd = {usd}\nbasis = "{basis}"')

    assert codes(bound("low", 1.0), bound("high", 2.0)) == {"rule_shadowed"}
    assert codes(bound("high", 2.0), bound("low", 1.0)) == {"rule_redundant"}
    assert codes(bound("low", 1.0), bound("high", 2.0, "cumulative")) == set()
    assert codes(bound("one", 1.0, match="role:writer"), bound("other", 2.0, match="role:reviewer")) == set()
