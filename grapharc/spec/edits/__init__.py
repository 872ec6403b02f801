"""Edits: a change of a document's value goes in, the change of its text that makes it comes out.

Only what an edit is about changes: comments, line ends, order and layout of all else stay. An edit that would take a
comment along, or that a text has no room for, is not made.
"""
