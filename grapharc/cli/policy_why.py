"""``policy why REQUEST``: a request in a line goes in; the rule that decides it comes out, and what it beat."""

from __future__ import annotations

import os
from datetime import date

import click

from grapharc.cli.answer import DONE, NO, Answer, give
from grapharc.cli.options import AMOUNT, json_option, project_options
from grapharc.cli.rendering.why import why_json, why_text
from grapharc.cli.reporting import findings_answer
from grapharc.project.asking import Explanation, ask
from grapharc.project.opening import open_project
from grapharc.project.settings import Flags


@click.command("why")
@click.argument("request_line", metavar="REQUEST")
@click.option("--graph", metavar="GRAPH", help="Ask about the requests of this kind that a graph makes.")
@click.option("--usd", type=AMOUNT, metavar="USD", help="Of a request to spend: how much.")
@project_options
@json_option
def command(flags: Flags, request_line: str, graph: str | None, usd: float | None, as_json: bool) -> int:
    """Say which rule decides a request, and what it beat.

    REQUEST is 'node: KIND', 'tool: KIND', 'edge: KIND -> KIND', 'path: KIND -> BETWEEN -> KIND', 'flow: ...' alike, or
    'spend: KIND as ROLE'. What the request would be given only a run knows: conditions over it are named. Exit code 1:
    the graph makes no such request, or cannot be read far enough to tell.
    """
    project = open_project(flags, [graph] if graph else [], os.environ)
    try:
        found = ask(project, request_line, graph, usd, date.today())
    finally:
        project.close()
    return give(_answer(found, graph), as_json=as_json)


def _answer(found: Explanation, graph: str | None) -> Answer:
    if found.why is None:
        return findings_answer(found.report)
    is_made = graph is None or bool(found.rulings)
    return Answer(DONE if is_made else NO, lambda: why_json(found), lambda colour: why_text(found, colour=colour))
