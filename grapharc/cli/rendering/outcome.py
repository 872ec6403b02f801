"""What came of a run goes in; its nodes, its outputs, what it spent and why it stopped come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grapharc.cli.rendering.admission import amount
from grapharc.cli.rendering.cells import printable
from grapharc.cli.rendering.happened import told
from grapharc.cli.rendering.outputs import output_lines
from grapharc.cli.rendering.paint import paint
from grapharc.project.run import Attempt
from grapharc.runtime.refusals import NotAdmitted
from grapharc.runtime.result import RunResult, Spent
from grapharc.spec.json_value import Json


def outcome_text(attempt: Attempt, trace: str, *, colour: bool = False) -> str:
    """Return the run in lines; ``trace`` is the trace's path as it is to be shown."""
    lines = [*_nodes(attempt, colour)]
    if attempt.failure is not None:
        lines.append(f"{paint(_stop(attempt), 'error', colour)}: {printable(str(attempt.failure))}")
    if attempt.result is not None:
        lines += _ended(attempt.result, colour)
    if trace:
        lines.append(f"{paint('trace', 'title', colour)}: {printable(trace)}")
    return "".join(f"{line}\n" for line in lines)


def outcome_json(attempt: Attempt, trace: str) -> dict[str, Json]:
    """Return the run as JSON; ``run`` is null where nothing ran."""
    if attempt.result is None:
        return {"stop": _stop(attempt), "error": str(attempt.failure), "run": None}
    return {
        "stop": attempt.result.stop,
        "error": str(attempt.failure) if attempt.failure else None,
        "run": attempt.result.run_id,
        "outputs": dict(attempt.result.shown),
        "spent": _spent_json(attempt.result.spent),
        "trace": trace,
    }


def _stop(attempt: Attempt) -> str:
    if attempt.result is not None:
        return attempt.result.stop
    return attempt.failure.code if isinstance(attempt.failure, NotAdmitted) else "refused"


def _nodes(attempt: Attempt, colour: bool) -> Iterator[str]:
    """One line for each activation that ended and each loop that was left."""
    order = {name: place for place, name in enumerate(attempt.admission.flow.order)} if attempt.admission else {}
    lines = list(told(attempt.records, order))
    names = max((len(line.node) for line in lines), default=0)
    kinds = max((len(line.kind) for line in lines), default=0)
    for line in lines:
        words = f"{line.item}{paint(line.words, line.role, colour)}"
        yield f"  {printable(line.node):<{names}}  {printable(line.kind):<{kinds}}  {words}"


def _ended(result: RunResult, colour: bool) -> Iterator[str]:
    spent = result.spent
    words = [amount("iterations", spent.iterations), amount("tokens", spent.tokens)]
    words += [amount("usd", spent.usd)] if spent.usd else []
    if result.stop == "finished":
        yield f"{paint('finished', 'good', colour)}: {', '.join(words)}"
    elif result.stop == "capped":
        yield f"{paint('capped', 'error', colour)}: {', '.join(words)}"
    else:
        yield f"  {paint('spent', 'title', colour)} {', '.join(words)}"
    for name, value in result.shown.items():
        yield from output_lines(name, value, colour=colour)


def _spent_json(spent: Spent) -> Mapping[str, Json]:
    return {
        "iterations": spent.iterations,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "usd": spent.usd,
        "seconds": round(spent.seconds, 3),
        "calls": spent.calls,
        "unmetered": spent.unmetered,
        "unpriced": spent.unpriced,
    }
