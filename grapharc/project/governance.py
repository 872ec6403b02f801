"""An open project goes in; the registry and the policies that hold there come out, with all that is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping

from grapharc.policy.owner.open_policy import open_policy
from grapharc.policy.owner.policy import Policy
from grapharc.project.models import absent_replies
from grapharc.project.opening import AnyProject, Loaded, load_set
from grapharc.project.settings import Named
from grapharc.spec.document import DocumentKind, Text
from grapharc.spec.finding import Finding
from grapharc.spec.frozen import frozen
from grapharc.spec.json_value import Path
from grapharc.spec.offers import Registry
from grapharc.spec.read import read_policy, read_registry
from grapharc.spec.registry.open_registry import open_registry


@frozen
class Governance:
    """What graphs of a project are held to. ``registry`` is None where the one that is named cannot be read.

    ``documents`` are the paths of what was read for it, with their kinds; ``layers`` says which layer of settings named
    each of them.
    """

    registry: Registry | None
    policies: tuple[Policy, ...]
    documents: Mapping[str, DocumentKind]
    layers: Mapping[str, str]
    findings: tuple[Finding, ...]
    texts: Mapping[str, Text]


def open_governance(project: AnyProject) -> Governance:
    """Open the registry and every policy that the settings name. Raises CannotStart for one that cannot be read."""
    opening = _Opening(project)
    registry = opening.registry()
    policies = opening.policies()
    texts = {**(registry.texts if registry else {}), **{policy.path: policy.text for policy in policies}}
    return Governance(registry, policies, opening.documents, opening.layers, tuple(opening.findings), texts)


class _Opening:
    """Collects what is read and found on the way."""

    def __init__(self, project: AnyProject) -> None:
        self._project = project
        self.documents: dict[str, DocumentKind] = {}
        self.layers: dict[str, str] = {}
        self.findings: list[Finding] = []

    def registry(self) -> Registry | None:
        setting = self._project.settings.registry
        document = None
        if setting.value is not None:
            loaded = self._load(setting.value, ("grapharc", "registry"))
            if loaded is None:
                return None
            document, _ = read_registry(loaded.data, loaded.path)
            self._note(document.path, "registry", setting.layer)
        registry, findings = open_registry(document, self._project.loader, self._project.memo)
        self.findings += (*findings, *absent_replies(registry, self._project.loader))
        return registry

    def policies(self) -> tuple[Policy, ...]:
        policies: list[Policy] = []
        written = 0
        for setting in self._project.settings.policies:
            loaded = self._load(setting.value, ("grapharc", "policy", written))
            written += setting.value.in_project
            if loaded is not None and all(policy.path != loaded.path for policy in policies):
                policy = open_policy(read_policy(loaded.data, loaded.path)[0], self._project.memo)
                self._note(policy.path, "policy", setting.layer)
                self.findings += policy.findings
                policies.append(policy)
        return tuple(policies)

    def _load(self, named: Named, written_at: Path) -> Loaded | None:
        loaded = load_set(self._project, named, written_at)
        if isinstance(loaded, Loaded):
            return loaded
        self.findings += loaded.findings
        return None

    def _note(self, path: str, kind: DocumentKind, layer: str) -> None:
        self.documents[path], self.layers[path] = kind, layer
