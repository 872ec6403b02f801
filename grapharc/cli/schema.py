"""``schema KIND``: a kind of document goes in, the JSON Schema that editors and readers check it with comes out."""

from __future__ import annotations

import click

from grapharc.cli.answer import DONE, Answer, as_document, give
from grapharc.cli.options import json_option
from grapharc.cli.rendering.report_schema import report_schema
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.spec.document import DocumentKind
from grapharc.spec.documents.schema import json_schema

KINDS: dict[str, DocumentKind] = {
    "graph": "graph",
    "policy": "policy",
    "registry": "registry",
    "kind": "manifest",
    "manifest": "manifest",
    "project": "project",
    "test": "test",
    "approvals": "approvals",
}
"""What the kinds of documents are called here; ``kind`` is short for a kind manifest."""


_REPORT = "report"


@click.command("schema")
@click.argument("kind", metavar="KIND")
@json_option
def command(kind: str, as_json: bool) -> int:
    """Print the JSON Schema of a kind of document.

    KIND is graph, policy, registry, kind (a kind manifest), project, test (policy tests) or approvals. Put the schema
    where your editor finds it, and name it in the document: "$schema" in JSON, "#:schema" in TOML. KIND may also be
    report: what check --json prints.
    """
    if kind not in KINDS and kind != _REPORT:
        raise CannotStart(
            f"there is no kind of document '{kind}'{did_you_mean(kind, (*KINDS, _REPORT))}",
            "graph, policy, registry, kind, project, test, approvals and report have schemas",
        )
    schema = report_schema() if kind == _REPORT else json_schema(KINDS[kind])
    return give(Answer(DONE, lambda: {"schema": schema}, lambda _: as_document(schema)), as_json=as_json)
