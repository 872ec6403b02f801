"""Whether a graph may run: linked graphs and the owner's policies in, admissions out.

Nothing here reads a text of a graph, finds a name or computes a fact about flow: that is ``spec``'s, so that the judge
and the compiler cannot disagree. A refusal is data; the one exception is the compiler's, for a refused graph.
"""
