"""What a kind may read of the environment is written nowhere: in no trace, no failure and nothing that is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grapharc.compiler.plans import Surroundings
from grapharc.runtime.contract_errors import StateTypeError
from grapharc.runtime.errors import NodeFailed
from grapharc.spec.types import INTEGER, JSON
from tests.by_hand import field, graph, node

N = field("n", INTEGER, 0, given=True, output=True)
SECRET = "s3cr3t-t0ken"  # noqa: S105 -- nobody's


def test_secrets_of_the_environment_are_masked_wherever_something_is_recorded(tmp_path: Path) -> None:
    everything = field("everything", JSON, output=True)

    def leaks(*, ctx: Any) -> dict[str, object]:
        token = ctx.env["TOKEN"]
        assert "OTHER" not in ctx.env
        return {"everything": [token, f"Bearer {token}!", {token: 1}, "pin", {"pin": "1234567"}, "123"]}

    def fails(*, ctx: Any) -> None:
        raise ValueError(f"401 for {ctx.env['TOKEN']}")

    around = Surroundings(environment={"TOKEN": SECRET, "PIN": "123", "OTHER": "visible"})
    env = ("TOKEN", "PIN", "UNSET")
    compiled = graph(
        [everything],
        [node("a", leaks, [], [everything], env=env), node("b", fails, env=env)],
        around=around,
    )
    seen: list[Any] = []
    with pytest.raises(NodeFailed) as caught:
        compiled.invoke(trace=tmp_path / "t.jsonl", listeners=[seen.append])
    for text in (str(caught.value), (tmp_path / "t.jsonl").read_text(), json.dumps(seen)):
        assert SECRET not in text
        assert "[redacted]" in text
    end = next(record for record in seen if record["event"] == "end")
    assert end["writes"]["everything"] == [
        "[redacted]",
        "Bearer [redacted]!",
        {"[redacted]": 1},
        "pin",
        {"pin": "1234567"},
        "[redacted]",
    ]

    def misfits(*, ctx: Any) -> dict[str, object]:
        return {"n": ctx.env["TOKEN"]}

    with pytest.raises(StateTypeError) as refused:
        graph([N], [node("a", misfits, [], [N], env=env)], around=around).invoke()
    assert SECRET not in str(refused.value) + repr(refused.value)

    done = graph([everything], [node("a", leaks, [], [everything], env=env)], around=around).invoke()
    assert SECRET in json.dumps(done.outputs), "the state itself is as it is"
    assert SECRET not in json.dumps(done.shown)
