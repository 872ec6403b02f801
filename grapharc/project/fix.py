"""Documents go in; what they would be with their findings mended comes out, checked again and not yet written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from grapharc.policy.admission import Admission
from grapharc.project.candidates import Candidate, apart, candidates
from grapharc.project.check import check_documents
from grapharc.project.opening import Project
from grapharc.project.paths import Wanted
from grapharc.project.report import Report, is_error
from grapharc.project.rewriting import Rewrite
from grapharc.spec.edits.replacement import replaced
from grapharc.spec.frozen import frozen
from grapharc.spec.linked import END

MOST_ROUNDS = 50
"""A fix may make room for another one; more rounds than this would be two that undo one another."""


@frozen
class Fixed:
    """What fixing came to: the documents that change, how many findings were mended by code, and what is left."""

    rewrites: tuple[Rewrite, ...]
    mended: tuple[tuple[str, int], ...]
    report: Report


def fix_documents(project: Project, asked: Wanted, today: date, *, unsafe: bool) -> Fixed:
    """Mend what can be mended; nothing is written. Each change is checked before the next is made.

    A safe fix stays only if nothing new is found after it, and if it lets nothing happen that was not allowed before.
    """
    report = check_documents(project, asked, today)
    mended: Counter[str] = Counter()
    useless: set[Candidate] = set()
    for _ in range(MOST_ROUNDS):
        could = [each for each in candidates(report.findings, report.texts, unsafe=unsafe) if each not in useless]
        made = _make(project, asked, today, report, apart(could), useless)
        if made is None:
            break
        report, chosen = made
        mended.update(each.code for each in chosen)
    loader = project.loader
    rewrites = [Rewrite(path, _on_disk(project, path), after) for path, after in sorted(loader.instead.items())]
    loader.instead.clear()
    return Fixed(tuple(rewrites), tuple(sorted(mended.items())), report)


def _on_disk(project: Project, path: str) -> bytes:
    held = project.loader.instead.pop(path)
    before = project.loader.load(path)
    project.loader.instead[path] = held
    return before


def _make(
    project: Project, asked: Wanted, today: date, report: Report, chosen: Sequence[Candidate], useless: set[Candidate]
) -> tuple[Report, Sequence[Candidate]] | None:
    """Make all of some fixes, or else the first of them that does good; None where none does."""
    tries = [chosen, *([each] for each in chosen)] if len(chosen) > 1 else [chosen] if chosen else []
    for some in tries:
        before = dict(project.loader.instead)
        _put(project, report, some)
        after = check_documents(project, asked, today)
        if _is_better(report, after, safe=all(each.safe for each in some)) or _shows_more(report, after, some):
            return after, some
        project.loader.instead.clear()
        project.loader.instead.update(before)
        if len(some) == 1:
            useless.update(some)
    return None


def _put(project: Project, report: Report, chosen: Sequence[Candidate]) -> None:
    for path in {each.document for each in chosen}:
        mark = b"\xef\xbb\xbf" if project.loader.load(path).startswith(b"\xef\xbb\xbf") else b""
        made = [one for each in chosen if each.document == path for one in each.replacements]
        project.loader.instead[path] = mark + replaced(report.texts[path].source.text, made).encode()


def _is_better(before: Report, after: Report, *, safe: bool) -> bool:
    """Fewer findings, and no error more; what is safe brings nothing new and widens nothing.

    An unsafe fix may also bring up lint, of which nothing is said as long as there is the error that it mends.
    """
    errors = sum(map(is_error, after.findings)) - sum(map(is_error, before.findings))
    if not safe and errors < 0:
        return True
    if len(after.findings) >= len(before.findings):
        return False
    if not safe:
        return errors <= 0
    old, new = _kinds(before), _kinds(after)
    return not new - old and not _allowed(after.admissions) - _allowed(before.admissions)


def _shows_more(before: Report, after: Report, chosen: Sequence[Candidate]) -> bool:
    """Tell whether unsafe fixes mend what kept a check from looking further; what else is wrong is told from then on.

    A key that then holds what it cannot was not the one that was meant.
    """
    codes = Counter(each.code for each in chosen)
    if any(each.safe for each in chosen) or not _HIDING.issuperset(codes):
        return False
    if "unknown_key" in codes and _count(after, "wrong_type") > _count(before, "wrong_type"):
        return False
    return all(_count(after, code) <= _count(before, code) - number for code, number in codes.items())


_HIDING = frozenset({"unknown_document", "unknown_key", "unknown_type", "unquoted_string", "unregistered_node"})
"""Of a node of a misspelt kind, an entry with a misspelt key, a document that cannot be told, not all is looked at."""


def _count(report: Report, code: str) -> int:
    return sum(finding.code == code for finding in report.findings)


def _kinds(report: Report) -> Counter[tuple[str, str]]:
    return Counter((finding.place.document, finding.code) for finding in report.findings)


def _allowed(admissions: Iterable[Admission]) -> set[tuple[str, ...]]:
    """What graphs may do: what they touch, and which kinds may follow which; that a path ends is no authority."""
    found: set[tuple[str, ...]] = set()
    for admission in admissions:
        who = (admission.graph.path, admission.tenant)
        found.update((*who, capability) for capability in admission.capabilities)
        for ruling in admission.rulings:
            if ruling.effect != "deny" and not (ruling.resource == "edge" and ruling.ends[1] == END):
                found.add((*who, ruling.resource, ruling.effect, *ruling.ends))
    return found
