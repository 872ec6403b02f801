"""What is measured, one file a subject; ``python -m benchmarks`` measures all and prints one table.

Each file has a function ``rows()`` that measures and returns lines of the table: what, what was measured, and the bar
it is held against. For work that others do as well, :mod:`benchmarks.bench` takes both in turns.
"""
