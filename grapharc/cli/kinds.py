"""``kinds`` and ``kinds NAME``: a project goes in, the kinds that exist there come out."""

from __future__ import annotations

import os

import click

from grapharc.cli.answer import DONE, Answer, give
from grapharc.cli.options import json_option, project_options
from grapharc.cli.rendering.kind import kind_json, kind_text, kinds_text
from grapharc.cli.reporting import findings_answer
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.governance import Governance, open_governance
from grapharc.project.opening import Project, open_project
from grapharc.project.report import Looked, Report, is_error
from grapharc.project.settings import Flags
from grapharc.spec.document import DocumentKind
from grapharc.spec.in_order import in_order


@click.command("kinds")
@click.argument("words", nargs=-1, metavar="[NAME]")
@project_options
@json_option
def command(flags: Flags, words: tuple[str, ...], as_json: bool) -> int:
    """List the node kinds that exist here, or show one.

    NAME is the kind to show, with its ports, arguments, worst case and capabilities; 'show NAME' is the same. What
    exists is what the registry selects: the one of --registry or grapharc.toml, else all shipped kinds.
    """
    name = _name(words)
    project = open_project(flags, (), os.environ)
    governance = open_governance(project)
    project.close()
    findings = (*project.findings, *governance.findings)
    if governance.registry is None or any(map(is_error, findings)):
        return give(_refused(project, governance), as_json=as_json)
    offers = governance.registry.offers
    if name is None:
        rows = [offers[each] for each in sorted(offers)]
        answer = Answer(DONE, lambda: {"kinds": [kind_json(offer) for offer in rows]}, lambda c: kinds_text(rows, c))
        return give(answer, as_json=as_json)
    if name not in offers and name in governance.registry.shipped:
        where = governance.registry.path
        raise CannotStart(
            f"kind '{name}' is shipped, and the registry '{where}' does not select it",
            f'add it there: [[use]] with kind = "{name}"',
        )
    if name not in offers:
        raise CannotStart(f"there is no kind '{name}' here{did_you_mean(name, offers)}", "'grapharc kinds' lists them")
    return give(
        Answer(DONE, lambda: kind_json(offers[name]), lambda colour: kind_text(offers[name], colour)), as_json=as_json
    )


def _name(words: tuple[str, ...]) -> str | None:
    if not words:
        return None
    named = words[1:] if words[0] == "show" else words
    if len(named) != 1:
        raise CannotStart(f"'kinds {' '.join(words)}' is no command", "'grapharc kinds NAME' shows one kind")
    return named[0]


def _refused(project: Project, governance: Governance) -> Answer:
    own = [project.document] if project.document else []
    kinds: dict[str, DocumentKind] = {**governance.documents, **{document.path: document.kind for document in own}}
    texts = {**governance.texts, **{document.path: document.text for document in own}}
    documents = tuple(Looked(path, kind) for path, kind in sorted(kinds.items()))
    report = Report(documents, in_order((*project.findings, *governance.findings), texts), texts)
    return findings_answer(report)
