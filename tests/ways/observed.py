"""A seed goes in; what a drawn graph hands on when it runs on LangGraph is held to what was said of it before."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count

import grapharc
from grapharc.compiler.compiled import CompiledGraph
from grapharc.policy.owner.open_policy import open_policy
from grapharc.spec.link.link import link
from grapharc.spec.read import read_graph, read_policy
from grapharc.spec.reasons import severity
from tests.policy.judging import TODAY
from tests.ways.judged import MEMO, Shelf, judged, registry
from tests.ways.oracle import Shape
from tests.ways.program import (
    KINDS,
    LABELLED,
    Block,
    Branch,
    Fork,
    Guarded,
    Loop,
    Seq,
    Step,
    Sub,
    draw,
    manifest,
    write,
)
from tests.ways.tainting import PLAYED, SOURCES, Play, tags_of

CODE = "from tests.ways.tainting import act\n" + "".join(
    f"def {name}(a, b, store, ctx):\n    return act(ctx, a, b, store)\n" for name in KINDS
)
TAGS = {"flow-free": "n", "flow-via": "v", "flow-explicit": "v", "flow-label": "l", "flow-label-via": "m"}
"""The tag that reaches no command of which a rule says that it is free of the rule's data."""
SALTS = range(4)
_OPEN = open_policy(read_policy(b'default = "allow"\n', "open.toml")[0])
_numbers = count()


def observe(seed: int) -> tuple[Counter[str], list[str]]:
    """Run one drawn graph several times, and tell what reached a command that was said to be free of it."""
    program = draw(seed)
    kinds = {step.kind for step in Shape(program).steps.values()}
    if "run" not in kinds or not kinds & SOURCES.keys():
        return Counter({"left out, without a source or a command": 1}), []
    claimed, compiled = judged(program), _compiled(program)
    if compiled is None:
        return Counter({"left out, refused for their order": 1}), []
    shown: dict[str, set[str]] = {name: set() for name in TAGS}
    for name, node in _tagged(compiled, program):
        shown[name].add(node)
    differing = {node for _, node in _differing(compiled, program)}
    counts = Counter({"graphs": 1, "flow-free: observed by decisions alone": len(differing - shown["flow-free"])})
    shown["flow-free"] |= differing
    wrong: list[str] = []
    for name, nodes in shown.items():
        counts[f"{name}: claimed"] += len(claimed[name])
        counts[f"{name}: observed"] += len(nodes & claimed[name])
        wrong += [f"seed {seed}, {name}: {node} was said to be free of it" for node in sorted(nodes - claimed[name])]
    return counts, wrong


def _compiled(program: Seq) -> CompiledGraph | None:
    """Compile a graph under a policy that allows everything, unless in its forks one reads what another writes."""
    files: dict[str, str] = {}
    write(program, "graph.json", files)
    files = {path: re.sub(r"\b(\w+) == 'x'", r"\1.startsWith('x')", text) for path, text in files.items()}
    shelf = Shelf({**files, "kinds.toml": manifest(), "k.py": CODE})
    document, _ = read_graph(files["graph.json"].encode(), "graph.json")
    admission = grapharc.admit(link(document, registry(), shelf, MEMO)[0], [_OPEN], today=TODAY)
    if admission.verdict != "admitted":
        errors = {finding.code for finding in admission.findings if severity(finding) == "error"}
        assert errors <= {"unordered_reader", "unordered_writers"}, errors
        return None
    return grapharc.compile(admission, loader=shelf)


def _tagged(compiled: CompiledGraph, program: Seq) -> Iterator[tuple[str, str]]:
    """Yield the rules and the commands that data of the rule came to: what it is made of says so."""
    failing = frozenset(_failing(program, (), caught=False, told_apart=False))
    for salt in SALTS:
        for node, given in _run(compiled, program, salt, salt % 2, failing, by_files=True).items():
            found = tags_of([json.loads(one) for one in given])
            tags = found | {tag for one in given for tag in json.loads(one)[1]}
            yield from ((name, node) for name, tag in TAGS.items() if tag in tags)


def _differing(compiled: CompiledGraph, program: Seq) -> Iterator[tuple[str, str]]:
    """Yield commands that run otherwise, or on something else, when nothing differs but what sources found."""
    failing = frozenset(_failing(program, (), caught=False, told_apart=True))
    for salt in SALTS:
        one, other = (_run(compiled, program, salt, secret, failing, by_files=False) for secret in (0, 1))
        for node in one.keys() | other.keys():
            if sorted(one.get(node, ())) != sorted(other.get(node, ())):
                yield "flow-free", node


def _run(
    compiled: CompiledGraph, program: Seq, salt: int, secret: int, failing: frozenset[str], *, by_files: bool
) -> Mapping[str, list[str]]:
    labelling = frozenset(
        "/".join(path) for path, step in Shape(program).steps.items() if step.writes == LABELLED and not step.mapped
    )
    run = f"run-{next(_numbers)}"
    PLAYED[run] = play = Play(salt, secret, failing, labelling, by_files)
    try:
        result = compiled.invoke({"f": "xo"[salt // 2 % 2]}, run_id=run)
    finally:
        del PLAYED[run]
    assert result.stop in ("finished", "capped"), result
    return play.seen


def _failing(block: Block | None, at: tuple[str, ...], *, caught: bool, told_apart: bool) -> Iterator[str]:
    """Name the nodes whose failure an error edge catches, their own or that of a graph around them.

    What is broken off beside a node that fails, another item or limb, may have run or not. Where runs are compared
    (``told_apart``), nothing fails beside which something else may run.
    """
    match block:
        case Step(name, mapped=mapped):
            if caught and not (mapped and told_apart):
                yield "/".join((*at, name))
        case Sub(name, body, mapped=mapped):
            inner = caught and not (told_apart and (mapped or _forks(body)))
            yield from _failing(body, (*at, name), caught=inner, told_apart=told_apart)
        case Guarded(step, handler):
            yield from _failing(step, at, caught=True, told_apart=told_apart)
            yield from _failing(handler, at, caught=caught, told_apart=told_apart)
        case _:
            for part in _parts(block):
                yield from _failing(part, at, caught=caught, told_apart=told_apart)


def _parts(block: Block | None) -> tuple[Block | None, ...]:
    match block:
        case Seq(parts):
            return tuple(parts)
        case Branch(step, arms):
            return (step, *arms)
        case Fork(step, limbs, join):
            return (step, *limbs, join)
        case Loop(head, body, last):
            return head, body, last
        case Guarded(step, handler):
            return step, handler
        case Sub(_, body):
            return (body,)
        case _:
            return ()


def _forks(block: Block | None) -> bool:
    """Tell whether something may run beside something else, in a graph or in one within."""
    if isinstance(block, Fork) or (isinstance(block, Step | Sub) and block.mapped):
        return True
    return any(map(_forks, _parts(block)))
