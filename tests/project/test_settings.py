"""Where a setting comes from is decided in one order, and said."""

from __future__ import annotations

import pytest

from grapharc.project.environment import VARIABLES, Environment, read_environment
from grapharc.project.errors import CannotStart
from grapharc.project.settings import Flags, Named, Setting, resolve
from grapharc.spec.documents.graph import BudgetModel
from grapharc.spec.documents.project import ProjectModel, SettingsModel
from grapharc.spec.linked import Budget

PROJECT = ProjectModel(
    grapharc=SettingsModel(
        registry="registry.toml", policy=("base.toml",), tenant="acme", graphs=("graphs/*.toml",), workspace="work"
    ),
    budget=BudgetModel(max_usd=1.0, max_tokens=500),
    severity={"field_never_read": "off"},
)
ENVIRON = {
    "GRAPHARC_REGISTRY": "env.toml",
    "GRAPHARC_POLICY": "a.toml:b.toml",
    "GRAPHARC_TENANT": "env",
    "GRAPHARC_MAX_TOKENS": "900",
    "GRAPHARC_MAX_SECONDS": "2.5",
}
FLAGS = Flags(
    registry="flag.toml", policies=("flag-policy.toml",), tenant="flag", budget=Budget(max_seconds=9, max_tokens=700)
)


def test_a_flag_beats_the_environment_beats_the_file_beats_what_is_built_in() -> None:
    environment = read_environment(ENVIRON)
    assert resolve(FLAGS, environment, PROJECT).registry == Setting(Named("flag.toml", False), "--registry")
    assert resolve(Flags(), environment, PROJECT).registry == Setting(Named("env.toml", False), "GRAPHARC_REGISTRY")
    assert resolve(Flags(), Environment(), PROJECT).registry == Setting(Named("registry.toml", True), "grapharc.toml")
    assert resolve(Flags(), Environment(), None).registry == Setting(None, "built-in")
    assert resolve(FLAGS, environment, PROJECT).tenant == Setting("flag", "--tenant")
    assert resolve(Flags(), Environment(), PROJECT, "conf/grapharc.toml").tenant == Setting(
        "acme", "conf/grapharc.toml"
    )


def test_policies_add_up() -> None:
    assert resolve(FLAGS, read_environment(ENVIRON), PROJECT).policies == (
        Setting(Named("flag-policy.toml", False), "--policy"),
        Setting(Named("a.toml", False), "GRAPHARC_POLICY"),
        Setting(Named("b.toml", False), "GRAPHARC_POLICY"),
        Setting(Named("base.toml", True), "grapharc.toml"),
    )


def test_of_each_ceiling_the_least_holds_and_says_where_it_is_from() -> None:
    settings = resolve(FLAGS, read_environment(ENVIRON), PROJECT)
    assert settings.ceilings == {
        "max_tokens": Setting(500, "grapharc.toml"),
        "max_seconds": Setting(2.5, "GRAPHARC_MAX_SECONDS"),
        "max_usd": Setting(1.0, "grapharc.toml"),
    }
    assert settings.limits == Budget(max_tokens=500, max_seconds=2.5, max_usd=1.0)
    assert resolve(FLAGS, Environment(), None).ceilings["max_tokens"] == Setting(700, "--max-tokens")


def test_an_empty_variable_says_nothing() -> None:
    assert read_environment(dict.fromkeys(VARIABLES, "")) == Environment()


def test_a_misspelt_variable_would_leave_a_policy_out_and_is_refused() -> None:
    with pytest.raises(CannotStart, match="'GRAPHARC_POLICIES' is none that is read, did you mean 'GRAPHARC_POLICY'"):
        read_environment({"GRAPHARC_POLICIES": "strict.toml"})
    assert read_environment({"GRAPHARC_FAVOURITE_COLOUR": "blue", "GRAPHARC_UPDATE": "1"}) == Environment()


@pytest.mark.parametrize("name", ["GRAPHARC_POLICY_FILE", "grapharc_policy", "GRAPHARC_DEFAULT_POLICY"])
def test_a_variable_that_holds_the_words_of_one_that_is_read_is_refused(name: str) -> None:
    with pytest.raises(CannotStart, match="did you mean 'GRAPHARC_POLICY'"):
        read_environment({name: "strict.toml"})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_ceiling_that_nothing_is_above_is_refused(value: float) -> None:
    with pytest.raises(CannotStart, match=r"--max-seconds is .*, but must be a number of at least 0"):
        resolve(Flags(budget=Budget(max_seconds=value)), Environment(), PROJECT)


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "1_0", "²", "9" * 30])
def test_a_number_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(CannotStart, match=r"GRAPHARC_MAX_TOKENS is .* must be a whole number of at least 0"):
        read_environment({"GRAPHARC_MAX_TOKENS": value})


@pytest.mark.parametrize("value", ["x", "-1", "nan", "inf"])
def test_a_ceiling_that_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(CannotStart, match=r"GRAPHARC_MAX_USD is .* must be a number of at least 0"):
        read_environment({"GRAPHARC_MAX_USD": value})
