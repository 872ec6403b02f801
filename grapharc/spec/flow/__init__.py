"""Facts about the flow of a graph: what runs, in which order, what waits for what, how often, and what it may cost.

The judge and the compiler read the same facts, so that they cannot disagree. Nothing here judges: what is wrong comes
out as problems, which are data with a witness. Nothing here recurses over a graph or takes more than near linear time,
except where many nodes branch without a structure and then share a join.
"""
