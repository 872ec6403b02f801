"""A typed subset of CEL: text is parsed, checked against types, and only then made into closures.

An expression has no side effects, cannot call anything but the functions listed in ``functions``, and has a cost
that is bounded before it runs; one without a bound is refused.
"""
