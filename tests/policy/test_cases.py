"""What is said of a case that asks about what is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapharc.spec.reasons import remedy
from tests.pipeline import check


@pytest.mark.parametrize(
    ("kind", "narrower"), [("tool.lst_dir", "write 'tool.list_dir'"), ("acme.zap", "correct 'acme.zap'")]
)
def test_a_case_about_no_kind_is_mended_in_the_case_before_the_registry_is_widened(
    tmp_path: Path, kind: str, narrower: str
) -> None:
    cases = tmp_path / "cases.toml"
    cases.write_text(f'[[case]]\nname = "c"\nrequest = {{ resource = "node", kind = "{kind}" }}\nexpect = "deny"\n')
    assert [remedy(finding) for finding in check(cases).findings] == [
        f"{narrower}, or drop case 'c'; only if graphs are to run it, add a use of '{kind}' to the registry"
    ]
