"""``init [FOLDER]``: a folder goes in, a small project that checks clean and runs stands in it."""

from __future__ import annotations

from pathlib import Path

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option
from grapharc.project.errors import CannotStart
from grapharc.project.writing import write_file

_STARTER = Path(__file__).with_name("starter")


@click.command("init")
@click.argument("folder", default=".")
@json_option
def command(folder: str, as_json: bool) -> int:
    """Write a small project that checks clean and runs.

    FOLDER is made if there is none. A file that is already there is never written over: then nothing is written.
    """
    sources = sorted(path for path in _STARTER.rglob("*") if path.is_file())
    files = {path.relative_to(_STARTER).as_posix(): path.read_bytes() for path in sources}
    taken = sorted(name for name in files if (Path(folder) / name).exists())
    if taken:
        raise CannotStart(
            f"'{taken[0]}' is already there, and nothing is written over", "name a new folder: grapharc init FOLDER"
        )
    for name, content in files.items():
        write_file(str(Path(folder) / name), content)
    answer = Answer(DONE, lambda: {"folder": folder, "files": list(files)}, lambda _: _text(folder, files))
    return give(answer, as_json=as_json)


def _text(folder: str, files: dict[str, bytes]) -> str:
    written = "".join(f"  {name}\n" for name in files)
    move = "" if folder == "." else f"  cd {folder}\n"
    return f"wrote a project to {folder}:\n{written}next:\n{move}  grapharc check\n  grapharc run graphs/answer.toml\n"
