"""Reports go in, text comes out: one format a file, each a pure function that knows no terminal.

What is printed of a document is what was read of it: a source line is shown for our own documents only, and no
character reaches the terminal that could move a cursor or turn the direction of a line.
"""
