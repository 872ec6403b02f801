"""Type expressions, constraints and defaults of a document go in, with what names mean there; types come out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from grapharc.spec.constraints import words_for
from grapharc.spec.document import Document
from grapharc.spec.documents.typed import Constrained as TypedModel
from grapharc.spec.faults import Faults
from grapharc.spec.frozen import field, frozen
from grapharc.spec.json_value import Json, Path, value_at
from grapharc.spec.memo import Memo
from grapharc.spec.patterns import pattern_fault
from grapharc.spec.source import Span
from grapharc.spec.subtype import variables
from grapharc.spec.suggest import Vocabulary, suggest
from grapharc.spec.type_text import APPLIED, BUILT_IN, TypeFault, meant, parse_type
from grapharc.spec.types import MISSING, Constrained, Missing, Type, Variable, show
from grapharc.spec.values import Misfit, conform

ANY = "*"
"""Stands among missing names for those that nobody can tell."""

_VARIABLE = re.compile(r"[A-Z][0-9]?")
_FOLLOWS = ""
"""The code of a fault that merely follows from another one: nobody is told."""


@frozen(slots=False)
class TypeNames:
    """What names of types mean at some place: its own names first, then those of ``outer``.

    ``missing`` were declared but could not be made out; with ANY among them that may be true of every name. Where
    ``variables`` may stand, one is a capital letter, a digit after it allowed.
    """

    known: Mapping[str, Type]
    ambiguous: Mapping[str, tuple[str, ...]]
    missing: frozenset[str] = frozenset()
    outer: TypeNames | None = None
    variables: bool = False

    def find(self, name: str, span: Span) -> Type | TypeFault:
        """Look a name up, as :func:`parse_type` wants it."""
        if (known := self.known.get(name)) is not None:
            return known
        if name in self.missing:
            return TypeFault(_FOLLOWS, span)
        if (kinds := self.ambiguous.get(name)) is not None:
            return TypeFault("ambiguous_type", span, {"name": name, "kinds": kinds})
        found = None if self.outer is None else self.outer.find(name, span)
        if found is not None and not (isinstance(found, TypeFault) and found.code == "unknown_type"):
            return found
        if self.variables and _VARIABLE.fullmatch(name):
            return Variable(name)
        if ANY in self.missing:
            return TypeFault(_FOLLOWS, span)
        return TypeFault(
            "unknown_type", span, {"name": name, "suggestion": meant(name) or self._vocabulary.nearest(name)}
        )

    def flat(self) -> TypeNames:
        """Return the same names without an ``outer``."""
        if self.outer is None:
            return self
        outer = self.outer.flat()
        hidden = {*self.known, *self.missing, *self.ambiguous}
        return TypeNames(
            {**{name: type_ for name, type_ in outer.known.items() if name not in hidden}, **self.known},
            {**{name: kinds for name, kinds in outer.ambiguous.items() if name not in hidden}, **self.ambiguous},
            (outer.missing - self.known.keys()) | (self.missing - self.known.keys()),
        )

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        names = self.flat()
        return Vocabulary({*BUILT_IN, *APPLIED, *names.known, *names.ambiguous})


@frozen
class Reader:
    """What it takes to read the types of one document."""

    document: Document[object]
    names: TypeNames
    memo: Memo
    faults: Faults
    known: dict[str, Type] = field(default_factory=dict[str, Type])
    """What expressions meant that were read before: their names mean the same wherever they stand."""

    def typed(self, model: TypedModel, path: Path) -> Type | None:
        """Return the type of a field, member or port with its constraints; None where it could not be made out."""
        short = isinstance(value_at(self.document.text.value, path), str)
        type_ = self.expression(model.type, path if short else (*path, "type"))
        if type_ is None:
            return None
        constraints = tuple(entry for entry in model.constraints if self._applies(*entry, type_, path))
        return Constrained(type_, constraints) if constraints else type_

    def expression(self, text: str, path: Path) -> Type | None:
        """Return what a type expression means, its faults noted where it stands."""
        if (known := self.known.get(text)) is not None:
            return known
        type_, found = parse_type(text, self.memo, self.names.find)
        if type_ is not None:
            self.known[text] = type_
        for fault in found:
            if fault.code != _FOLLOWS:
                self.faults.add(fault.code, path, fault.values, within=fault.span)
        return type_

    def closed(self, type_: Type | None, text: str, path: Path) -> Type | None:
        """Return a type that stands outside of a kind's ports, where nothing gives a type variable a meaning.

        Only a bound in the text itself can bring one there.
        """
        if type_ is None or ":" not in text or not (found := variables(type_)):
            return type_
        self.faults.add("type_variable_outside_kind", path, {"name": found[0].name})
        return None

    def default(self, default: Json | Missing, type_: Type, path: Path, subject: str = "") -> Json | Missing:
        """Return a default, those of records in it filled in; MISSING where there is none or it does not fit."""
        if isinstance(default, Missing):
            return MISSING
        try:
            return conform(type_)(default)
        except Misfit as misfit:
            values = {"type": show(type_), "problem": str(misfit)}
            self.faults.add("default_does_not_fit", (*path, "default"), values, subject=subject)
            return MISSING

    def _applies(self, word: str, limit: Json, type_: Type, path: Path) -> bool:
        allowed = words_for(type_)
        if word not in allowed:
            values = {"word": word, "type": show(type_), "allowed": allowed, "suggestion": suggest(word, allowed)}
            self.faults.add("constraint_does_not_apply", (*path, word), values, part="key")
            return False
        if word == "pattern" and isinstance(limit, str) and (why := known_pattern_fault(limit, self.memo)):
            self.faults.add("bad_pattern", (*path, word), {"pattern": limit, "why": why})
            return False
        return True


def known_pattern_fault(pattern: str, memo: Memo) -> str:
    """Return what is wrong with a pattern, or ""; RE2 is loaded only for one that nobody has seen yet."""
    known = memo.get("pattern", pattern)
    if not isinstance(known, str):
        known = pattern_fault(pattern) or ""
        memo.put("pattern", pattern, known)
    return known
