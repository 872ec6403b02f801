"""The text of the approvals goes in; the text with approvals more or less, all else as it was, comes out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grapharc.project.errors import CannotStart
from grapharc.spec.documents.approvals import ApprovalModel
from grapharc.spec.read import read_approvals
from grapharc.spec.reasons import message, severity

_HEAD = "# Changes of graphs, policies and registries that somebody agreed to; 'grapharc gate approve' writes here.\n"


def with_approvals(data: bytes | None, path: str, more: Sequence[ApprovalModel]) -> bytes:
    """Append approvals to a document, or begin one. Raises CannotStart where that cannot be done."""
    text = _HEAD if data is None else _text(data, path)
    end = _end(text)
    blocks = "".join(f"{end}{_block(approval, end)}" for approval in more)
    if text and not text.endswith("\n"):
        text += end
    return _checked((text + blocks).encode(), path, [*approvals_of(data, path), *more])


def without_approvals(data: bytes, path: str, gone: Collection[int]) -> bytes:
    """Take the approvals of some indexes out, with the comments right above each. Raises CannotStart as above."""
    text = _text(data, path)
    layout = read_approvals(data, path)[0].text.layout
    kept = approvals_of(data, path)
    starts = [_start(text, layout.span(("approval", index)).start) for index in range(len(kept))]
    for index in sorted(gone, reverse=True):
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        text = text[: starts[index]] + text[end:]
    left = [approval for index, approval in enumerate(kept) if index not in gone]
    return _checked((text.rstrip() + _end(text)).encode(), path, left)


def _block(approval: ApprovalModel, end: str) -> str:
    rows = [("change", approval.change), ("document", approval.document), ("says", approval.says)]
    rows += [("who", approval.who), ("why", approval.why), ("until", approval.until)]
    lines = ["[[approval]]", *(f"{key} = {_quoted(value)}" for key, value in rows if value)]
    return "".join(f"{line}{end}" for line in lines)


def _quoted(value: str) -> str:
    """A basic string of TOML; what cannot be seen is written as an escape."""
    return f'"{"".join(map(_escaped, value))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CannotStart(f"'{path}' is no UTF-8 text, so nothing can be written into it") from None


def _end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _start(text: str, offset: int) -> int:
    """Where a table begins, the comments right above it included."""
    start = text.rfind("\n", 0, offset) + 1
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start


def approvals_of(data: bytes | None, path: str) -> list[ApprovalModel]:
    """Return the approvals that a document holds, none where there is none. Raises CannotStart for one with a fault."""
    if data is None:
        return []
    document, findings = read_approvals(data, path)
    faults = [finding for finding in findings if severity(finding) == "error"]
    if faults:
        raise CannotStart(f"'{path}' has a fault, so nothing is written into it: {message(faults[0])}")
    return list(document.model.approval.values())


def _checked(data: bytes, path: str, meant: list[ApprovalModel]) -> bytes:
    """Return what is to be written once it reads as it is meant. Raises CannotStart where it does not."""
    document, findings = read_approvals(data, path)
    if findings or list(document.model.approval.values()) != meant:
        raise CannotStart(
            f"'{path}' cannot be changed without writing it anew",
            "write each approval as a table of its own: [[approval]]",
        )
    return data
