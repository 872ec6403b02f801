"""Points in; the chances by which a fingerprint of each one's guard is computed, out.

A guard is the boolean function of outcomes under which a point happens. Give each outcome of a point that chooses a
probability, drawn at random, and the probability of a guard is a polynomial in them. Two guards are equal iff their
polynomials are, and one-of is a sum, since its parts exclude each other. So a guard is kept as the value of its
polynomial at one point of a prime field of 2**127 - 1 elements, which is drawn from the digest of the whole graph: one
number instead of a decision diagram, and in a graph of a million arcs two guards are confused once in 10**32 graphs.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from grapharc.spec.flow.arcs import FlowGraph
from grapharc.spec.flow.points import Points
from grapharc.spec.frozen import frozen
from grapharc.spec.hashing import blake2b

PRIME = 2**127 - 1


@frozen
class Draw:
    """Random elements of the field, the same for the same graph."""

    seed: bytes

    def take(self, label: bytes, number: int) -> int:
        """Draw the element of a label and a number."""
        text = label + number.to_bytes(8, "little")
        return int.from_bytes(blake2b(text, digest_size=16, key=self.seed).digest(), "little") % PRIME


def draw(graph: FlowGraph) -> Draw:
    """Make draws that nobody knows before the graph is known whole."""
    arcs = graph.arcs
    numbers = array("q", bytes(24 * len(arcs)))
    numbers[::3], numbers[1::3], numbers[2::3] = (array("q", one) for one in (arcs.source, arcs.target, arcs.outcome))
    return Draw(blake2b(numbers.tobytes(), digest_size=32).digest())


def weights(points: Points, dooms: bytearray, chance: Draw) -> Sequence[int]:
    """Give each point its probability once the one before has happened: 0 if doomed, the others sum to 1."""
    found = [0 if mark else 1 for mark in dooms]
    for point, chooses in enumerate(points.chooses):
        if not chooses:
            continue
        live = [near for near in points.after[point] if not dooms[near]]
        rest = 1
        for near in live[1:]:
            found[near] = chance.take(b"outcome", near)
            rest -= found[near]
        if live:
            found[live[0]] = rest % PRIME
    return found
