"""``python -m grapharc.cli.docs FOLDER [--check]``: writes the generated pages, or tells which are stale.

Each page is made from what the program itself reads: the catalogue, the manifests, the models, the commands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grapharc.cli.answer import COULD_NOT, DONE, NO, as_document, write
from grapharc.cli.pages import changes, codes, commands, documents, kinds, settings
from grapharc.cli.rendering.report_schema import report_schema

PAGES: Mapping[str, Callable[[], str]] = {
    "changes.md": changes.page,
    "codes.md": codes.page,
    "commands.md": commands.page,
    "documents.md": documents.page,
    "kinds.md": kinds.page,
    "report.schema.json": lambda: as_document(report_schema()),
    "settings.md": settings.page,
}
"""The generated pages, by file."""


def main(arguments: Sequence[str]) -> int:
    """Write the pages to a folder, or with ``--check`` name those that differ."""
    folders = [argument for argument in arguments if argument != "--check"]
    if len(folders) != 1:
        write(sys.stderr, "usage: python -m grapharc.cli.docs FOLDER [--check]\n")
        return COULD_NOT
    folder = Path(folders[0])
    if "--check" in arguments:
        return _check(folder)
    for name, page in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(page(), "utf-8")
    return DONE


def stale(folder: Path) -> list[str]:
    """Return the names of the pages that are not there or differ from what would be written."""
    return [
        name
        for name, page in PAGES.items()
        if not (folder / name).is_file() or (folder / name).read_text("utf-8") != page()
    ]


def _check(folder: Path) -> int:
    for name in stale(folder):
        write(sys.stderr, f"{folder / name} is stale, `make docs` rewrites it\n")
    return NO if stale(folder) else DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
