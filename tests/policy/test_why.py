"""Whatever ``policy why`` says would flip an answer, done and asked again, gives the answer that it says."""

from __future__ import annotations

import re
from itertools import product

import pytest

from grapharc.policy.owner.policy import Policy, strictest
from grapharc.policy.trials.ask import Policies
from grapharc.policy.trials.open_request import before_a_run, open_request
from grapharc.policy.trials.question import Request
from grapharc.policy.trials.why import why
from grapharc.policy.trials.words import read_request
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import replace
from grapharc.spec.registry.open_registry import open_registry
from tests.policy.judging import LOADER, MEMO, opened

OFFERS = open_registry(None, LOADER, MEMO)[0].offers


def rule(identity: str, effect: str, resource: str, match: str, more: str = "") -> str:
    head = f'id = "{identity}"\neffect = "{effect}"\nresource = "{resource}"\nmatch = "{match}"'
    return f"[[rule]]\n{head}\n{more}\n"


POLICIES = {
    "closed": "",
    "open": 'default = "allow"\n',
    "careful": 'default = "allow"\n'
    + rule("q", "ask", "node", "tool.*", 'approver_role = "editor"')
    + rule("d", "deny", "node", "tool.write_file", "when = \"inputs.path.startsWith('src/')\"")
    + rule("e", "ask", "edge", "* -> tool.write_file"),
    "ways": 'default = "allow"\n'
    + rule("p", "deny", "path", "* -> tool.write_file", 'unless_via = ["human.approve", "verify.claims"]')
    + rule("p2", "ask", "path", "__start__ -> *", 'unless_via = ["verify.claims"]')
    + rule("f", "deny", "flow", "model.* -> tool.*", 'unless_via = ["verify.*"]'),
    "ours": 'tenants = ["acme", "umbrella"]\ndefault = "allow"\n'
    + rule("n", "deny", "node", "tool.*", 'tenant = "umbrella"'),
    "given": rule("a", "allow", "node", "tool.write_file", "when = \"inputs.path.startsWith('out/')\"")
    + rule("b", "allow", "node", "tool.read_file")
    + rule("s", "deny", "spend", "*", "over_usd = 0.5"),
}
LINES = (
    "node: tool.write_file",
    "node: tool.read_file",
    "tool: tool.write_file",
    "edge: model.call -> tool.write_file",
    "path: __start__ -> tool.write_file",
    "flow: model.call -> tool.write_file",
    "spend: model.call as writer",
)
STEP = re.compile(
    r"without rule '(?P<out>[^']*)' of policy '(?P<of>[^']*)'"
    r"|with \{ (?P<rule>.*?) \} in policy '(?P<into>[^']*)'"
    r"|for tenant '(?P<tenant>[^']*)'"
    r"|where `.*` holds, by rule '(?P<holds>[^']*)'"
    r"|where `.*` does not hold, without rule '(?P<fails>[^']*)'"
    r"|with '(?P<via>[^']*)'(?: or '[^']*')* on every way, as rule '[^']*' wants"
)


def named(name: str, more: str = "") -> Policy:
    policy = opened(f'name = "{name}"\nversion = "1"\n{POLICIES[name]}{more}', f"{name}.toml")
    assert not policy.findings, policy.findings
    return policy


def without(policy: Policy, identity: str) -> Policy:
    return replace(policy, rules=tuple(each for each in policy.rules if each.id != identity))


def unconditional(policy: Policy, identity: str) -> Policy:
    rules = [replace(each, when="", condition=None) if each.id == identity else each for each in policy.rules]
    return replace(policy, rules=tuple(rules))


def asked(line: str, tenant: str | None = None) -> Request:
    model = read_request(line, tenant=tenant, usd=0.7 if line.startswith("spend") else None)
    request = open_request(model, OFFERS, (), Faults(""), "")
    assert request is not None
    return before_a_run(request)


def done(policies: list[Policy], request: Request, line: str, change: str) -> tuple[list[Policy], Request]:
    """Do what a flip says, read from its words."""
    steps = list(STEP.finditer(change))
    assert " and ".join(step[0] for step in steps) == change
    for step in steps:
        for number, policy in enumerate(policies):
            if step["out"] is not None and policy.name == step["of"]:
                policies[number] = without(policy, step["out"])
            if step["into"] == policy.name:
                text = re.sub(r", (?=\w+ = )", "\n", step["rule"])
                [added] = named("open", f'[[rule]]\nid = "added"\n{text}\n').rules
                policies[number] = replace(policy, rules=(*policy.rules, added))
            if step["holds"]:
                policies[number] = unconditional(policy, step["holds"])
            if step["fails"]:
                policies[number] = without(policy, step["fails"])
        if step["tenant"]:
            request = asked(line, step["tenant"])
        if step["via"]:
            kinds = [OFFERS[name] for name in OFFERS if re.fullmatch(step["via"].replace("*", ".*"), name)]
            request = replace(request, via=(*request.via, kinds[0]))
    return policies, request


@pytest.mark.parametrize("line", LINES)
def test_every_flip_that_is_told_gives_the_answer_that_it_says(line: str) -> None:
    told = 0
    for pair in product(POLICIES, POLICIES):
        policies = [named(name) for name in dict.fromkeys(pair)]
        for tenant in (None, "acme", "umbrella"):
            found = why(policies, OFFERS, asked(line, tenant))
            for flip in found.flips:
                assert flip.answer != found.effect
                if flip.change.startswith("with the approval"):
                    assert (found.effect, flip.answer) == ("ask", "allow")
                    continue
                changed, request = done(list(policies), found.request, line, flip.change)
                answer = strictest(Policies(changed, OFFERS).decide(request)).effect
                assert answer == flip.answer, (pair, tenant, flip.change)
                told += 1
    assert told > 10


def test_two_policies_that_deny_by_default_both_need_a_rule() -> None:
    other = replace(named("closed"), name="second")
    [flip] = why([named("closed"), other], OFFERS, asked("node: tool.read_file")).flips
    allow = '{ effect = "allow", resource = "node", match = "tool.read_file" }'
    assert (flip.change, flip.answer) == (
        f"with {allow} in policy 'closed' and with {allow} in policy 'second'",
        "allow",
    )


def test_a_tenant_that_is_served_and_denied_is_not_said_to_be_allowed() -> None:
    flips = why([named("ours")], OFFERS, asked("node: tool.read_file")).flips
    assert [(flip.change, flip.answer) for flip in flips] == [("for tenant 'acme'", "allow")]
