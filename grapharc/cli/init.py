"""``init [FOLDER]``: a folder goes in, a small project that checks clean and runs stands in it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option
from grapharc.cli.rendering.cells import printable
from grapharc.project.errors import CannotStart
from grapharc.project.writing import write_new_file

_STARTER = Path(__file__).with_name("starter")


@click.command("init")
@click.argument("folder", default=".")
@json_option
def command(folder: str, as_json: bool) -> int:
    """Write a small project that checks clean and runs.

    FOLDER is made if there is none. A file that is already there is never written over: then nothing is written.
    """
    if Path(folder).exists() and not Path(folder).is_dir():
        raise CannotStart(f"'{folder}' is no folder", "name a new folder: grapharc init FOLDER")
    sources = sorted(path for path in _STARTER.rglob("*") if path.is_file())
    files = {path.relative_to(_STARTER).as_posix(): path.read_bytes() for path in sources}
    taken = sorted(name for name in files if _is_taken(Path(folder) / name))
    if taken:
        raise _is_there(taken[0])
    _write(Path(folder), files)
    answer = Answer(DONE, lambda: {"folder": folder, "files": list(files)}, lambda _: _text(folder, files))
    return give(answer, as_json=as_json)


def _is_taken(path: Path) -> bool:
    """Tell whether something is there, a link that leads nowhere included, or stands where a folder would."""
    return os.path.lexists(path) or (path.parent.exists() and not path.parent.is_dir())


def _is_there(name: str) -> CannotStart:
    return CannotStart(
        f"'{name}' is already there, and nothing is written over", "name a new folder: grapharc init FOLDER"
    )


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write all files or none."""
    written: list[Path] = []
    try:
        for name, content in files.items():
            try:
                write_new_file(str(folder / name), content)
            except FileExistsError:
                raise _is_there(name) from None
            written.append(folder / name)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def _text(folder: str, files: dict[str, bytes]) -> str:
    written = "".join(f"  {name}\n" for name in files)
    move = "" if folder == "." else f"  cd {printable(shlex.quote(folder))}\n"
    where = "here" if folder == "." else f"to {printable(folder)}"
    steps = f"next:\n{move}  grapharc check\n  grapharc run graphs/answer.toml\n"
    return f"wrote a project {where}:\n{written}{steps}"
