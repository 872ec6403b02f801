"""A slug goes in; a rule that passes its tests comes out, to be turned into the rule that was meant.

Writes the rule, its row of the catalogue and its two documents, and adds the rule to the judge's list.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JUDGE = Path("grapharc/policy/judge.py")
CATALOGUE = Path("grapharc/spec/reasons.toml")

RULE = '''"""Say here in a sentence why this must not be."""

from __future__ import annotations

from collections.abc import Iterator

from grapharc.policy.case import Case
from grapharc.spec.finding import Finding


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for each node that is called after the rule."""
    for node in case.graph.nodes.values():
        if node.name == "{slug}":
            yield Finding("{slug}", node.place, subject=node.name)
'''

ROW = """[code.{slug}]
class = "lint"
severity = "warning"
message = "node '{{subject}}' is called after the rule"
why = "Say here what would happen if this were let through."
remedy = "call the node '{{subject}}' otherwise"
bad = '''
name = "{slug}"
'''
good = '''
name = "other"
'''

"""

DOCUMENT = """[[nodes]]
name = "{name}"
kind = "control.pass"

[[edges]]
chain = ["__start__", "{name}", "__end__"]
"""


def new_rule(slug: str, root: Path) -> list[Path]:
    """Write a rule's files beneath a root, and return what was written."""
    rule = root / "grapharc/policy/rules" / f"{slug}.py"
    rule.write_text(RULE.format(slug=slug), "utf-8")
    (root / JUDGE).write_text(_listed((root / JUDGE).read_text("utf-8"), slug), "utf-8")
    (root / CATALOGUE).write_text(_catalogued((root / CATALOGUE).read_text("utf-8"), slug), "utf-8")
    folder = root / "tests/documents" / slug
    folder.mkdir(parents=True)
    twins = [folder / "refused.toml", folder / "admitted.toml"]
    for twin, name in zip(twins, (slug, "other"), strict=True):
        twin.write_text(DOCUMENT.format(name=name), "utf-8")
    return [rule, root / JUDGE, root / CATALOGUE, *twins]


def _listed(judge: str, slug: str) -> str:
    """Both lists of the judge, each with one line more, sorted."""
    for line in (f"    {slug},\n", f"    {slug}.check,\n"):
        pattern = r"(?<=\(\n)((?:    [a-z_]+\.check,\n)+)" if ".check" in line else r"(?<=\(\n)((?:    [a-z_]+,\n)+)"
        judge = re.sub(pattern, lambda block, line=line: "".join(sorted([*block[1].splitlines(True), line])), judge)
    return judge


def _catalogued(catalogue: str, slug: str) -> str:
    """The row goes at the end of the section of flow."""
    return catalogue.replace("\n\n# policy\n", f"\n{ROW.format(slug=slug)}\n# policy\n", 1)


def main(arguments: list[str]) -> int:
    """Write a rule for the one argument."""
    if len(arguments) != 1 or not re.fullmatch(r"[a-z]+(_[a-z]+)*", arguments[0]):
        print("usage: make new-rule slug=a_code_in_small_letters", file=sys.stderr)
        return 2
    if (ROOT / "tests/documents" / arguments[0]).exists():
        print(f"'{arguments[0]}' is a code already; codes are never reused", file=sys.stderr)
        return 1
    for path in new_rule(arguments[0], ROOT):
        print(path.relative_to(ROOT))
    print("then: fill them in, and run make update")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
