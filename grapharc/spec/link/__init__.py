"""A graph document in, a linked graph out: every name found, every argument checked, every port bound.

Whether the graph may run, or would ever end, is not asked here. What could not be linked is left out and named, and
nothing is told that merely follows from that.
"""
