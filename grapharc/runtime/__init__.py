"""What compiled graphs link against: contracts, budgets, deadlines, the run context and the trace.

Nothing here reads a document or knows LangGraph's graphs. A node never meters, times or records itself: the runtime
does that around it, so that no kind can leave it out.
"""
