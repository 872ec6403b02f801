"""The catalogue goes in, the page of all codes comes out."""

from __future__ import annotations

from grapharc.cli.pages import GENERATED
from grapharc.cli.rendering.template import shown
from grapharc.spec.reasons import Ending, Reason, ReasonClass, endings, reasons

_CLASSES: dict[ReasonClass, tuple[str, str]] = {
    "soundness": ("Soundness", "It would not run as written. These codes cannot be lowered or suppressed."),
    "authority": ("Authority", "It may not run. These codes cannot be lowered or suppressed."),
    "lint": ("Lint", "It should not be so. `[severity]` in `grapharc.toml` raises, lowers or turns off these codes."),
}


def page() -> str:
    """Return the page."""
    sections = [
        "# Codes\n\nEvery finding has one of these codes. `grapharc explain CODE` says the same in a terminal. "
        "Codes are never renamed and never reused.\n"
    ]
    for reason_class, (title, line) in _CLASSES.items():
        rows = sorted((reason for reason in reasons().values() if reason.reason_class == reason_class), key=_code)
        listed = ", ".join(f"[`{reason.code}`](#{reason.code})" for reason in rows)
        sections += [f"## {title}\n\n{line}\n\n{listed}\n", *map(_section, rows)]
    ends = sorted(endings().values(), key=lambda ending: ending.code)
    listed = ", ".join(f"[`{ending.code}`](#run-{ending.code})" for ending in ends)
    sections += [f"## Runs\n\nThese end a run, or keep one from starting.\n\n{listed}\n", *map(_ending, ends)]
    return GENERATED + "\n".join(sections)


def _ending(ending: Ending) -> str:
    return (
        f'### <a id="run-{ending.code}"></a>{ending.code}\n\n'
        f"error: `{ending.message}`\n\n{ending.why}\n\nRemedy: {ending.remedy}.\n"
    )


def _section(reason: Reason) -> str:
    parts = [f"### {reason.code}\n", f"{reason.severity}: `{shown(reason.message)}`\n", f"{reason.why}\n"]
    if reason.remedy:
        parts.append(f"Remedy: {shown(reason.remedy)}.\n")
    for title, lines in (("Refused", reason.bad), ("Admitted", reason.good)):
        if lines.strip():
            parts.append(f"{title}:\n\n```\n{lines.strip(chr(10))}\n```\n")
    return "\n".join(parts)


def _code(reason: Reason) -> str:
    return reason.code
