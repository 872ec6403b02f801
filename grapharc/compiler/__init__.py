"""Admissions in, graphs that run on LangGraph out.

A graph that was not admitted is not compiled. This is the one place that imports a kind's code. LangGraph runs the
nodes, and none of its own policies: retries, timeouts, error handling, caching and interrupts are ours, since only ours
are judged, metered and traced. Every name that LangGraph sees is prefixed, so that no name an author chooses can meet
one of its own.
"""
