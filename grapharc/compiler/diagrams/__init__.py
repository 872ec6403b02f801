"""Diagrams: an admission goes in, pictures of its graph come out, as values that every format draws alike.

Pictures are made from what was linked and judged, so that a diagram cannot say what the checker does not. They hold
plain texts of what documents say; whoever writes a format escapes them. Nothing here imports LangGraph.
"""
