"""The words of changes go in, the page of all that the gate looks at comes out."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.cli.pages import GENERATED
from grapharc.cli.rendering.template import shown
from grapharc.policy.diff.change import CATEGORIES, Category
from grapharc.policy.diff.words import rows

_HEAD = """# Changes

What [the gate](gate.md) looks at, by category. `grapharc gate --json` calls each change by its name here.
"""

_CATEGORIES: Mapping[Category, str] = {
    "authority": "What graphs may do, whoever decides it: they themselves, the registry, the policies or the project.",
    "topology": "The shape of a graph.",
    "cost": "What a run may cost at worst, and what bounds it.",
    "state": "What a graph keeps, and who reads and writes it.",
    "resume": "Whether what has begun can go on.",
}


def page() -> str:
    """Return the page."""
    sections = [_HEAD]
    for category in CATEGORIES:
        found = {name: row for name, row in rows().items() if row.get("category") == category}
        lines = [
            f"## {category.capitalize()}\n",
            f"{_CATEGORIES[category]}\n",
            "| change | looks at | said as |",
            "|---|---|---|",
        ]
        for name, row in found.items():
            example = row.get("changed") or row.get("new", "")
            lines.append(f"| `{name}` | {row.get('about', '')} | {shown(example)} |")
        sections.append("\n".join(lines) + "\n")
    return GENERATED + "\n".join(sections)
