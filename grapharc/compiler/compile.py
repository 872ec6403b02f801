"""An admission goes in, a graph that can be run comes out; whatever was not admitted is refused."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.compiler.assemble import Admitted, assemble
from grapharc.compiler.compiled import CompiledGraph
from grapharc.compiler.confining import confined
from grapharc.compiler.engine import Checkpointer
from grapharc.compiler.judging import rules_of
from grapharc.compiler.plans import Surroundings
from grapharc.policy.admission import RULE_SET, Admission
from grapharc.runtime.budget import Declared
from grapharc.runtime.refusals import NotAdmitted
from grapharc.runtime.workspace import Workspace
from grapharc.spec.canonical import digest
from grapharc.spec.flow.amounts import Amounts
from grapharc.spec.json_value import Json
from grapharc.spec.loader import Loader
from grapharc.spec.reasons import severity

NO_ENVIRONMENT: Mapping[str, str] = {}


def compile_graph(
    admission: Admission,
    *,
    loader: Loader | None = None,
    workspace: Workspace | None = None,
    project: Workspace | None = None,
    environment: Mapping[str, str] = NO_ENVIRONMENT,
    checkpointer: Checkpointer | None = None,
) -> CompiledGraph:
    """Compile an admitted graph onto LangGraph, and import the functions of its kinds.

    ``loader`` gives the files that the registry names: kinds of the owner's own, and what mocks answer. ``workspace``
    is the folder of kinds that touch files, ``project`` the one beneath which stores lie. ``environment`` is what kinds
    may be given variables of. With a ``checkpointer`` of LangGraph's, states are kept. Raises NotAdmitted and
    EntryError.
    """
    if admission.verdict != "admitted":
        raise NotAdmitted(admission.verdict, admission.graph.name, _codes(admission))
    record = _record(admission)
    admitted = Admitted(
        graph=admission.graph,
        flow=admission.flow,
        budget=admission.budget,
        declared={name: _declared(amounts) for name, amounts in admission.flow.activations.items()},
        record=record,
        fingerprint=digest(record),
        rules=rules_of(admission),
    )
    return assemble(
        admitted,
        Surroundings(loader, confined(admission, workspace, project, loader), project, environment),
        checkpointer,
    )


def _declared(amounts: Amounts) -> Declared:
    return Declared(amounts.tokens, amounts.usd, amounts.seconds)


def _record(admission: Admission) -> dict[str, Json]:
    return {
        "graph": admission.graph_digest,
        "registry": admission.registry_digest,
        "policies": [policy.digest for policy in admission.policies],
        "rule_set": RULE_SET,
        "tenant": admission.tenant,
    }


def _codes(admission: Admission) -> tuple[str, ...]:
    """What speaks against it: errors, or for one that only waits for a person, what asks."""
    if admission.verdict == "refused":
        return tuple(sorted({finding.code for finding in admission.findings if severity(finding) == "error"}))
    return tuple(sorted({finding.code for finding in admission.findings if finding.code.endswith("_needs_approval")}))
