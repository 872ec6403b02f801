"""Topology diff: two admissions of one graph go in; what the later one may do more, less or otherwise comes out.

Every change has a category and, in it, a direction. The diff looks at meaning and never at lines, and it is
even-handed: read from the other side, each change is there too, with its direction turned round. It decides nothing;
whoever gates on it says which changes need somebody's consent.
"""
