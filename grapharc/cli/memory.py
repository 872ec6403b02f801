"""``memory COMMAND PATH``: a claim store goes in; what it holds, its provenance and whether it is whole come out."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.groups import Group
from grapharc.cli.options import json_option
from grapharc.project.errors import CannotStart, did_you_mean

if TYPE_CHECKING:
    from grapharc.memory import SQLiteMemoryStore

_MOST_CLAIMS = click.IntRange(1, 1000)
_path = click.argument("path", metavar="PATH")


class _Reading(click.Command):
    """A command that reads a store. What a whole store holds never fails it; of any other it says what is wrong."""

    def invoke(self, ctx: click.Context) -> int:
        """Run the command. Raises CannotStart where the store was tampered with so that it cannot be read."""
        try:
            return super().invoke(ctx)
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            path = str(ctx.params["path"])
            wrong = _first_fault(path)
            if wrong is None:
                raise
            raise CannotStart(f"'{path}' is damaged: {wrong}", f"'grapharc memory verify {path}' says so") from None


class _Commands(Group):
    command_class = _Reading


@click.command("memory", cls=_Commands)
def command() -> None:
    """Look into a claim store.

    PATH is the store's file, as a registry pins it.
    """


@command.command("search")
@_path
@click.argument("query", nargs=-1)
@click.option("--entity", "entities", metavar="NAME", multiple=True, help="What it is about; repeatable.")
@click.option("--hops", type=click.IntRange(0, 3), default=1, show_default=True, help="How far neighbours may be.")
@click.option("--max", "most", type=_MOST_CLAIMS, default=20, show_default=True, help="How many claims at most.")
@json_option
def _search(path: str, query: tuple[str, ...], entities: tuple[str, ...], hops: int, most: int, as_json: bool) -> int:
    """Find the claims that matter to a QUERY or to entities, with why.

    Exits with 1 where nothing is found.
    """
    from grapharc.cli.rendering.claims import hits_json, hits_text
    from grapharc.memory import search

    if not query and not entities:
        raise CannotStart("nothing is asked for", "words to look for, or --entity NAME, would be right")
    with _opened(path) as store:
        found = search(store, " ".join(query) or None, entities=entities, hops=hops, max_claims=most)
    code = DONE if found else NO
    return give(Answer(code, lambda: hits_json(found), lambda colour: hits_text(found, colour)), as_json=as_json)


@command.command("show")
@_path
@click.argument("name")
@json_option
def _show(path: str, name: str, as_json: bool) -> int:
    """Show a claim and what it rests on, or an entity.

    NAME is a claim's id, or an entity, of which all that is held is shown.

    Exits with 1 where there is neither.
    """
    from grapharc.cli.rendering.claims import cited_json, claim_text, entity_json, entity_text
    from grapharc.memory import known_entities

    with _opened(path) as store:
        claim = store.get(name)
        if claim is not None:
            rests = store.citations(name)
            answer = Answer(DONE, lambda: cited_json(claim, rests), lambda colour: claim_text(claim, rests, colour))
            return give(answer, as_json=as_json)
        held, given_up = store.current(name), store.dead_ends(name)
        known = known_entities(store) if not held and not given_up else set[str]()
    if held or given_up:
        answer = Answer(DONE, lambda: entity_json(held, given_up), lambda colour: entity_text(held, given_up, colour))
        return give(answer, as_json=as_json)
    return _nothing(f"no claim and no entity '{name}'{did_you_mean(name, known)}", as_json=as_json)


@command.command("history")
@_path
@click.argument("subject")
@click.argument("predicate")
@json_option
def _history(path: str, subject: str, predicate: str, as_json: bool) -> int:
    """Show what was ever held of a SUBJECT and a PREDICATE.

    Beneath each value stands what it rests on. The oldest comes first. Exits with 1 where there is nothing.
    """
    from grapharc.cli.rendering.claims import history_json, history_text

    with _opened(path) as store:
        chain = [(claim, store.citations(claim.id)) for claim in store.history(subject, predicate)]
        others = sorted({claim.predicate for claim in (*store.current(subject), *store.dead_ends(subject))})
    if chain:
        answer = Answer(DONE, lambda: history_json(chain), lambda colour: history_text(chain, colour))
        return give(answer, as_json=as_json)
    about = f", of it is held: {', '.join(others)}" if others else ""
    return _nothing(f"nothing is held of '{subject}' and '{predicate}'{about}", as_json=as_json)


@command.command("stats")
@_path
@json_option
def _stats(path: str, as_json: bool) -> int:
    """Count what a store holds."""
    from grapharc.cli.rendering.claims import stats_json, stats_text
    from grapharc.memory import statistics

    with _opened(path) as store:
        found = statistics(store)
    return give(Answer(DONE, lambda: stats_json(found), lambda colour: stats_text(found, colour)), as_json=as_json)


@command.command("verify")
@_path
@click.option("--head", metavar="HASH", help="A hash that this command printed before, which must be in the chain.")
@json_option
def _verify(path: str, head: str | None, as_json: bool) -> int:
    """Prove that nothing in a store was changed.

    Looked at are every operation, all that is made from them, and the bytes of every artifact. Operations that were
    taken off the end leave a whole chain behind: note the hash that is printed, and ask for it with --head. Exits with
    1 where something is wrong.
    """
    from grapharc.cli.rendering.claims import verified_json, verified_text
    from grapharc.memory import verify_store

    with _opened(path) as store:
        found = verify_store(store, head=head)
    code = DONE if found.holds else NO
    return give(
        Answer(code, lambda: verified_json(found), lambda colour: verified_text(found, colour)), as_json=as_json
    )


@command.command("export")
@_path
@json_option
def _export(path: str, as_json: bool) -> int:
    """Print the record, one operation a line.

    Each line is canonical JSON. A body that somebody made something else of is printed as the text that it is, with
    "body_is_text". A hash is the SHA-256 of the hash before it and of the text 'n writer seq at format
    verb', a line break and the body.
    """
    from grapharc.cli.rendering.claims import export_json, export_text
    from grapharc.stdlib_kinds.memory.log import operations

    with _opened(path) as store, store.reading() as execute:
        found = list(operations(execute))
    return give(Answer(DONE, lambda: export_json(found), lambda _: export_text(found)), as_json=as_json)


@command.command("upgrade")
@_path
@json_option
def _upgrade(path: str, as_json: bool) -> int:
    """Make the tables of a store anew that an older version wrote.

    They follow from its record, which is not touched. What opens a store to write, as memory.record does, does the
    same; it takes about as long as storing everything again.
    """
    from grapharc.cli.rendering.claims import stats_json, stats_text
    from grapharc.memory import statistics

    file, right = Path(path), "the path of a claim store would be right"
    if not file.exists():
        raise CannotStart(f"'{path}' does not exist", right)
    if file.is_file() and not file.stat().st_size:  # which would be made a store
        raise CannotStart(f"'{path}' is empty", right)
    with _opened(path, read_only=False) as store:
        found = statistics(store)
    return give(Answer(DONE, lambda: stats_json(found), lambda colour: stats_text(found, colour)), as_json=as_json)


@contextmanager
def _opened(path: str, *, read_only: bool = True) -> Generator[SQLiteMemoryStore]:
    """Open a store, to read unless it says otherwise. Raises CannotStart where it is none, or cannot be opened."""
    from grapharc.memory import SQLiteMemoryStore, StoreError

    try:
        with SQLiteMemoryStore(path, read_only=read_only) as store:
            yield store
    except StoreError as error:
        _, wrong, right = error.args
        raise CannotStart(f"'{path}' {wrong}", str(right)) from error


def _first_fault(path: str) -> str | None:
    from grapharc.memory import verify_store

    with _opened(path) as store:
        found = verify_store(store)
    return found.faults[0] if found.faults else None


def _nothing(message: str, *, as_json: bool) -> int:
    from grapharc.cli.rendering.cells import printable

    answer = Answer(
        NO,
        lambda: {"error": {"kind": "not_found", "message": message, "hint": ""}},
        lambda _: f"{printable(message)}\n",
    )
    return give(answer, as_json=as_json)
