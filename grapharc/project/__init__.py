"""What is on disk: finds a project's documents, settings and caches, and drives the verbs over them.

The only place that opens files for the checker. What a document names must lie in the project folder once links are
resolved; nothing here knows a terminal, and nothing imports what a document names.
"""
