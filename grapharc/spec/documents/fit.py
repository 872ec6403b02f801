"""A document's value goes in; the model of all that is well formed in it comes out, with what was left out and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from grapharc.spec.document import Text
from grapharc.spec.documents.engine import ValidationError
from grapharc.spec.documents.faults import Fault, as_written, fault_of
from grapharc.spec.documents.names import Naming, check_name
from grapharc.spec.documents.shorthands import write_out
from grapharc.spec.documents.validation import Rules
from grapharc.spec.finding import Finding
from grapharc.spec.json_value import Path, is_dict

ModelT = TypeVar("ModelT")


def fit(text: Text, rules: Rules, model: type[ModelT]) -> tuple[ModelT, frozenset[Path], tuple[Finding, ...]]:
    """Validate a text's value, leaving out what is wrong and what cannot stand without it, until the rest is right."""
    names: list[Naming] = []
    written = write_out(rules.form, text.value, (), names)
    damage = _Damage(text)
    rest = damage.cut(written, _wrong_names(text, names))
    while True:
        try:
            fitted: object = rules.validator.validate_python(rest)
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            faults = (fault_of(detail, rules.form, written, text.source.path, text.value) for detail in details)
            meant = [fault for fault in faults if fault is not None]
            if not meant:
                raise RuntimeError(f"an error that nobody made a fault of: {details}") from error
            rest = damage.cut(rest, meant)
        else:
            if not isinstance(fitted, model):
                raise TypeError(f"the rules of {rules.model.__name__} do not make a {model.__name__}")
            return fitted, damage.holes(), tuple(damage.findings.values())


def _wrong_names(text: Text, names: Iterable[Naming]) -> list[Fault]:
    checked = ((naming, check_name(text.source.path, naming)) for naming in names)
    return [Fault(finding, naming.path) for naming, finding in checked if finding is not None]


class _Damage:
    """What was left out of a document so far, and the findings that say why."""

    def __init__(self, text: Text) -> None:
        self.findings: dict[tuple[str, Path, object], Finding] = {}
        self._text = text
        self._cut: set[Path] = set()
        self._meant: set[Path] = set()

    def cut(self, rest: object, faults: list[Fault]) -> object:
        """Return the value without what the faults are about, and keep the findings that follow from no other."""
        if not faults:
            return rest
        if not self._cut:
            rest = _own(rest)
        self._meant.update(fault.meant for fault in faults if fault.meant is not None)
        for fault in faults:
            finding = fault.finding
            if not self._follows(fault):
                # A text that stands for several keys is wrong once.
                self.findings.setdefault((finding.code, finding.place.path, finding.values.get("key")), finding)
        for fault in faults:
            self._cut.add(fault.hole)
            rest = _without(rest, fault.hole)
        return rest

    def _follows(self, fault: Fault) -> bool:
        """Tell whether a fault is only there because something was left out, misspelt, or lost to a syntax error."""
        finding = fault.finding
        if finding.place.part == "value" and finding.place.path in self._text.holes:
            return True
        if finding.code != "missing_key":
            return False
        key = (*fault.hole, str(finding.values["key"]))
        return key in self._cut or key in self._meant or key in self._text.holes

    def holes(self) -> frozenset[Path]:
        """Return what is missing from the model, as paths into the document as people wrote it."""
        cut = {as_written(hole, self._text.value) for hole in self._cut}
        return self._text.holes | cut | self._meant


def _own(value: object) -> object:
    """Copy the tables of a value, so that keys can be taken out of them."""
    return {key: _own(inner) for key, inner in value.items()} if is_dict(value) else value


def _without(value: object, hole: Path) -> object:
    """Take out what is at a path; without the whole there is an empty document."""
    if not hole:
        return {}
    table = value
    for step in hole[:-1]:
        table = table.get(step) if is_dict(table) else None
    if is_dict(table):
        table.pop(hole[-1], None)
    return value
