"""A request in a line goes in, and maybe a graph; what the project's policies answer to it comes out, and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from grapharc.policy.admission import Admission
from grapharc.policy.admit import admit
from grapharc.policy.owner.builtin import builtin_policy
from grapharc.policy.owner.decide import Ruling
from grapharc.policy.owner.policy import Policy
from grapharc.policy.trials.open_request import Kinds, before_a_run, open_request
from grapharc.policy.trials.question import Request, nameless_kind
from grapharc.policy.trials.why import Why, why
from grapharc.policy.trials.words import NoRequest, read_request
from grapharc.project.errors import CannotStart, did_you_mean
from grapharc.project.governance import Governance, open_governance
from grapharc.project.opening import Lost, Project, load_asked
from grapharc.project.premises import premises_of
from grapharc.project.report import Looked, Report, is_error
from grapharc.spec.document import Document, DocumentKind, Text
from grapharc.spec.documents.graph import GraphModel
from grapharc.spec.documents.test import RequestModel
from grapharc.spec.faults import Faults
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen, replace
from grapharc.spec.in_order import in_order
from grapharc.spec.link.link import link
from grapharc.spec.linked import END, START
from grapharc.spec.offers import Offer
from grapharc.spec.read import holds, read
from grapharc.spec.reading.text import read_text
from grapharc.spec.reasons import reason


@frozen
class Explanation:
    """What came of asking. There is no ``why`` where the documents are at fault, as ``report`` says.

    Of a graph, ``rulings`` are what was decided about requests of this kind that it makes. ``unknown`` are kinds that
    no registry was asked about.
    """

    report: Report
    why: Why | None
    unknown: tuple[str, ...] = ()
    admission: Admission | None = None
    rulings: tuple[Ruling, ...] = ()


def ask(project: Project, line: str, graph: str | None, usd: float | None, today: date) -> Explanation:
    """Ask the policies one thing. Raises CannotStart for what is no request, and for a kind that is not there."""
    tenant = project.settings.tenant.value
    try:
        model = read_request(line, tenant=tenant, usd=usd)
    except NoRequest as error:
        raise CannotStart(str(error)) from None
    governance = open_governance(project)
    if governance.registry is None or any(map(is_error, (*project.findings, *governance.findings))):
        return Explanation(_report(project, governance), None)
    policies = governance.policies or (builtin_policy(),)
    offers, unknown = _kinds(model, governance.registry.offers, may_be_any=project.settings.registry.value is None)
    request = _request(model, offers)
    report = _report(project, governance)
    if graph is None:
        return Explanation(report, why(policies, offers, before_a_run(request)), unknown)
    return _of_graph(project, governance, policies, request, graph, today)


def _of_graph(
    project: Project,
    governance: Governance,
    policies: tuple[Policy, ...],
    request: Request,
    graph: str,
    today: date,
) -> Explanation:
    asked = _read(project, project.loader.path_of(graph))
    if asked.document is None or governance.registry is None or any(map(is_error, asked.findings)):
        return _at_fault(_report(project, governance), asked, asked.findings)
    linked, _ = link(asked.document, governance.registry, project.loader, project.memo)
    admission = admit(
        linked,
        policies,
        tenant=request.tenant,
        limits=project.settings.limits,
        today=today,
        premises=premises_of(project),
    )
    ends = tuple(each if isinstance(each, str) else each.name for each in request.ends)
    rulings = tuple(
        ruling for ruling in admission.rulings if ruling.resource == request.resource and ruling.ends == ends
    )
    if not rulings and any(reason(finding.code).reason_class == "soundness" for finding in admission.findings):
        # What could not be followed may make the request all the same.
        return _at_fault(_report(project, governance), asked, admission.findings)
    report = Report((), admission.findings, admission.texts, (admission,), project.settings, governance.layers)
    answer = why(policies, governance.registry.offers, before_a_run(request))
    return Explanation(report, answer, (), admission, rulings)


@frozen
class _Read:
    """A graph that was read: no ``document`` where the bytes make none, no ``text`` where there are none."""

    document: Document[GraphModel] | None
    text: Text | None
    findings: Sequence[Finding]


def _read(project: Project, path: str) -> _Read:
    """Read the graph. Raises CannotStart for another document."""
    loaded = load_asked(project.loader, path)
    if isinstance(loaded, Lost):
        return _Read(None, None, loaded.findings)
    document, findings = read(loaded.data, loaded.path)
    if document is None:
        return _Read(None, read_text(loaded.data, loaded.path)[0], findings)
    if not holds(document, GraphModel):
        raise CannotStart(f"'{path}' is a {document.kind}, and only a graph makes requests")
    return _Read(document, document.text, findings)


def _at_fault(report: Report, graph: _Read, findings: Sequence[Finding]) -> Explanation:
    """Tell what is wrong with the graph, beside what is wrong with the project."""
    texts = report.texts if graph.text is None else {**report.texts, graph.text.source.path: graph.text}
    looked = [] if graph.text is None else [Looked(graph.text.source.path, "graph" if graph.document else None)]
    found = in_order((*report.findings, *findings), texts)
    return Explanation(replace(report, documents=(*report.documents, *looked), findings=found, texts=texts), None)


def _kinds(model: RequestModel, offers: Kinds, *, may_be_any: bool) -> tuple[Kinds, tuple[str, ...]]:
    """The kinds that can be asked about; without a registry that somebody named, a kind may be no more than a name."""
    known: dict[str, Offer] = dict(offers)
    unknown: list[str] = []
    for name in (model.kind, model.source, model.target, *model.via):
        if name is None or name in known or name in (START, END):
            continue
        if not may_be_any:
            raise CannotStart(
                f"kind '{name}' is not in the registry{did_you_mean(name, known)}", "'grapharc kinds' lists them"
            )
        unknown.append(name)
        known[name] = nameless_kind(name)
    return known, tuple(dict.fromkeys(unknown))


def _request(model: RequestModel, offers: Kinds) -> Request:
    faults = Faults("")
    request = open_request(model, offers, (), faults, "")
    if request is None:
        missing = {str(finding.values.get("key")) for finding in faults.found if finding.code == "missing_key"}
        if "usd" in missing:
            raise CannotStart("a request to spend says how much: --usd AMOUNT")
        raise CannotStart("nothing leads into '__start__', and nothing out of '__end__'")
    return request


def _report(project: Project, governance: Governance) -> Report:
    own = [project.document] if project.document else []
    texts = {**governance.texts, **{document.path: document.text for document in own}}
    kinds: dict[str, DocumentKind] = {**governance.documents, **{document.path: document.kind for document in own}}
    documents = tuple(Looked(path, kind) for path, kind in sorted(kinds.items()))
    findings = in_order((*project.findings, *governance.findings), texts)
    return Report(documents, findings, texts, (), project.settings, governance.layers)
