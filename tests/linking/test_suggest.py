"""Did you mean: the nearest known name, the same one every time, and nothing where nothing is near."""

from __future__ import annotations

import pytest

from grapharc.spec.suggest import Vocabulary, suggest

KINDS = ("control.pass", "control.set", "model.call", "tool.read_file", "tool.write_file", "verify.anchor")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("verifi.anchor", "verify.anchor"),
        ("verify.anchro", "verify.anchor"),
        ("Verify.Anchor", "verify.anchor"),
        ("tool.readfile", "tool.read_file"),
        ("read_file", "tool.read_file"),
        ("tools.read_file", "tool.read_file"),
        ("contol.pas", "control.pass"),
        ("deploy", ""),
        ("", ""),
        ("x", ""),
    ],
)
def test_the_nearest_name_is_suggested(name: str, meant: str) -> None:
    assert suggest(name, KINDS) == meant


def test_ties_go_to_the_first_in_sorted_order() -> None:
    assert suggest("cat", ["rat", "bat", "hat"]) == "bat"


def test_a_name_is_never_suggested_for_itself() -> None:
    assert suggest("claims", ["claims", "claim"]) == "claim"


def test_a_large_collection_that_changes_is_looked_at_anew() -> None:
    known = {f"name{number:04}": None for number in range(1000)}
    assert suggest("nmae0007", known) == "name0007"
    del known["name0007"]
    assert suggest("naame0007", known) != "name0007"
    known["other_thing"] = None
    assert suggest("othre_thing", known) == "other_thing"


def test_a_large_vocabulary_still_finds_a_slip_of_one_character() -> None:
    names = Vocabulary(f"collect_shard_{number:05}" for number in range(5000))
    assert names.nearest("collect_shrad_00042") == "collect_shard_00042"
    assert names.nearest("colect_shard_04999") == "collect_shard_04999"
