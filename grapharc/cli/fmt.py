"""``fmt [PATHS]``: documents go in; they are written in canonical order and layout, which changes no digest."""

from __future__ import annotations

import os
import sys

import click

from grapharc.cli.answer import DONE, NO, Answer, give, is_terminal, write
from grapharc.cli.options import json_option, ours_only_option
from grapharc.cli.rendering import diff as differences
from grapharc.cli.rendering import json, text
from grapharc.cli.rendering.cells import printable
from grapharc.project.errors import CannotStart
from grapharc.project.files import STDIN
from grapharc.project.layout import LaidOut, lay_out_documents
from grapharc.project.opening import open_project
from grapharc.project.paths import wanted
from grapharc.project.rewriting import write_all
from grapharc.project.settings import Flags
from grapharc.spec.json_value import Json


@click.command("fmt")
@click.argument("paths", nargs=-1)
@click.option("--config", metavar="FILE", help="The project document.  [default: grapharc.toml, if there is one]")
@ours_only_option
@click.option(
    "--check", "check_only", is_flag=True, help="Write nothing; exit code 1 means that something would change."
)
@click.option("--diff", is_flag=True, help="Write nothing, and print what would change; exit code as for --check.")
@json_option
def command(
    paths: tuple[str, ...], config: str | None, ours_only: bool, check_only: bool, diff: bool, as_json: bool
) -> int:
    """Write documents in canonical order and layout.

    PATHS are documents of any kind, folders of them, or - to lay out standard input. Without PATHS, what
    grapharc.toml names. Comments stay with what they stand at, values as they are written; no digest changes.
    """
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("'-' is standard input, which goes through alone: name no other path beside it")
    asked = [STDIN if path == "-" else path for path in paths]
    stdin = sys.stdin.buffer.read() if STDIN in asked else b""
    project = open_project(Flags(config=config), asked, os.environ, stdin=stdin)
    try:
        laid_out = lay_out_documents(project, wanted(project, asked, ours_only=ours_only))
        if not (laid_out.paths or ours_only):
            raise CannotStart("there is nothing to lay out: no document of ours stands there")
        dry = check_only or diff
        if asked != [STDIN] and not dry:
            write_all(project, laid_out.rewrites)
    finally:
        project.close()
    if asked == [STDIN] and not dry:
        return _through(laid_out.rewrites[0].after if laid_out.rewrites else stdin, laid_out, as_json=as_json)
    return give(_answer(laid_out, dry=dry, diff=diff), as_json=as_json)


def _through(data: bytes, laid_out: LaidOut, *, as_json: bool) -> int:
    """Lay standard input out on standard output, as editors ask for it; a broken one stays as it is, to the byte."""
    code = NO if laid_out.broken.findings else DONE
    if as_json:
        changed: Json = [each.path for each in laid_out.rewrites]
        said: dict[str, Json] = {"changed": changed, "written": False, "text": _decoded(data)}
        return give(Answer(code, lambda: {**said, **json.render(laid_out.broken)}, lambda _: ""), as_json=True)
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    if laid_out.broken.findings:
        write(sys.stderr, text.render(laid_out.broken))
    return code


def _decoded(data: bytes) -> str | None:
    """The text of bytes; None where they are none, since nothing like it would be it."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _answer(laid_out: LaidOut, *, dry: bool, diff: bool) -> Answer:
    refused = bool(laid_out.broken.findings) or (dry and bool(laid_out.rewrites))
    changed: Json = [each.path for each in laid_out.rewrites]
    return Answer(
        NO if refused else DONE,
        lambda: {"changed": changed, "written": not dry, **json.render(laid_out.broken)},
        lambda colour: _text(laid_out, dry=dry, diff=diff, colour=colour),
    )


def _text(laid_out: LaidOut, *, dry: bool, diff: bool, colour: bool) -> str:
    parts = [text.render(laid_out.broken, colour=colour)] if laid_out.broken.findings else []
    if diff:
        return "".join([*parts, differences.render(laid_out.rewrites, colour=colour, shown=is_terminal(sys.stdout))])
    verb = "would lay out" if dry else "laid out"
    parts += [f"{verb} {printable(each.path)}\n" for each in laid_out.rewrites]
    count = len(laid_out.paths)
    if not parts:
        parts.append(f"{count} document{'' if count == 1 else 's'} in canonical layout\n")
    return "".join(parts)
